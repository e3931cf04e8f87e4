"""Conformance tests that anyone can run on a bot of their own: ``check_bot``."""

from __future__ import annotations

from forty5sim.testing.checking import check_bot
from forty5sim.testing.findings import BotCheck, Check

__all__ = ["BotCheck", "Check", "check_bot"]
