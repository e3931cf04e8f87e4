"""The rules of a game as English text, made from its options; and the ranking chart."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from forty5sim.bids import bid_value, ladder
from forty5sim.bowers import suit_order
from forty5sim.cards import (
    HEARTS,
    NO_TRUMP,
    SUIT_NAMES,
    SUIT_SIGNS,
    SUIT_WORDS,
    Card,
    Suit,
    card_name,
)
from forty5sim.notation import bid_sign
from forty5sim.options import AUCTION, COUNTING, FIVE_HUNDRED, POT, Value
from forty5sim.ranking import plain_order, trump_order
from forty5sim.rules import OPTIONS, RuleSet, option_default, options_of

WIDTH = 79
KINDS = {
    COUNTING: "Forty-Five and its relatives",
    POT: "Spoil Five",
    AUCTION: "Auction Forty-Fives",
    FIVE_HUNDRED: "Five Hundred",
}
"""What the games of a family are called together."""
CHAPTERS = {
    "The cards": ("plain_red_ace", "plain_black_ace", "joker", "head"),
    "Playing to a trick": ("plain_lead", "renege", "renege_cards", "ah_lead_needs_heart"),
    "Robbing": ("rob_timing", "dealer_ace", "rob_forced", "rob_missed", "rob_announced"),
    "Scoring": (
        "trick_scoring", "bonus", "bonus_needs_top", "stop_at_target", "target", "tie", "tie_equal",
        "sweep",
    ),
    "The pot": (
        "ante", "ante_rule", "pot_cap", "win_tricks", "stack", "unpaid", "last_pot",
    ),
    "How long it goes on": ("play_out", "game_deals"),
    "The jink": ("jink", "jink_declare", "jink_reward", "jink_bonus"),
    "The auction": (
        "kitty", "min_bid", "auction_rounds", "thirty_for_sixty", "min_bid_at_100", "no_bid_below",
        "dealer_hold", "hold_scope", "all_pass", "ten_call", "misere", "misere_value",
        "open_misere_rank", "rebid_after_pass", "pass_out",
    ),
    "Trumps, kitty and draw": (
        "name_trump", "draw", "draw_order", "min_keep", "bidder_min_keep", "first_lead",
    ),
    "The Joker without trumps": ("joker_nt_suit", "joker_lead"),
    "The contract": (
        "thirty", "defenders_frozen_at", "defender_points", "slam_bonus", "must_bid_out",
        "win_needs_contract", "sets_lose", "lose_at",
    ),
    "The table": ("sides", "first_dealer", "hand_size", "trump", "deck"),
}  # fmt: skip


def preset_list(presets: Mapping[str, RuleSet]) -> str:
    """Return a line for each game: its name, players, and what it changes."""
    lines = [f"{'game':26} {'players':8} what differs from its family's default"]
    for name, rules in presets.items():
        lines.append(f"{name:26} {_players(rules):8} {_changes(rules)}")
    lines.append("\nThe rules of one: forty5sim rules spoil-five")
    lines.append("House rules: --game spoil-five:plain_lead=free,ante=2")
    return "\n".join(lines)


def _players(rules: RuleSet) -> str:
    counts = rules.players
    if len(counts) > 2 and counts == tuple(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]}-{counts[-1]}"
    return ", ".join(map(str, counts))


def _changes(rules: RuleSet) -> str:
    changed = [f"{name}={value}" for name, value in changed_options(rules).items()]
    return ", ".join(changed) or "nothing"


def changed_options(rules: RuleSet) -> dict[str, Value]:
    """Return the options that differ from the family's default, with their values."""
    return {
        name: value
        for name, value in rules.options().items()
        if value != option_default(name, rules.family)
    }


def preset_rows(presets: Mapping[str, RuleSet]) -> list[dict[str, Any]]:
    """Return a record for each game: its name, family, players and the options it changes."""
    return [
        {
            "game": name,
            "family": rules.family,
            "players": list(rules.players),
            "changes": changed_options(rules),
        }
        for name, rules in presets.items()
    ]


def option_rows(rules: RuleSet) -> list[dict[str, Any]]:
    """Return a record for each option of a game: its value, what it takes, what that means."""
    return [
        {
            "option": name,
            "value": value,
            "default": option_default(name, rules.family),
            "takes": OPTIONS[name].allowed(rules.family),
            "meaning": OPTIONS[name].describe(value),
            "section": OPTIONS[name].section_in(rules.family),
        }
        for name, value in rules.options().items()
        if name in OPTIONS
    ]


def rules_text(rules: RuleSet) -> str:
    """Return the rules of a game in plain English; ``*`` marks what differs from its family."""
    kind = KINDS[rules.family]
    lines = [rules.id, "=" * len(rules.id), "", *_outline(rules), ""]
    if rules.has_auction:
        lines += [*_bid_table(rules), ""]
    for chapter, names in CHAPTERS.items():
        sentences = [line for name in names for line in _sentence(rules, name)]
        if sentences:
            lines += [chapter, "-" * len(chapter), *sentences, ""]
    lines.append(f"* differs from the usual {kind}. Numbers: sections of docs/rules.md")
    return "\n".join(lines)


def _outline(rules: RuleSet) -> list[str]:
    """Return what every game of the family has in common, in a few sentences."""
    outline = _outline_of_five_hundred if rules.family == FIVE_HUNDRED else _outline_of_fives
    return textwrap.wrap(outline(rules), WIDTH)


def _outline_of_fives(rules: RuleSet) -> str:
    turned = rules.turns_up
    if rules.has_auction:
        trump = "who bids most names trumps"
    elif turned:
        trump = "the next card is turned up and its suit is trumps"
    else:
        trump = f"{SUIT_WORDS[SUIT_NAMES.index(rules.trump)]} are trumps"
    text = (
        f"For {_players(rules)} players. Each gets {rules.hand_size} cards; {trump}. "
        f"{_WHO_LEADS[rules.has_auction]} the best trump, else the best card of the suit led, wins"
        " the trick, and its winner leads to the next. Best trumps are the five, the jack and the"
        " ace of hearts, which is always a trump; the low number cards are high in black suits."
    )
    if turned:
        text += (
            " Whoever holds the ace of trumps, or the dealer if it is turned up, may rob: take the"
            " turned-up card for a card of the hand."
        )
    if rules.has_auction:
        return text + (
            " A trick counts 5 points. Whose bid stands takes up the kitty, and all throw cards"
            " and draw new ones. Who takes as many points as he bid scores them; who does not"
            " loses his bid. Thirty needs all five tricks."
        )
    if rules.family == COUNTING:
        return text + f" The first side with {rules.target} points wins the game."
    return text + (
        f" Everybody pays into the pot; who is first to win {rules.win_tricks} tricks takes it."
        " If nobody does the deal is spoiled and the pot stays."
    )


_WHO_LEADS = {
    False: "The player on the dealer's left leads;",
    True: "After the auction one leads;",
}


def _outline_of_five_hundred(rules: RuleSet) -> str:
    return (
        "For four players in two sides. Each gets ten cards of 43: four or five to ace, and the"
        " Joker; three make the kitty. Players bid how many tricks their side will take, and with"
        " which trumps; or to take none (misère). Whose bid stands is the contractor: he takes the"
        " kitty up, throws three cards and leads. Follow suit, else play anything; the best"
        " trump, else the best card of the suit led, wins. Best trumps are the Joker, the jack of"
        " trumps and the other jack of its colour, which is a trump too. At misère the"
        " contractor's partner sits out. A contract made scores its value, one set loses it."
    )


def _bid_table(rules: RuleSet) -> list[str]:
    """Return the bids of a game, low to high, with their values."""
    title = "Bids, low to high"
    bids = [f"{bid_sign(bid)} ({bid_value(rules, bid)})" for bid in ladder(rules)]
    if rules.family == AUCTION:
        bids = [bid_sign(bid) for bid in ladder(rules)]
    text = textwrap.wrap("  ".join(bid.replace(" ", "\u00a0") for bid in bids), WIDTH)
    return [title, "-" * len(title), *(line.replace("\u00a0", " ") for line in text)]


def _sentence(rules: RuleSet, name: str) -> list[str]:
    """Return an option's sentence with its mark, name and section; nothing if it says nothing."""
    if name not in options_of(rules.family):
        return []
    value = getattr(rules, name)
    declared = OPTIONS.get(name)
    differs = value != option_default(name, rules.family)
    if declared is None:
        text, section = f"the pack is {value}", "9"
    else:
        text, section = declared.describe(value), declared.section_in(rules.family)
    if not text or (declared is None and not differs):
        return []
    mark = "*" if differs else " "
    head = f"{mark} {text[0].upper()}{text[1:]}. [{name}={value}; {section}]"
    return textwrap.wrap(head, WIDTH, subsequent_indent="    ")


def ranking_chart(rules: RuleSet, trump: Suit) -> str:
    """Return all suits high to low when ``trump`` is trumps, or when there are none."""
    if trump == NO_TRUMP:
        lines = ["no trumps, high to low", f"  {'any suit':9} JK, which wins every trick it is in"]
    else:
        lines = [f"{SUIT_SIGNS[trump]} {SUIT_WORDS[trump]} are trumps, high to low"]
        lines.append(f"  {'trumps':9} " + _names(_suit_order(rules, trump, trump)))
    for suit, word in enumerate(SUIT_WORDS):
        if suit != trump:
            lines.append(f"  {word:9} " + _names(_suit_order(rules, suit, trump)))
    if trump != HEARTS and rules.family != FIVE_HUNDRED:
        lines.append("  (the ace of hearts is a trump, never a heart)")
    return "\n".join(lines)


def _suit_order(rules: RuleSet, suit: Suit, trump: Suit) -> tuple[Card, ...]:
    if rules.family == FIVE_HUNDRED:
        return suit_order(suit, trump)
    return trump_order(rules, trump) if suit == trump else plain_order(rules, suit)


def _names(cards: Iterable[Card]) -> str:
    return " ".join(map(card_name, cards))
