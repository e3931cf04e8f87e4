"""The options of a rule set as single words of the tables."""

from __future__ import annotations

from forty5sim.cards import mask_of
from forty5sim.kernels import layout
from forty5sim.kernels.vector import Vector
from forty5sim.options import AUCTION, COUNTING, FIVE_HUNDRED, POT
from forty5sim.rules import RuleSet

OFF = -1
FAMILY_NUMBERS = {
    COUNTING: layout.COUNTING,
    POT: layout.POT,
    AUCTION: layout.AUCTION,
    FIVE_HUNDRED: layout.FIVE_HUNDRED,
}


def fill_options(tables: Vector, rules: RuleSet) -> None:
    """Write the scalar options, each under its name in the layout."""
    deck = rules.deck_cards()
    fixed = rules.fixed_trump()
    values = {
        layout.FAMILY: FAMILY_NUMBERS[rules.family],
        layout.HAND_SIZE: rules.hand_size,
        layout.DECK_SIZE: len(deck),
        layout.DECK_MASK: mask_of(deck),
        layout.FIXED_TRUMP: OFF if fixed is None else fixed,
        layout.HAS_JOKER: rules.joker != "none",
        layout.HOLDER_ROBS_FIRST: rules.rob_timing == "before_first_lead",
        layout.DEALER_ROBS_FIRST: rules.rob_timing != "own_first_card",
        layout.ACE_WAITS: rules.dealer_ace == "after_trick1",
        layout.DEALER_MUST_ROB: rules.rob_forced != "off",
        layout.HOLDER_MUST_ROB: rules.rob_forced == "all",
        layout.ACE_FALLS: rules.rob_missed == "ace_lowest",
        layout.MISSED_BARS: rules.rob_missed == "barred",
        layout.ROB_SEEN: rules.rob_announced == "on",
        layout.CAN_JINK: rules.jink == "on",
        layout.WIN_TRICKS: rules.win_tricks,
        layout.PLAY_OUT: rules.play_out == "on",
        layout.TARGET: rules.target,
        layout.STOP_AT_TARGET: rules.stop_at_target == "on",
        layout.BONUS: {
            "none": layout.BONUS_NONE,
            "best_trump": layout.BONUS_BEST_TRUMP,
            "last_trick": layout.BONUS_LAST_TRICK,
        }[rules.bonus],
        layout.BONUS_NEEDS_TOP: rules.bonus_needs_top == "on",
        layout.TRICK_SCORING: {
            "points": layout.SCORE_POINTS,
            "five_ten": layout.SCORE_FIVE_TEN,
            "difference": layout.SCORE_DIFFERENCE,
        }[rules.trick_scoring],
        layout.TIE: {
            "highest_total": layout.TIE_HIGHEST,
            "nondealer_first": layout.TIE_NONDEALER,
            "trick_order": layout.TIE_TRICK_ORDER,
            "bidder_first": layout.TIE_BIDDER,
        }[rules.tie],
        layout.LEVEL_PLAYS_ON: rules.tie_equal == "play_on",
        layout.SWEEP_WINS: rules.sweep == "wins_game",
        layout.ANTE: rules.ante,
        layout.ANTE_RULE: {
            "each_deal": layout.ANTE_EACH_DEAL,
            "reduced_after_spoil": layout.ANTE_REDUCED,
            "dealer_only_after_first": layout.ANTE_DEALER_ONLY,
            "dealer_double": layout.ANTE_DEALER_DOUBLE,
            "none_after_spoil": layout.ANTE_NEW_POT_ONLY,
        }[rules.ante_rule],
        layout.POT_CAP: number_or(rules.pot_cap, OFF),
        layout.JINK_DOUBLES_POT: rules.jink_reward == "double_pot",
        layout.JINK_BONUS: rules.ante if rules.jink_bonus == "ante" else rules.jink_bonus,
        layout.STACK: rules.stack,
        layout.GAME_DEALS: number_or(rules.game_deals, OFF),
        layout.ALL_IN: rules.unpaid == "all_in",
        layout.LEADER_TAKES_LAST_POT: rules.last_pot == "leader",
        layout.FIRST_DEALER: number_or(rules.first_dealer, OFF),
        layout.TURNS_UP: rules.turns_up,
        layout.KITTY_SIZE: rules.kitty_size,
    }
    for offset, value in values.items():
        tables[offset] = int(value)
    tables[layout.DECK_CARDS : layout.DECK_CARDS + len(deck)] = deck


def number_or(value: str | int, off: int) -> int:
    """Return the number that an option is set to, or what stands for its word."""
    return value if isinstance(value, int) else off
