"""``forty5sim odds HAND --trump SUIT``: what a hand is worth, what to throw, what to name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from forty5sim.cli.answers import print_json
from forty5sim.cli.common import announce_odds_compiling, console, say
from forty5sim.cli.completing import game_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from forty5sim.cards import Card
    from forty5sim.evaluation.values import HandValues
    from forty5sim.rules import RuleSet

Option = typer.Option
BAR = 20
PLAYOUTS = 20_000
HALF_WIDTH = 1.96  # of a 95 % interval, in standard errors
TAIL = 0.025  # beyond it on either side
Line = tuple[str, "Sequence[float]", "Sequence[float]"]  # what it is, its numbers, their errors


def command(
    hand: Annotated[str, typer.Argument(help='five cards, as "5H JH AH KD 2S"')],
    trump: Annotated[
        str | None, Option(help="the trump suit: S, C, D or H  [default: the turn-up's]")
    ] = None,
    players: Annotated[
        int | None, Option(help="at the table  [default: 2, which is exact, if it can be]")
    ] = None,
    game: Annotated[
        str, Option(help="the game, with house rules: spoil-five:ante=2", autocompletion=game_names)
    ] = "forty-five",
    turn_up: Annotated[
        str | None, Option(help="the card turned up; then others may rob  [default: none]")
    ] = None,
    compare: Annotated[
        bool,
        Option("--compare", help="rank what to throw for --turn-up; without it, the trump suits"),
    ] = False,
    policy: Annotated[
        str | None, Option(help="the bot that plays for all  [default: two: exact; heuristic]")
    ] = None,
    playouts: Annotated[
        int | None, Option(help="deals for each line, where it is not exact  [default: 20000]")
    ] = None,
    seed: Annotated[int, Option(help="fixes the deals")] = 45,
    as_json: Annotated[bool, Option("--json", help="print for a machine")] = False,
) -> None:
    """Print what a hand is worth: tricks, the chances of three or more and of all five."""
    from forty5sim.named_rules import find_rules

    rules = find_rules(game)
    seats = (2 if 2 in rules.players else rules.default_players) if players is None else players
    exact = policy is None and seats == 2 and (compare or turn_up is None)
    _check_options(exact, compare, trump, playouts)
    announce_odds_compiling(exact=exact)
    asked = _Asked(hand, rules, seats, policy, PLAYOUTS if playouts is None else playouts, seed)
    if compare and turn_up is not None:
        parts = _throws(asked, turn_up)
    elif compare:
        parts = _trumps(asked)
    else:
        parts = _worth(asked, trump, turn_up)
    if as_json:
        rows = [row for part in parts for row in _rows(part)]
        print_json("odds", rows, hand=hand, game=rules.id, players=seats, exact=exact)
        return
    for part in parts:
        say(part.heading)
        _print(part.lines, part.values)


def _check_options(exact: bool, compare: bool, trump: str | None, playouts: int | None) -> None:
    """Raise if an option was given that would do nothing."""
    from forty5sim.errors import RunError

    if compare and trump is not None:
        raise RunError("--compare goes through the trumps itself: leave out --trump")
    if exact and playouts is not None:
        raise RunError("two players are counted exactly: --playouts is for more, or a --policy")


class _Asked:
    """What all lines have in common."""

    def __init__(
        self,
        hand: str,
        rules: RuleSet,
        players: int,
        policy: str | None,
        playouts: int,
        seed: int,
    ) -> None:
        self.hand = hand
        self.rules = rules
        self.players = players
        self.policy = policy
        self.playouts = playouts
        self.seed = seed

    def values(
        self,
        trump: str | int,
        *,
        hand: str | None = None,
        lead: str = "both",
        turn_up: Card | None = None,
        dead: Sequence[Card] = (),
        paired: bool = False,
    ) -> HandValues:
        """Return what the hand, or another, is worth."""
        from forty5sim.evaluation.values import evaluate

        return evaluate(
            self.hand if hand is None else hand,
            trump,
            self.players,
            self.rules,
            lead=lead,
            policy=self.policy,
            playouts=self.playouts,
            seed=self.seed,
            turn_up=turn_up,
            dead=dead,
            paired=paired,
        )


PLACES = {"leader": "leading", "others": "not leading"}


class _Part(NamedTuple):
    """Lines that belong together, and what they rest on."""

    heading: str
    lines: list[Line]
    values: HandValues


def _worth(asked: _Asked, trump: str | None, turn_up: str | None) -> Iterator[_Part]:
    """Yield what the hand is worth, leading and not."""
    from forty5sim.cards import card_sign, parse_card, parse_suit, suit_of
    from forty5sim.errors import RuleSetError

    turned = None if turn_up is None else parse_card(turn_up)
    if trump is not None:
        suit = parse_suit(trump)
    elif turned is not None:
        suit = suit_of(turned)
    else:
        raise RuleSetError("which suit is trumps? --trump S, C, D or H, or --compare all four")
    values = asked.values(suit, turn_up=turned)
    more = "" if turned is None else f", {card_sign(turned)} turned up"
    yield _Part(_heading(asked, values) + more, _lines(values, PLACES), values)


def _trumps(asked: _Asked) -> Iterator[_Part]:
    """Yield what the hand is worth with each suit as trumps, the best first."""
    from forty5sim.cards import SUIT_SIGNS, trump_word

    for lead in ("eldest", "others"):
        found = [asked.values(suit, lead=lead, paired=True) for suit in range(4)]
        rows = [
            (f"{SUIT_SIGNS[suit]} {trump_word(suit)}", v.values[0, 0], v.errors[0, 0])
            for suit, v in enumerate(found)
        ]
        heading = f"{_heading(asked, found[0], trump=False)}: trumps to name, {_place(found[0])}"
        yield _Part(heading, sorted(rows, key=_rank, reverse=True), found[0])


def _throws(asked: _Asked, turn_up: str) -> Iterator[_Part]:
    """Yield what robbing is worth with each card thrown, and keeping the hand, the best first."""
    from forty5sim.cards import CardSet, card_name, card_sign, parse_card, suit_of
    from forty5sim.errors import NotationError
    from forty5sim.evaluation.values import read_hands
    from forty5sim.ranking import trump_ace

    turned = parse_card(turn_up)
    trump = suit_of(turned)
    held = CardSet(int(read_hands(asked.hand, asked.rules, 1 << turned)[0]))
    ace = trump_ace(trump)
    if turned != ace and ace not in held:
        raise NotationError(f"hand {str(held)!r} cannot rob: it has no {card_name(ace)}")
    for lead in ("others",) if turned == ace else ("eldest", "others"):
        kept = asked.values(trump, lead=lead, dead=[turned], paired=True)
        rows = [("keep the hand", kept.values[0, 0], kept.errors[0, 0])]
        for card in held:
            after = str(CardSet(held.mask ^ 1 << card | 1 << turned))
            found = asked.values(trump, hand=after, lead=lead, dead=[card], paired=True)
            rows.append((f"throw {card_sign(card)}", found.values[0, 0], found.errors[0, 0]))
        heading = f"{_heading(asked, kept)}, {card_sign(turned)} turned up: robbing, {_place(kept)}"
        yield _Part(heading, sorted(rows, key=_rank, reverse=True), kept)


def _place(values: HandValues) -> str:
    return PLACES[values.places[0]]


def _rank(row: Line) -> tuple[float, float]:
    """Return what lines are ranked by: the chance of three or more, then tricks."""
    return float(row[1][1]), float(row[1][0])


def _heading(asked: _Asked, values: HandValues, *, trump: bool = True) -> str:
    from forty5sim.cards import CardSet, card_sign, trump_word

    cards = " ".join(card_sign(card) for card in CardSet(int(values.hands[0])))
    named = f", {trump_word(values.trump)} trumps" if trump else ""
    return f"{cards}{named}, {asked.players} players ({asked.rules.id})"


def _lines(values: HandValues, names: dict[str, str]) -> list[Line]:
    return [
        (names[place], values.values[0, k], values.errors[0, k])
        for k, place in enumerate(values.places)
    ]


def _rows(part: _Part) -> Iterator[dict[str, Any]]:
    """Yield a record for each number of each line."""
    n = part.values.n
    chances = (("tricks", False), ("three_or_more", True), ("all_five", True))
    for line, numbers, errors in part.lines:
        for (quantity, is_chance), value, error in zip(chances, numbers, errors, strict=True):
            half_width = HALF_WIDTH * error
            if is_chance and not error and not part.values.is_exact:
                half_width = 1 - _bound(n)
            yield {
                "heading": part.heading,
                "line": line,
                "quantity": quantity,
                "value": value,
                "value_ci": half_width,
                "n": n,
            }


def _print(rows: Sequence[Line], values: HandValues) -> None:
    """Print lines as a table with bars, and below it what the numbers rest on."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for head in ("", "tricks", "3 or more", "", "all five"):
        table.add_column(head, justify="left" if head == "" else "right", no_wrap=True)
    for name, numbers, errors in rows:
        table.add_row(
            Text(name, style="red" if "♥" in name or "♦" in name else ""),
            _number(numbers[0], errors[0], 1, ".2f" if errors[0] else ".4f"),
            _chance(numbers[1], errors[1], values),
            Text("█" * round(BAR * numbers[1]), style="green"),
            _chance(numbers[2], errors[2], values),
        )
    console().print(table)
    if values.is_exact:
        say(f"exact: all {values.n:,} other hands, perfect play of both, all cards seen")
    else:
        say(
            f"n = {values.n:,} deals a line, played by {values.policy}; tricks of the hand's own"
            " seat, ± is a 95 % interval"
        )


def _chance(value: float, error: float, values: HandValues) -> str:
    """Return a chance in per cent; one never or always seen in a sample by its exact bound."""
    if error or values.is_exact:
        return _number(value, error, 100, ".1f" if error else ".3f", "%")
    bound = 100 * _bound(values.n)
    return f"over {bound:.2f}%" if value > 0.5 else f"under {100 - bound:.2f}%"


def _bound(n: int) -> float:
    """Return the least chance of what was seen n times of n: Clopper and Pearson's bound."""
    return float(TAIL ** (1 / n))


def _number(value: float, error: float, scale: int, form: str, sign: str = "") -> str:
    """Return a number with the half width of its interval."""
    text = f"{scale * value:{form}}{sign}"
    return f"{text} ± {HALF_WIDTH * scale * error:{form}}" if error else text
