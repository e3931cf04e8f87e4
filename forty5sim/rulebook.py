"""The rules of a game as English text, made from its options; and the ranking chart."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from forty5sim.cards import HEARTS, SUIT_NAMES, SUIT_SIGNS, SUIT_WORDS, Suit, card_name
from forty5sim.options import COUNTING
from forty5sim.ranking import plain_order, trump_order
from forty5sim.rules import OPTIONS, RuleSet, option_default, options_of

WIDTH = 79
CHAPTERS = {
    "The cards": ("plain_red_ace", "plain_black_ace", "joker", "head"),
    "Playing to a trick": ("plain_lead", "renege", "renege_cards", "ah_lead_needs_heart"),
    "Robbing": ("rob_timing", "dealer_ace", "rob_forced", "rob_missed", "rob_announced"),
    "Scoring": (
        "trick_scoring", "bonus", "bonus_needs_top", "stop_at_target", "target", "tie", "tie_equal",
        "sweep",
    ),
    "The pot": (
        "ante", "ante_rule", "pot_cap", "win_tricks", "play_out", "stack", "game_deals", "unpaid",
        "last_pot",
    ),
    "The jink": ("jink", "jink_declare", "jink_reward", "jink_bonus"),
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
    changed = [
        f"{name}={value}"
        for name, value in rules.options().items()
        if value != option_default(name, rules.family)
    ]
    return ", ".join(changed) or "nothing"


def rules_text(rules: RuleSet) -> str:
    """Return the rules of a game in plain English; ``*`` marks what differs from its family."""
    kind = "Forty-Five and its relatives" if rules.family == COUNTING else "Spoil Five"
    lines = [rules.id, "=" * len(rules.id), "", *_outline(rules), ""]
    for chapter, names in CHAPTERS.items():
        sentences = [line for name in names for line in _sentence(rules, name)]
        if sentences:
            lines += [chapter, "-" * len(chapter), *sentences, ""]
    lines.append(f"* differs from the usual {kind}. Numbers: sections of docs/rules.md")
    return "\n".join(lines)


def _outline(rules: RuleSet) -> list[str]:
    """Return what every game of the family has in common, in a few sentences."""
    turned = rules.turns_up
    trump = "the next card is turned up and its suit is trumps" if turned else (
        f"{SUIT_WORDS[SUIT_NAMES.index(rules.trump)]} are trumps")  # fmt: skip
    text = (
        f"For {_players(rules)} players. Each gets {rules.hand_size} cards; {trump}. The player"
        " on the dealer's left leads; the best trump, else the best card of the suit led, wins the"
        " trick, and its winner leads to the next. Best trumps are the five, the jack and the ace"
        " of hearts, which is always a trump; the low number cards are high in black suits."
    )
    if turned:
        text += (
            " Whoever holds the ace of trumps, or the dealer if it is turned up, may rob: take the"
            " turned-up card for a card of the hand."
        )
    if rules.family == COUNTING:
        text += f" The first side with {rules.target} points wins the game."
    else:
        text += (
            f" Everybody pays into the pot; who is first to win {rules.win_tricks} tricks takes it."
            " If nobody does the deal is spoiled and the pot stays."
        )
    return textwrap.wrap(text, WIDTH)


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
        text, section = declared.describe(value), declared.section
    if not text or (declared is None and not differs):
        return []
    mark = "*" if differs else " "
    head = f"{mark} {text[0].upper()}{text[1:]}. [{name}={value}; {section}]"
    return textwrap.wrap(head, WIDTH, subsequent_indent="    ")


def ranking_chart(rules: RuleSet, trump: Suit) -> str:
    """Return all suits high to low when ``trump`` is trumps."""
    lines = [f"{SUIT_SIGNS[trump]} {SUIT_WORDS[trump]} are trumps, high to low"]
    lines.append("  trumps    " + " ".join(map(card_name, trump_order(rules, trump))))
    for suit, word in enumerate(SUIT_WORDS):
        if suit != trump:
            lines.append(f"  {word:9} " + " ".join(map(card_name, plain_order(rules, suit))))
    if trump != HEARTS:
        lines.append("  (the ace of hearts is a trump, never a heart)")
    return "\n".join(lines)
