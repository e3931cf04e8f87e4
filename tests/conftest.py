"""What several test files share."""

from pathlib import Path

import pytest

BOTS = Path(__file__).parent / "bots" / "sample_bots.py"


@pytest.fixture
def sample_bot():
    """Return the spec of a bot in the sample file."""
    return lambda name: f"{BOTS}:{name}"
