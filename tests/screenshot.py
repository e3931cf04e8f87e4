"""Draws the picture of the full-screen table for the docs: ``python -m tests.screenshot``."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from tests.seated import do, settled, table

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "table.svg"


async def picture_of_a_table(folder: Path) -> str:
    """Return a table of Spoil Five in the middle of a trick, as SVG."""
    app = table(folder, "spoil-five", *["heuristic"] * 3, seed=11, practice=True)
    async with app.run_test(size=(96, 28)) as pilot:
        await settled(pilot)
        await do(pilot, app.sitting.session.hint()[0][0])
        return app.export_screenshot(title="forty5sim play --game spoil-five --players 4")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        PICTURE.write_text(asyncio.run(picture_of_a_table(Path(folder))), encoding="utf-8")
