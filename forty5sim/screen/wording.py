"""What the screen asks for, in plain English, and what its buttons say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from forty5sim.agent import View
from forty5sim.analysis import CHANCE, Analysis
from forty5sim.bids import FIRST_SUIT_BID, MISERE, STRAINS, suit_bid
from forty5sim.cards import SUIT_SIGNS, SUIT_WORDS, Action, card_sign
from forty5sim.notation import (
    DONE,
    HOLD,
    JINK,
    KEEP,
    NO_SUIT,
    PASS,
    STOP,
    SUIT_PHASES,
    action_sign,
    bid_sign,
    is_card,
)
from forty5sim.options import POT
from forty5sim.sitting import Sitting, in_order, worth

BOX_COLUMNS = len(STRAINS) + 1
KEYS = """\
Cards marked ▲ may be played. Choose one with a click, with its number, or with the arrow keys and
Enter. An illegal card may be chosen too: then you are told why it may not be played.

  ← → ↑ ↓        from card to card, from button to button
  Enter, Space    play the card, press the button; go on at once while the bots play
  1 2 … 9 0       the first ten cards of your hand
  a letter        the button with this letter in brackets

  ?               hint: what a strong bot would do, and what it expects of each choice
  u               take your last move back (in practice: forty5sim play --practice)
  l               the auction and the tricks of this deal, and the score
  r               the rules of this game
  Ctrl-S          save, and go on playing
  q, Ctrl-C       save and leave; go on another day with --continue

When cards are thrown away, choosing a card marks it, choosing it again takes the mark off.
A finished trick lies there until somebody leads to the next one.
"""


@dataclass(frozen=True)
class Choice:
    """A button: what it says, the key that presses it, and what it does."""

    label: str
    key: str
    action: Action

    @property
    def text(self) -> str:
        """The label with its key."""
        return f"{self.label} ({self.key})" if self.key else self.label


def choices_in(view: View) -> list[Choice]:
    """Return the legal actions that are not cards, each as a button; throwing is one of them."""
    if view.phase == "discard":
        return [Choice("Throw", "t", DONE)]
    return [_choice(view, a) for a in in_order(view) if not is_card(a, view.phase)]


def _choice(view: View, action: Action) -> Choice:
    if action in _WORDS:
        label, key = _WORDS[action]
        if action == STOP and view.rules.family != POT:
            label = "Do not jink"
        if action == HOLD and view.bid is not None:
            label = f"Hold at {bid_sign(view.bid)}"
        return Choice(label, key, action)
    if view.phase in SUIT_PHASES:
        word = SUIT_WORDS[action]
        return Choice(f"{SUIT_SIGNS[action]} {word}", word[0], action)
    return Choice(action_sign(action, view.phase), "", action)


_WORDS = {
    KEEP: ("Keep your hand", "k"),
    JINK: ("Jink", "j"),
    STOP: ("Stop and take the pot", "s"),
    PASS: ("Pass", "p"),
    HOLD: ("Hold", "h"),
    NO_SUIT: ("No suit", "n"),
}


def prompt(sitting: Sitting, view: View) -> str:
    """Return what the person has to do."""
    if view.phase == "play":
        return _to_play(view)
    if view.phase == "discard":
        return _to_throw(sitting, view)
    if view.phase == "auction":
        return _to_call(sitting, view)
    if view.phase == "rob":
        assert view.turnup is not None
        keep = ", or keep your hand" if KEEP in view.legal else ""
        return f"You may take the {card_sign(view.turnup)}: choose a card to throw for it{keep}."
    if view.phase == "jink":
        if view.rules.family == POT:
            return "The pot is yours. Stop and take it, or jink: all the tricks, or the pot stays?"
        return "Jink, that is win every trick or lose the game, or go on without?"
    return {
        "trump": "Your bid stands. Which suit shall be trumps?",
        "assign": "You hold the Joker and there are no trumps. Which suit shall it belong to?",
        "name": "You lead the Joker. Which suit is to be followed?",
    }[view.phase]


def _to_play(view: View) -> str:
    turn = "You lead" if view.trick == [] else "Your turn"
    which = "any card" if len(view.legal) == len(view.hand) else "a card marked ▲"
    return f"{turn}: play {which} (click it, its number, or ← → and Enter)."


def _to_throw(sitting: Sitting, view: View) -> str:
    kitty = "You have the kitty. " if view.seat == view.bidder and view.rules.kitty_size else ""
    return f"{kitty}Choose what to throw, {sitting.how_many()}; then press t."


def _to_call(sitting: Sitting, view: View) -> str:
    if view.bid is None or view.bidder is None:
        return "Your call: nobody has bid yet. Bid, or pass."
    standing = f"{sitting.narrator.does(view.bidder, 'bid')} {bid_sign(view.bid)}"
    return f"Your call: {standing}. Bid higher, or pass."


def bidding_box(choices: Sequence[Choice]) -> list[Choice | None]:
    """Return the bids of Five Hundred in rows by level: a column a suit, and one for what has none.

    A place without a bid is None.
    """
    bids = [c for c in choices if FIRST_SUIT_BID <= c.action < MISERE]
    others = [c for c in choices if c not in bids]
    levels = sorted({suit_bid(c.action).level for c in bids})
    rows = max(len(levels), len(others))
    box: list[list[Choice | None]] = [[None] * BOX_COLUMNS for _ in range(rows)]
    for bid in bids:
        level, trump = suit_bid(bid.action)
        box[levels.index(level)][trump] = bid
    for row, choice in zip(reversed(box), reversed(others), strict=False):
        row[-1] = choice
    return [choice for row in box for choice in row]


# --- a hint ---------------------------------------------------------------------------------------


def hint_table(text: str, found: Analysis | None, phase: str) -> str:
    """Return a hint with a line for each choice: its value ± 95 % and how often it was tried."""
    if found is None:
        return f"{text}\n\nThis bot does not search, so it has no figures of the choices."
    means = "your chance to win the game" if found.unit == CHANCE else f"mean {found.unit}"
    lines = [text, "", f"  {'choice':<12}{f'{means} ± 95 %':<36}{'n':>9}"]
    for one in found.findings:
        mark = "▲" if one.action == found.choice else " "
        value = worth(one, found.unit) if one.visits > 1 else "not tried enough"
        lines.append(f"{mark} {action_sign(one.action, phase):<12}{value:<36}{one.visits:>9}")
    lines += ["", f"n: how often it was tried in {found.tried} deals of the unseen cards."]
    if found.unit != CHANCE:
        lines.append(_UNITS[found.unit])
    return "\n".join(lines)


_UNITS = {
    "points": "Points of this deal, less the mean of the other sides.",
    "chips": "Chips of this deal, with an equal share of what is left in the pot.",
}
