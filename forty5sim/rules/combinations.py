"""Options that cannot be played together, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from forty5sim.options import COUNTING, POT

if TYPE_CHECKING:
    from forty5sim.rules.ruleset import RuleSet

TEN = 10


def impossible(rules: RuleSet, *, joker_in_deck: bool) -> list[tuple[bool, str]]:
    """Return every combination that cannot be played: (is it so here, why not)."""
    return [
        *_impossible_rewards(rules),
        *_impossible_pots(rules),
        *_impossible_packs(rules, joker_in_deck),
        *_impossible_bids(rules),
    ]


def _impossible_rewards(r: RuleSet) -> list[tuple[bool, str]]:
    return [
        (
            r.jink == "on" and r.sweep == "wins_game",
            "jink=on and sweep=wins_game reward the same five tricks; choose one of the two",
        ),
        (
            r.jink == "on" and r.stop_at_target == "on",
            "jink=on needs deals played to the end; stop_at_target=on ends them early",
        ),
        (
            r.trick_scoring != "points" and r.stop_at_target == "on",
            f"trick_scoring={r.trick_scoring} is known only after the last trick;"
            " stop_at_target=on needs points",
        ),
        (
            r.trick_scoring != "points" and r.tie == "trick_order",
            f"trick_scoring={r.trick_scoring} is known only after the last trick;"
            " tie=trick_order needs points",
        ),
        (
            r.bonus_needs_top == "on" and r.bonus != "best_trump",
            "bonus_needs_top=on needs bonus=best_trump",
        ),
        (
            r.rob_missed != "none" and r.rob_forced == "all",
            f"nobody can miss a compulsory rob; rob_missed={r.rob_missed} needs rob_forced off or"
            " dealer",
        ),
    ]


def _impossible_pots(r: RuleSet) -> list[tuple[bool, str]]:
    ante = int(r.ante) * (2 if r.ante_rule == "dealer_double" else 1)
    ante += r.ante_rule == "reduced_after_spoil"
    return [
        (
            r.rob_missed == "barred" and r.family != POT,
            "there is no pot to be barred from; rob_missed=barred is for Spoil Five",
        ),
        (
            r.pot_cap != "off" and r.ante_rule != "dealer_only_after_first",
            "pot_cap needs ante_rule=dealer_only_after_first",
        ),
        (
            r.jink_bonus != "ante" and r.jink_reward == "double_pot",
            "double_pot pays no bonus; jink_bonus needs jink_reward=pot_plus_ante_each",
        ),
        (
            r.family == POT and r.sides not in ("default", "individuals"),
            f"Spoil Five is played by individuals, not sides={r.sides}",
        ),
        (
            r.family == POT and int(r.stack) < ante,
            f"a stack of {r.stack} cannot pay the first ante of {ante}",
        ),
        (
            int(r.win_tricks) > int(r.hand_size) and r.family == POT,
            f"win_tricks={r.win_tricks} is more than the {r.hand_size} tricks of a deal",
        ),
    ]


def _impossible_packs(r: RuleSet, joker_in_deck: bool) -> list[tuple[bool, str]]:
    return [
        (
            r.family == COUNTING and r.jink == "on" and r.hand_size != 5,
            "the announced jink is about five tricks; jink=on needs hand_size=5",
        ),
        (
            r.dealer_ace == "after_trick1" and r.hand_size == 1,
            "dealer_ace=after_trick1 leaves the dealer no card to play; it needs hand_size 2",
        ),
        (
            r.deck != "standard" and joker_in_deck != (r.joker != "none"),
            "the deck holds a Joker exactly if joker is after_ah or before_ah",
        ),
        (
            isinstance(r.first_dealer, int) and r.first_dealer >= max(r.players),
            f"first_dealer={r.first_dealer} is no seat; seats are 0..{max(r.players) - 1}",
        ),
    ]


def _impossible_bids(r: RuleSet) -> list[tuple[bool, str]]:
    return [
        (
            r.ten_call == "on" and int(r.min_bid) <= TEN,
            f"a call of ten stands below the least bid; ten_call=on needs min_bid above {TEN}",
        ),
        (
            r.min_bid_at_100 != "off" and int(r.min_bid_at_100) < int(r.min_bid),
            f"min_bid_at_100={r.min_bid_at_100} is less than min_bid={r.min_bid}, which holds for"
            " everybody",
        ),
        (
            r.no_bid_below != "off" and r.all_pass == "redeal",
            "nobody might be allowed to bid any more, and the game would never end;"
            " no_bid_below needs all_pass=dealer_bagged",
        ),
    ]
