"""What a search found, left at the start of its agent's workspace for Python to read."""

from __future__ import annotations

from forty5sim.kernels.jit import kernel
from forty5sim.kernels.vector import Vector, reals

TRIED = 0  # worlds dealt, or iterations
COUNT = 1  # actions
ROWS = 2  # one for each action, by number
MOST_ACTIONS = 63
# a row
ACTION = 0
VISITS = 1  # how often it was tried
TOTAL = 2  # sum of the payoffs, float64
SQUARES = 3  # sum of their squares, float64
ROW_SIZE = 4
FINDINGS_SIZE = ROWS + MOST_ACTIONS * ROW_SIZE


@kernel
def open_findings(workspace: Vector) -> None:
    """Forget the findings before."""
    workspace[TRIED] = workspace[COUNT] = 0


@kernel
def add_finding(workspace: Vector, action: int, visits: int, total: float, squares: float) -> None:
    """Write what was found about one action."""
    row = ROWS + workspace[COUNT] * ROW_SIZE
    workspace[COUNT] += 1
    workspace[row + ACTION] = action
    workspace[row + VISITS] = visits
    sums = reals(workspace, row)
    sums[TOTAL] = total
    sums[SQUARES] = squares
