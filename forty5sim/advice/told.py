"""From what a short text tells to a position that the engine stands by.

The public part of the deal is played through with stand-in cards for what is hidden; whole deals
that agree with it are dealt (``infoset``), and one of them is played again from its deal, every
action checked. So what cannot have come about is found out, and the view is the engine's own.
"""

from __future__ import annotations

from dataclasses import replace

from forty5sim.advice.pasts import drawn_pasts
from forty5sim.advice.positions import Position
from forty5sim.advice.stand_in import StandIn
from forty5sim.advice.telling import NOBODY, USE_A_RECORD, Told
from forty5sim.agent import View, view_of
from forty5sim.cards import JOKER, Seat, suit_name, suit_of
from forty5sim.errors import Forty5Error, PositionError, RecordError
from forty5sim.infoset import determinize
from forty5sim.kernels import layout
from forty5sim.options import POT
from forty5sim.records import Standing
from forty5sim.records.opening import check_not_over


def told_position(told: Told, seed: int = 0) -> Position:
    """Return the position that a short text tells.

    Args:
        told: what it tells.
        seed: draws the earlier tricks, where they are not told.

    Raises:
        PositionError: if it cannot have come about, leaves nothing to decide, or cannot be told
            in a short text.
    """
    told, assumed = _completed(told)
    missing = _missing_tricks(told)
    if missing:
        views, words = drawn_pasts(told, missing, seed)
        return Position(views, (*assumed, *words))
    dealer, words = _dealer(told)
    view = _checked(_rough_view(replace(told, dealer=dealer)))
    return Position((view,), (*assumed, *words, *_about_robbing(told, view)))


# --- what goes without saying -------------------------------------------------------------------


def _completed(told: Told) -> tuple[Told, list[str]]:
    """Return what is told with what follows from it, and what was assumed."""
    rules, assumed = told.rules, list[str]()
    _check_keys(told)
    if rules.turns_up and told.turnup is None:
        if told.trump is None:
            raise PositionError("trump: it is missing; tell trump=H, or the card turned up")
        rules = rules.with_options(trump=suit_name(told.trump))
        assumed.append(
            "no turn-up was told: it is taken to lie among the cards that were not dealt,"
            " and nobody robs"
        )
    told = replace(told, rules=rules)
    _check_trump(told)
    _check_score(told)
    if told.score is None and rules.family != POT:
        assumed.append("no score was told: the deal is played by itself, for its points")
    if rules.family == POT and not told.pot:
        assumed.append("no pot was told: it holds the antes of this deal alone")
    return told, assumed


def _about_robbing(told: Told, view: View) -> list[str]:
    """Return what was assumed about the turn-up, where it was not told who robbed."""
    if told.turnup is None or told.robbed is not None or view.phase == "rob":
        return []
    if view.robber is None:
        return ["nobody is taken to have robbed"]
    return [f"seat {view.robber}, the dealer, is taken to have robbed the ace, as it must"]


def _check_keys(told: Told) -> None:
    """Raise if something is told that this game does not have."""
    auction = told.rules.has_auction
    given = {
        "turnup": told.turnup is not None,
        "robbed": told.robbed is not None,
        "jinked": told.jinked is not None,
        "won": told.won is not None,
        "bids": bool(told.bids),
        "discards": bool(told.discards),
        "joker": told.joker is not None,
        "pot": bool(told.pot),
        "score": told.score is not None,
    }
    absent = {"turnup", "robbed", "jinked", "won"} if auction else {"bids", "discards", "joker"}
    absent |= {"score"} if told.rules.family == POT else {"pot"}
    if not told.rules.turns_up:
        absent |= {"turnup", "robbed"}
    for key in sorted(absent):
        if given[key]:
            raise PositionError(f"{key}: {told.rules.name} has nothing of that kind")
    if told.turnup == JOKER:
        raise PositionError(f"turnup: the Joker was turned up: {USE_A_RECORD}")
    if told.robbed not in (None, NOBODY) and told.turnup is None:
        raise PositionError("robbed: tell the turnup too, the card that was taken")


def _check_trump(told: Told) -> None:
    """Raise if trumps and turn-up, or trumps and the rules, do not agree."""
    fixed = None if told.rules.has_auction else told.rules.fixed_trump()
    trump = suit_of(told.turnup) if told.turnup is not None else fixed
    if told.trump is not None and trump is not None and told.trump != trump:
        by = "the turn-up" if told.turnup is not None else told.rules.id
        was, is_ = suit_name(told.trump), suit_name(trump)
        raise PositionError(f"trump: {was} is told, but by {by} it is {is_}")


def _check_score(told: Told) -> None:
    """Raise if the game was over before this deal."""
    try:
        if told.score is not None:
            check_not_over(Standing(told.score), told.rules)
    except RecordError as error:
        raise PositionError(f"score: {str(error).partition(': ')[2]}") from None


def _missing_tricks(told: Told) -> int:
    """Return how many earlier tricks are not told, by the cards that are left."""
    size, held, count = int(told.rules.hand_size), len(told.hand), len(told.tricks)
    if told.rules.has_auction and not told.tricks and not told.trick:
        return 0  # the engine knows how many cards a hand has in an auction
    if held > size:
        raise PositionError(f"hand: {held} cards; a hand has {size}")
    played = size - held
    if count and count != played:
        raise PositionError(
            f"hand: {held} cards are left of {size} after {played} earlier tricks, but tricks tells"
            f" {count}"
        )
    if played and not count and told.rules.has_auction:
        raise PositionError(
            f"tricks: {held} cards are left of {size}; tell all {played} tricks played before"
        )
    if told.won is not None and (count or not played):
        raise PositionError("won: it is for tricks that are not told, and here none is missing")
    return played - count


# --- the public part, played through ------------------------------------------------------------


def _dealer(told: Told) -> tuple[Seat, list[str]]:
    """Return the dealer: as told, or the one whose deal leads to this seat's turn."""
    if told.dealer is not None:
        return told.dealer, []
    fitting, problems = list[Seat](), list[Forty5Error]()
    for back in range(1, told.players + 1):
        dealer = (told.seat - len(told.trick) - back) % told.players
        try:
            _checked(_rough_view(replace(told, dealer=dealer)))
            fitting.append(dealer)
        except Forty5Error as error:
            problems.append(error)
    if not fitting:  # that it is not this seat's turn says least
        raise min(problems, key=lambda error: str(error).startswith("seat:"))
    if len(fitting) == 1:
        return fitting[0], [f"seat {fitting[0]} dealt, by whose turn it is"]
    return fitting[0], [f"no dealer was told: seat {fitting[0]} is taken to have dealt"]


def _rough_view(told: Told) -> View:
    """Return the view that a text tells, as far as its public part goes; not checked yet."""
    table = StandIn(told)
    for act in (table.call, table.exchange, table.play):
        act()
    return table.view()


# --- checking -----------------------------------------------------------------------------------


def _checked(rough: View) -> View:
    """Return the view of a deal that agrees with a rough one, played again by the engine.

    Raises:
        PositionError: if there is none.
    """
    try:
        view = view_of(determinize(rough, 1)[0])
    except Forty5Error as error:
        raise PositionError(f"this cannot have come about: {_brief(error)}") from None
    if _told_words(view) == _told_words(rough) and view.hand == rough.hand:
        return view
    if rough.phase == "rob":
        raise PositionError(
            f"robbed: you had the right to rob before; tell robbed=none, or robbed={rough.observer}"
            " and thrown, the card you threw"
        )
    raise PositionError(f"what was told does not fit together: {USE_A_RECORD}")


def _told_words(view: View) -> list[int]:
    """Return the public words of a view."""
    return [int(word) for word in view._words[: layout.PUBLIC_SIZE]]


def _brief(error: Forty5Error) -> str:
    """Return the first line of what is wrong."""
    first = str(error).partition("\n")[0].rstrip(":")
    if first.startswith("no deal agrees"):
        return "no way to deal the other cards agrees with what was played"
    return first
