"""Options of Spoil Five: the pot and the jink (docs/rules.md 5)."""

from __future__ import annotations

from dataclasses import dataclass

from forty5sim.options import AUCTION, COUNTING, FIVE_HUNDRED, POT, Value, option, switch
from forty5sim.rules.table import MAX_HAND_SIZE


@dataclass(frozen=True, kw_only=True)
class PotOptions:
    """Who pays, who wins the pot, and how a game ends."""

    ante: Value = option(
        {}, "5.1", families=(POT,), numbers=range(1, 1001), default=1, says="the ante is {}"
    )
    ante_rule: str = option(
        {
            "each_deal": "everybody pays the ante before each deal",
            "reduced_after_spoil": "everybody pays the ante for a new pot and 1 after a spoil, the"
            " dealer 1 more",
            "dealer_only_after_first": "everybody pays for a new pot, then only the dealer",
            "dealer_double": "the dealer pays the ante twice",
            "none_after_spoil": "everybody pays for a new pot, nobody after a spoil",
        },
        "5.1",
        families=(POT,),
    )
    pot_cap: Value = option(
        {"off": "the pot has no limit"},
        "5.1",
        families=(POT,),
        numbers=range(1, 100001),
        says="nobody pays once the pot has {}",
    )
    win_tricks: Value = option(
        {},
        "5.2",
        families=(POT,),
        numbers=range(1, MAX_HAND_SIZE + 1),
        default=3,
        says="the first to {} tricks wins the pot",
    )
    play_out: str = switch(
        {POT: "5.2", FIVE_HUNDRED: "8.8"},
        "the deal ends when it is decided",
        "all tricks are played although the deal is decided",
        families=(POT, FIVE_HUNDRED),
    )
    jink: str = switch(
        "5.3",
        "there is no jink",
        "who has all the tricks so far may jink: undertake to win all five",
        by_family={COUNTING: "off", POT: "on"},
    )
    jink_declare: str = option(
        {
            "explicit": "a jink is declared",
            "implicit": "who plays on instead of claiming the pot jinks",
        },
        "5.3",
        families=(POT,),
    )
    jink_reward: str = option(
        {
            "pot_plus_ante_each": "a jink made wins the pot and a bonus from each opponent",
            "double_pot": "a jink made wins the pot and as much again from the opponents",
        },
        "5.3",
        families=(POT,),
    )
    jink_bonus: Value = option(
        {"ante": "the bonus for a jink is the ante"},
        "5.3",
        families=(POT,),
        numbers=range(0, 1001),
        says="the bonus for a jink is {} from each opponent",
    )
    stack: Value = option(
        {},
        "5.4",
        families=(POT,),
        numbers=range(1, 1000001),
        default=50,
        says="everybody starts the game with {} chips",
    )
    game_deals: Value = option(
        {"off": "the game has no fixed number of deals"},
        {POT: "5.4", AUCTION: "7.9"},
        families=(POT, AUCTION),
        numbers=range(1, 100001),
        says="the game ends after {} deals",
    )
    unpaid: str = option(
        {
            "leave": "the game ends when somebody cannot pay the ante",
            "all_in": "who cannot pay the ante puts in what is left, and leaves with nothing",
        },
        "5.4",
        families=(POT,),
    )
    last_pot: str = option(
        {
            "split": "a pot left over at the end is shared",
            "leader": "a pot left over at the end goes to the most chips",
        },
        "5.4",
        families=(POT,),
    )
