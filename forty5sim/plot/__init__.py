"""Figures: one function each, from tables and arrays, that returns the axes it drew on.

Axes and units are named, intervals and sample sizes shown; all can be read without colour. Needs
matplotlib (``pip install "forty5sim[report]"``).
"""

from __future__ import annotations

from forty5sim.plot.boards import convergence, payoff_distribution
from forty5sim.plot.decisions import (
    bidding_profile,
    drawable,
    jink_rates,
    lead_choices,
    pot_growth,
    renege_use,
    rob_rates,
)
from forty5sim.plot.heat import heat_map, strata_heat_map
from forty5sim.plot.ladder import strength_against_time, strength_ladder
from forty5sim.plot.pots import break_even, pot_lives
from forty5sim.plot.readings import agreement, calibration, changes, rates
from forty5sim.plot.shares import Share, clustered_share
from forty5sim.plot.style import inline_svg, save_figure
from forty5sim.plot.tournaments import (
    cross_table,
    decision_times,
    ratings,
    seat_advantage,
    standings,
)
from forty5sim.plot.values import bands, break_even_curves, forest

__all__ = [
    "Share",
    "agreement",
    "bands",
    "bidding_profile",
    "break_even",
    "break_even_curves",
    "calibration",
    "changes",
    "clustered_share",
    "convergence",
    "cross_table",
    "decision_times",
    "drawable",
    "forest",
    "heat_map",
    "inline_svg",
    "jink_rates",
    "lead_choices",
    "payoff_distribution",
    "pot_growth",
    "pot_lives",
    "rates",
    "ratings",
    "renege_use",
    "rob_rates",
    "save_figure",
    "seat_advantage",
    "standings",
    "strata_heat_map",
    "strength_against_time",
    "strength_ladder",
]
