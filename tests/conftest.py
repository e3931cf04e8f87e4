"""What several test files share."""

import signal
from pathlib import Path

import pytest

BOTS = Path(__file__).parent / "bots" / "sample_bots.py"

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell starts what it runs in the background deaf to Ctrl-C, and tests would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def sample_bot():
    """Return the spec of a bot in the sample file."""
    return lambda name: f"{BOTS}:{name}"
