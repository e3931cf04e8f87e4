"""One who tells a deal in words, action by action.

A ``Narrator`` that sees all tells what an onlooker behind every chair would see; one that sits on
a seat, or sees nothing but the table, tells what is public and its own doings, and nothing else.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from forty5sim.cards import (
    ACE,
    JOKER,
    NO_TRUMP,
    SUIT_SIGNS,
    SUIT_WORDS,
    Card,
    Seat,
    card_sign,
    rank_of,
)
from forty5sim.game import Game, Step
from forty5sim.narration.bidding import (
    told_assign,
    told_call,
    told_contract,
    told_discard,
    told_exposed,
    told_first_lead,
    told_history,
    told_opening,
    told_progress,
    told_settled,
    told_suit,
    told_trump,
)
from forty5sim.notation import JINK, KEEP
from forty5sim.options import COUNTING, FIVE_HUNDRED, POT
from forty5sim.reasons import (
    DISCARD,
    FOLLOW,
    LEAD,
    PLAY_JOKER,
    RENEGE,
    RUFF,
    way_of_playing,
)

TRICK_POINTS = 5
WIDTH = 79


@dataclass(frozen=True)
class Narrator:
    """One who tells what happens at a table.

    Attributes:
        sees_all: whether it tells hidden cards and decisions too.
        you: the seat of the person who is told it, if any.
    """

    sees_all: bool = False
    you: Seat | None = None

    def who(self, seat: Seat) -> str:
        """Return what a seat is called."""
        return "you" if seat == self.you else f"seat {seat}"

    def does(self, seat: Seat, verb: str) -> str:
        """Return a seat with what it does: ``you rob``, ``seat 3 robs``."""
        if seat == self.you:
            return f"you {verb}"
        return f"seat {seat} {self.verb(seat, verb)}"

    def verb(self, seat: Seat, verb: str) -> str:
        """Return a verb as it is said of a seat: ``rob`` of you, ``robs`` of others."""
        if seat == self.you:
            return verb
        return verb + ("es" if verb.endswith(("s", "sh", "ch")) else "s")

    def knows(self, seat: Seat) -> bool:
        """Say whether it may tell what only this seat knows."""
        return self.sees_all or seat == self.you

    def side(self, game: Game, side: int) -> str:
        """Return what a side is called: its seats."""
        seats = [seat for seat, s in enumerate(game.sides) if s == side]
        if len(seats) == 1:
            return self.who(seats[0])
        if self.you in seats:
            return "your side"
        return "seats " + "+".join(map(str, seats))

    def side_verb(self, game: Game, side: int, one: str, several: str) -> str:
        """Return the form of a verb that goes with what a side is called."""
        seats = [seat for seat, s in enumerate(game.sides) if s == side]
        alone = len(seats) == 1
        return several if alone == (self.you in seats) else one

    # --- before the first card ----------------------------------------------------------------

    def opening(self, game: Game) -> list[str]:
        """Return what is seen when a deal has been dealt."""
        if game.rules.has_auction:
            lines = [*told_opening(self, game), self.standing(game)]
        else:
            lines = [f"{self.does(game.dealer, 'deal')}; {self.trumps(game)}"]
        if game.rules.family == POT:
            lines.append(f"the antes are in: the pot holds {game.pot} chips")
        lines += self._close_to_winning(game)
        if self.sees_all:
            for seat in game.dealt_in:
                hand = " ".join(card_sign(card) for card in game.sorted(game.hands[seat]))
                lines.append(f"  seat {seat} holds {hand}")
        return list(_wrapped(lines))

    def trumps(self, game: Game) -> str:
        """Return what is trumps and what was turned up."""
        if game.trump is None:
            return "the Joker is turned up"
        if game.trump == NO_TRUMP:
            return "there are no trumps"
        suit = f"{SUIT_WORDS[game.trump]} {SUIT_SIGNS[game.trump]} are trumps"
        return suit if game.turnup is None else f"{card_sign(game.turnup)} is turned up, {suit}"

    def _close_to_winning(self, game: Game) -> list[str]:
        """Return which sides need no more than a trick to win the game."""
        if game.rules.family != COUNTING or game.rules.trick_scoring != "points":
            return []
        target = int(game.rules.target)
        near = [
            f"{self.side(game, side)} ({target - score} more)"
            for side, score in enumerate(game.scores)
            if 0 < target - score <= TRICK_POINTS
        ]
        return [f"one trick from {target}: {', '.join(near)}"] if near else []

    # --- an action ----------------------------------------------------------------------------

    def action(self, game: Game, step: Step) -> list[str]:
        """Return what an action looks like, told when it is about to be carried out."""
        if step.phase == "rob":
            return self._robbing(game, step)
        if step.phase == "jink":
            return self._jinking(game, step)
        if step.phase in _BIDDING:
            return _BIDDING[step.phase](self, game, step)
        return self._playing(game, step.seat, step.action)

    def _robbing(self, game: Game, step: Step) -> list[str]:
        assert game.turnup is not None
        if step.action == KEEP:
            left = f"{self.does(step.seat, 'leave')} the {card_sign(game.turnup)}"
            return [] if game.asks_in_secret and not self.knows(step.seat) else [left]
        silent = game.turnup != JOKER and game.rules.rob_announced == "silent"
        if silent and not self.knows(step.seat):
            return []
        thrown = f" for {card_sign(step.action)}" if self.knows(step.seat) else " for a card"
        verb = "take" if game.turnup == JOKER else "rob"
        what = "the Joker" if game.turnup == JOKER else f"the {card_sign(game.turnup)}"
        return [f"{self.does(step.seat, verb)} {what}{thrown}{self._right(game)}"]

    def _right(self, game: Game) -> str:
        """Return by what right the turn-up is taken."""
        if game.turnup is None or game.turnup == JOKER or game.trump is None:
            return ""
        if rank_of(game.turnup) == ACE:
            return " (the dealer, for an ace is turned up)"
        return f" (by the ace of {SUIT_WORDS[game.trump]})"

    def _jinking(self, game: Game, step: Step) -> list[str]:
        pot = game.rules.family == POT
        if step.action == JINK:
            stake = "or the pot stays" if pot else "or the game is lost"
            return [f"{self.does(step.seat, 'jink')}: all the tricks, {stake}"]
        stops = "stop and take the pot" if pot else "do not jink"
        if step.seat == self.you:
            return [f"you {stops}"]
        return [f"seat {step.seat} " + ("stops and takes the pot" if pot else "does not jink")]

    def _playing(self, game: Game, seat: Seat, card: Card) -> list[str]:
        way = way_of_playing(game, game.hands[seat], card)
        name = card_sign(card)
        if way == LEAD:
            return [f"{self.does(seat, 'lead')} {name}"]
        if not self.sees_all and way == RENEGE:
            way = DISCARD  # what is kept back is seen by nobody else
        if way == PLAY_JOKER:
            return [f"{self.does(seat, 'play')} the Joker, now winning"]
        verb = {FOLLOW: "follow", RUFF: "ruff", DISCARD: "throw", RENEGE: "throw"}[way]
        line = f"{self.does(seat, verb)} {name}" if verb == "throw" else (
            f"{self.does(seat, verb)} with {name}")  # fmt: skip
        if way == RENEGE:
            line += f" and {self._reneging(game, seat)}"
        if game.beats_trick(card):
            line += ", now winning"
        return [line]

    def _reneging(self, game: Game, seat: Seat) -> str:
        """Return which trumps are kept back, and why they may be."""
        assert game.led is not None
        trumps = [card for card in game.hands[seat] if game.is_trump(card)]
        kept = " and ".join(card_sign(card) for card in game.sorted(trumps))
        reason = {
            "highest_so_far": "higher than every trump of the trick",
            "expires_in_deal": "higher, and nothing above it has fallen",
            "single_unconditional": "its only trump",
        }.get(game.rules.renege, "which is lower")
        return f"reneges the {kept}: {card_sign(game.led)} was led, {reason}"

    def contract(self, game: Game) -> list[str]:
        """Return what an auction that is just over leads to before the next action."""
        return told_settled(self, game)

    # --- after a trick, after a deal ----------------------------------------------------------

    def trick_won(self, game: Game) -> list[str]:
        """Return who has won the trick just finished, and who is about to win the deal."""
        trick = game.history[-1]
        assert trick.winner is not None
        card = game.played_to(trick)[trick.winner]
        lines = [
            f"{self.does(trick.winner, 'win')} trick {len(game.history)} with {card_sign(card)}"
        ]
        lines += told_exposed(self, game)
        if not game.deal_is_over:
            lines[0] += f"; tricks: {self.tricks(game)}"
            lines += self._about_to_win(game, trick.winner)
        return lines

    def _about_to_win(self, game: Game, winner: Seat) -> list[str]:
        if game.jinker is not None:
            return [f"{self.does(game.jinker, 'need')} every trick for the jink"]
        if game.rules.family == POT:
            if game.rules.rob_missed == "barred":
                return []  # whoever let a rob pass in secret may be barred
            if game.tricks[winner] == int(game.rules.win_tricks) - 1:
                return [f"one more trick and {self.does(winner, 'win')} the pot of {game.pot}"]
            return []
        if game.rules.has_auction:
            return told_progress(self, game)
        return self._may_reach_target(game, winner)

    def _may_reach_target(self, game: Game, winner: Seat) -> list[str]:
        """Say when the tricks of the side that won the last one come near the target."""
        if game.rules.trick_scoring != "points":
            return []
        side, target = game.sides[winner], int(game.rules.target)
        won = sum(t for t, s in zip(game.tricks, game.sides, strict=True) if s == side)
        total = game.scores[side] + TRICK_POINTS * won
        name = self.side(game, side)
        if total >= target > total - TRICK_POINTS:
            return [f"{name}: {total} with this trick, enough for {target}"]
        if target - TRICK_POINTS <= total < target:
            return [f"{name}: {total} with this trick, one more is enough for {target}"]
        return []

    def tricks(self, game: Game) -> str:
        """Return the tricks of each seat, or in games with a contract of each side."""
        if not game.rules.has_auction:
            return self.counts(game, game.tricks)
        won = [0] * len(game.scores)
        for seat, number in enumerate(game.tricks):
            won[game.sides[seat]] += number
        return ", ".join(f"{self.side(game, side)} {number}" for side, number in enumerate(won))

    def counts(self, game: Game, numbers: Sequence[int]) -> str:
        """Return a number for each seat that plays."""
        return ", ".join(f"{self.who(seat)} {numbers[seat]}" for seat in game.playing)

    def standing(self, game: Game) -> str:
        """Return the scores, or pot and chips."""
        if game.rules.family == POT:
            return f"pot {game.pot}; chips: {self.counts(game, game.scores)}"
        scores = [f"{self.side(game, side)} {score}" for side, score in enumerate(game.scores)]
        limit = "" if game.rules.game_deals != "off" else f" (of {game.rules.target})"
        history = told_history(self, game) if game.rules.has_auction else ""
        return f"score: {', '.join(scores)}{limit}{'; ' if history else ''}{history}"

    def ending(self, game: Game) -> list[str]:
        """Return what came of a finished deal."""
        lines = _OUTCOMES[game.outcome](self, game)
        if game.rules.family != POT:
            points = [f"{self.side(game, s)} {p}" for s, p in enumerate(game.points)]
            lines.append(f"points: {', '.join(points)}{self._best_trump(game)}")
        lines.append(self.standing(game))
        if game.winner is not None:
            lines.append(f"{self.side(game, game.winner)} {self._wins_game(game)}")
        return list(_wrapped(lines))

    def _best_trump(self, game: Game) -> str:
        """Return whose trump was the best of a deal that pays for it."""
        rules, best = game.rules, game.best_trump
        if rules.family == FIVE_HUNDRED:
            return ""
        played_out = len(game.history) == rules.hand_size
        if best is None or not played_out or rules.bonus != "best_trump":
            return ""
        if rules.trick_scoring != "points" or rules.bonus_needs_top == "on":
            return ""
        seat, card = best
        return f" (best trump: {card_sign(card)} by {self.who(seat)})"

    def _wins_game(self, game: Game) -> str:
        assert game.winner is not None
        return self.side_verb(game, game.winner, "wins the game", "win the game")

    def game_over(self, game: Game) -> list[str]:
        """Return who has won a finished pot game; of other games ``ending`` has told it."""
        if game.rules.family != POT:
            return []
        names = " and ".join(self.who(seat) for seat in game.winners)
        several = len(game.winners) > 1 or game.winners == [self.you]
        share = ", level on chips" if len(game.winners) > 1 else ""
        verb = "win" if several else "wins"
        return [f"the game is over: {names} {verb}{share}", self.standing(game)]

    # --- a whole deal ---------------------------------------------------------------------------

    def tell(self, game: Game, steps: Iterable[Step]) -> Iterator[str]:
        """Yield what happens, line by line, while the steps of a deal are carried out.

        ``steps`` yields each action just before it is carried out, as ``Seats.play_on`` does. It
        may end before the deal does, and be gone on with by another call.
        """
        told, moved, calling = len(game.history), False, game.phase == "auction"
        for step in steps:
            moved = True
            if calling and step.phase != "auction":
                yield from _indented(self.contract(game))
                calling = False
            if len(game.history) > told:
                yield from _indented(self.trick_won(game))
                told = len(game.history)
            if step.phase == "play" and not game.trick:
                if told == 0:
                    yield from told_first_lead(self, game)
                yield f"trick {told + 1}"
            yield from _indented(self.action(game, step))
        if calling and moved:
            yield from _indented(self.contract(game))
        if len(game.history) > told:
            yield from _indented(self.trick_won(game))
        if moved and game.deal_is_over:
            yield from self.ending(game)


_BIDDING = {
    "auction": told_call,
    "trump": told_trump,
    "discard": told_discard,
    "assign": told_assign,
    "name": told_suit,
}


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return _wrapped("  " + line for line in lines)


def _wrapped(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of text in as many lines as it takes."""
    for line in lines:
        yield from textwrap.wrap(line, WIDTH, subsequent_indent="    ")


def _scored(narrator: Narrator, game: Game) -> list[str]:
    return told_contract(narrator, game) if game.rules.has_auction else []


def _spoiled(narrator: Narrator, game: Game) -> list[str]:
    return [f"nobody wins {game.rules.win_tricks} tricks: the deal is spoiled, the pot stays"]


def _pot_won(narrator: Narrator, game: Game) -> list[str]:
    winner = max(game.playing, key=lambda seat: game.points[seat])
    up = game.points[winner]
    return [f"{narrator.does(winner, 'win')} the pot: {up} chips up in this deal"]


def _jink_made(narrator: Narrator, game: Game) -> list[str]:
    assert game.jinker is not None
    return [f"{narrator.does(game.jinker, 'make')} the jink: all the tricks"]


def _jink_failed(narrator: Narrator, game: Game) -> list[str]:
    assert game.jinker is not None
    return [f"{narrator.does(game.jinker, 'fail')} in the jink"]


_OUTCOMES = {
    "scored": _scored,
    "spoiled": _spoiled,
    "pot-won": _pot_won,
    "jink-made": _jink_made,
    "jink-failed": _jink_failed,
    "made": told_contract,
    "set": told_contract,
    "thrown-in": told_contract,
}
