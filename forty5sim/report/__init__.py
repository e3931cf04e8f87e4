"""What a person reads of a tournament: in a terminal, as a page, and as pictures.

``terminal`` prints the tables, ``findings`` reads a run's folder, ``pictures`` names the figures
that a run can draw, ``html`` puts all of it on one page.
"""

from __future__ import annotations

from forty5sim.report.html import write_report
from forty5sim.report.terminal import (
    contracts_legend,
    contracts_table,
    duels_table,
    fault_lines,
    forecast_lines,
    legend,
    printed_measures,
    standings_table,
    tournament_report,
    trumps_table,
)

__all__ = [
    "contracts_legend",
    "contracts_table",
    "duels_table",
    "fault_lines",
    "forecast_lines",
    "legend",
    "printed_measures",
    "standings_table",
    "tournament_report",
    "trumps_table",
    "write_report",
]
