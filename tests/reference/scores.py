"""Points and chips, apart from the cards: who has won what after which tricks.

Counting games: pure functions of the sides that won the tricks so far.
Pot games: `PotBook`, told trick by trick who won.
"""

from collections.abc import Sequence

from tests.reference.cards import (
    JOKER,
    Options,
    ace_is_lowest,
    is_trump,
    number,
    trumps,
    word,
)


def clockwise(seats: Sequence[int], dealer: int) -> list[int]:
    """Seats from the dealer's left round to the dealer."""
    return [s for s in seats if s > dealer] + [s for s in seats if s <= dealer]


# Counting games


def best_trump(
    options: Options, trump: str, tricks: Sequence[Sequence[str]], missed: bool
) -> tuple[int, str] | None:
    """Index of the trick in which the best trump of the deal fell, and that trump."""
    for card in trumps(options, trump, missed):
        for index, cards in enumerate(tricks):
            if card in cards:
                assert is_trump(trump, card)
                return index, card
    return None


def bonus_trick(
    options: Options, trump: str, best: tuple[int, str] | None, missed: bool
) -> int | None:
    """Index of the trick that carries the bonus once all tricks are in."""
    if options["trick_scoring"] != "points" or options["bonus"] == "none":
        return None
    if options["bonus"] == "last_trick":
        return number(options, "hand_size") - 1
    if best is None:
        return None
    top = {"5" + trump, "J" + trump, "AH", JOKER}
    if trump == "H" and ace_is_lowest(options, missed):
        top.remove("AH")
    return best[0] if options["bonus_needs_top"] == "off" or best[1] in top else None


def _full_points(options: Options, side: int, won: Sequence[int], bonus: int | None) -> int:
    own = list(won).count(side)
    others = len(won) - own
    if options["trick_scoring"] == "five_ten":
        return 10 if others == 0 else 5 if own > others else 0
    if options["trick_scoring"] == "difference":
        return max(0, 5 * (own - others))
    return 5 * own + (5 if bonus is not None and won[bonus] == side else 0)


def counting_points(
    options: Options, sides: int, won: Sequence[int], bonus: int | None, jink_side: int | None
) -> list[int]:
    """Points of the deal per side; `won` is the side of each trick played."""
    if len(won) < number(options, "hand_size"):
        bonus = None  # the bonus is settled when all tricks are in (D19)
    points = [_full_points(options, side, won, bonus) for side in range(sides)]
    if jink_side is not None and list(won) == [jink_side] * number(options, "hand_size"):
        points[jink_side] *= 2
    return points


def first_from_left(candidates: Sequence[int], sides: int, dealer: int) -> int:
    """The first of these sides from the dealer's left, the dealer's side last."""
    order = clockwise(range(sides), dealer % sides)  # the dealer's side is last (D22)
    return next(side for side in order if side in candidates)


def highest(candidates: Sequence[int], totals: Sequence[int]) -> list[int]:
    """Those of these sides with the highest total."""
    best = max(totals[side] for side in candidates)
    return [side for side in candidates if totals[side] == best]


def _first_there(
    options: Options, before: Sequence[int], won: Sequence[int], bonus: int | None
) -> int | None:
    running = list(before)
    for index, side in enumerate(won):
        running[side] += 10 if index == bonus else 5
        if running[side] >= number(options, "target"):
            return side
    return None


def _break_tie(
    options: Options, totals: Sequence[int], there: list[int], first: int | None, dealer: int
) -> int | None:
    """Who wins of the sides at the target; `first` got there first, trick by trick."""
    if options["tie"] == "trick_order" and first in there:
        return first
    if options["tie"] == "highest_total":
        there = highest(there, totals)
        if len(there) > 1 and options["tie_equal"] == "play_on":
            return None
    return first_from_left(there, len(totals), dealer)


def counting_winner(
    options: Options,
    dealer: int,
    before: Sequence[int],
    won: Sequence[int],
    bonus: int | None = None,
    jink_side: int | None = None,
) -> int | None:
    """The side that has won the game after these tricks of the deal, if any."""
    sides, every = len(before), range(len(before))
    full = len(won) == number(options, "hand_size")
    bonus = bonus if full else None
    points = counting_points(options, sides, won, bonus, jink_side)
    totals = [old + new for old, new in zip(before, points, strict=True)]
    if jink_side is not None and set(won) != {jink_side}:
        others = [side for side in every if side != jink_side]
        return first_from_left(highest(others, totals), sides, dealer)
    if options["sweep"] == "wins_game" and full and len(set(won)) == 1:
        return won[0]
    there = [side for side in every if totals[side] >= number(options, "target")]
    if len(there) < 2:
        return there[0] if there else None
    first = _first_there(options, before, won, bonus)
    return _break_tie(options, totals, there, first, dealer)


def counting_stops(
    options: Options,
    dealer: int,
    before: Sequence[int],
    won: Sequence[int],
    jink_side: int | None = None,
) -> bool:
    """Does the deal end after these tricks?"""
    if len(won) == number(options, "hand_size"):
        return True
    if jink_side is not None and set(won) != {jink_side}:
        return True
    if options["stop_at_target"] == "off" or options["trick_scoring"] != "points":
        return False
    return counting_winner(options, dealer, before, won, None, jink_side) is not None


def counting_jink_window(options: Options, won: Sequence[int]) -> bool:
    """Is the leader to trick 4 asked for a jink (D21)?"""
    five = options["hand_size"] == 5
    return options["jink"] == "on" and five and len(won) == 3 and len(set(won)) == 1


# Pot games


def antes(options: Options, seats: Sequence[int], dealer: int, pot: int) -> dict[int, int]:
    """What each seat owes before the deal (D25, D39)."""
    ante, rule, cap = number(options, "ante"), word(options, "ante_rule"), options["pot_cap"]
    due = dict.fromkeys(seats, ante)
    if rule == "dealer_double":
        due[dealer] = 2 * ante
    if rule == "reduced_after_spoil":
        due = dict.fromkeys(seats, ante if pot == 0 else 1)
        due[dealer] += 1
    if rule == "none_after_spoil" and pot > 0:
        due = dict.fromkeys(seats, 0)
    if rule == "dealer_only_after_first" and pot > 0:
        due = dict.fromkeys(seats, 0)
        due[dealer] = 0 if isinstance(cap, int) and pot >= cap else ante
    return due


def jink_dues(options: Options, seats: Sequence[int], jinker: int, pot: int) -> dict[int, int]:
    """What each opponent owes a jinker beside the pot (D26, D40)."""
    opponents = [seat for seat in clockwise(seats, jinker) if seat != jinker]
    if options["jink_reward"] == "double_pot":
        share, odd = divmod(pot, len(opponents))
        return {seat: share + (1 if i < odd else 0) for i, seat in enumerate(opponents)}
    bonus = options["jink_bonus"]
    return dict.fromkeys(opponents, bonus if isinstance(bonus, int) else number(options, "ante"))


def share_out(pot: int, seats: Sequence[int], dealer: int) -> dict[int, int]:
    """A pot in equal shares, odd chips one each from the dealer's left on."""
    share, odd = divmod(pot, len(seats))
    order = clockwise(sorted(seats), dealer)
    return {seat: share + (1 if i < odd else 0) for i, seat in enumerate(order)}


class PotBook:
    """The chips of one deal; told who wins each trick and what a jinker answers."""

    def __init__(
        self, options: Options, seats: Sequence[int], dealer: int, pot: int, stacks: Sequence[int]
    ) -> None:
        self.options, self.seats = options, list(seats)
        self.before, self.stacks, self.pot = list(stacks), list(stacks), pot
        self.winners: list[int] = []
        self.barred: int | None = None
        self.jinker: int | None = None
        self.asked: int | None = None
        self.outcome: str | None = None
        for seat, due in antes(options, self.seats, dealer, pot).items():
            if due > stacks[seat] and options["unpaid"] != "all_in":
                raise ValueError(f"seat {seat} cannot pay its ante of {due}")
            self._into_pot(seat, due)

    def _into_pot(self, seat: int, due: int) -> None:
        paid = min(due, self.stacks[seat])
        self.stacks[seat] -= paid
        self.pot += paid

    def _decide(self, outcome: str, taker: int | None = None) -> None:
        self.outcome = outcome
        if outcome == "jink-made" and taker is not None:
            for seat, due in jink_dues(self.options, self.seats, taker, self.pot).items():
                self._into_pot(seat, due)
        if taker is not None:
            self.stacks[taker] += self.pot
            self.pot = 0

    def trick(self, winner: int) -> None:
        """The next trick has been won by this seat."""
        self.winners.append(winner)
        last = len(self.winners) == number(self.options, "hand_size")
        if self.outcome is not None:
            return
        if self.jinker is not None:
            if winner != self.jinker:
                self._decide("jink-failed")
            elif last:
                self._decide("jink-made", winner)
        elif self._has_enough(winner):
            if self._jink_window(winner):
                self.asked = winner
            else:
                self._decide("pot-won", winner)
        elif last:
            self._decide("spoiled")

    def _has_enough(self, winner: int) -> bool:
        enough = self.winners.count(winner) == number(self.options, "win_tricks")
        return enough and winner != self.barred

    def _jink_window(self, winner: int) -> bool:
        on, played = self.options["jink"] == "on", len(self.winners)
        return on and set(self.winners) == {winner} and played < number(self.options, "hand_size")

    def answer(self, word_said: str) -> None:
        """The seat that was asked says "jink" or "stop"."""
        assert self.asked is not None
        if word_said == "jink":
            self.jinker = self.asked
        else:
            self._decide("pot-won", self.asked)
        self.asked = None

    def stops(self) -> bool:
        """Does the deal end here?"""
        if len(self.winners) == number(self.options, "hand_size"):
            return True
        return self.outcome is not None and self.options["play_out"] == "off"

    def points(self) -> list[int]:
        """Net chips of each seat so far in this deal, antes included."""
        return [now - old for now, old in zip(self.stacks, self.before, strict=True)]
