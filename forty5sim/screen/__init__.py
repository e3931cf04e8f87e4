"""The full-screen table of ``forty5sim play``; needs the extra ``forty5sim[play]``."""

from __future__ import annotations

from forty5sim.screen.table_app import Ending, TableApp
from forty5sim.sitting import Sitting

__all__ = ["Ending", "TableApp", "sit_down"]


def sit_down(sitting: Sitting, pace: float, *, resumed: bool = False) -> Ending:
    """Play on the full screen until the game is over or the person leaves.

    Nothing is saved here: that is the caller's, who can also say it on the terminal.
    """
    app = TableApp(sitting, pace, resumed=resumed)
    try:
        return app.run() or Ending("left")
    finally:
        app.croupier.close()
