"""What a jink wins and what it risks, by the rules of a pot game (docs/rules.md 5.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forty5sim.rules.ruleset import RuleSet


def break_even(rules: RuleSet, players: int, pot: float, *, share_left: bool = True) -> float:
    """Return the chance above which a jink pays more than taking the pot.

    Made, it wins the pot and a bonus from each opponent; failed, the pot stays. Of what stays a
    share of 1 / ``players`` can be counted as one's own: ``share_left``. For a bonus of one chip
    from each that is P / (P + players), and P / (P + players - 1) without the share.

    Args:
        rules: of a pot game with jinks.
        players: at the table.
        pot: the chips in it at the decision, antes and all.
        share_left: count the share of the pot that stays.
    """
    bonus = int(rules.ante if rules.jink_bonus == "ante" else rules.jink_bonus)
    won = pot + (pot if rules.jink_reward == "double_pot" else (players - 1) * bonus)
    left = pot / players if share_left else 0.0
    return (pot - left) / (won - left)
