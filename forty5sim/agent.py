"""The two kinds of agent, and what each is given to decide by.

*Plain*: any object with ``act(view) -> action``; write one in ten lines of Python::

    class MyBot:
        name, version = "my-bot", 1

        def act(self, view):
            winners = [card for card in view.legal if view.beats_trick(card)]
            return winners[0] if winners else view.legal[0]

*Compiled*: a numba function of one fixed signature (``kernels.asking``) in a
:class:`CompiledAgent`, a hundred times as fast. Both see their own seat's view only, are asked
only where they have a choice, and draw random numbers from keys of (seed, deal, seat, kind of
decision), so that nobody's draws move anybody else's.
"""

from __future__ import annotations

import random
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from forty5sim.cards import Action, CardSet, Mask, Seat
from forty5sim.errors import AgentError, ViewError, is_whole
from forty5sim.game import Game
from forty5sim.kernels import face, layout
from forty5sim.kernels.asking import CHOOSE, address_of
from forty5sim.kernels.vector import Vector
from forty5sim.notation import action_name, is_named
from forty5sim.rules import RuleSet
from forty5sim.table import Table

LONGEST_TEXT = 200
"""Characters of a bot's own words that are told of it, at most."""


class View(Table):
    """What one seat knows when it has to choose: the open table and its own cards.

    Attributes:
        observer: the seat.
        hand: the seat's own cards.
        thrown: the cards it threw.
        legal: its legal actions, ascending; at least two. In the phase ``play`` they are cards to
            play; in ``rob`` cards to throw, and ``KEEP`` where that is allowed; in ``jink``
            ``JINK`` and ``STOP``; in ``auction`` bids (numbers of ``forty5sim.bids``), ``PASS``
            and ``HOLD``; in ``discard`` cards to throw, ascending, then ``DONE``; in ``trump``,
            ``assign`` and ``name`` suits, or ``NO_SUIT`` (``forty5sim.PASS`` and so on).
    """

    def __init__(
        self,
        rules: RuleSet,
        words: Sequence[int] | Vector,
        hand: Mask,
        thrown: Mask,
        legal: Mask,
        key: int,
        observer: Seat | None = None,
    ) -> None:
        super().__init__(rules, words)
        self.observer = self.seat if observer is None else observer
        self.key = key
        self.legal_mask = legal
        self.hand = CardSet(hand)
        self.thrown = CardSet(thrown)

    @cached_property
    def legal(self) -> list[Action]:
        """The legal actions, ascending."""
        return list(CardSet(self.legal_mask))

    @cached_property
    def rng(self) -> random.Random:
        """Random numbers of this decision: the same whenever this decision is replayed."""
        return random.Random(self.key)

    def __str__(self) -> str:
        legal = ", ".join(action_name(action, self.phase) for action in self.legal)
        return f"{self._table_text()}\nhand: {self.hand}\nlegal: {legal}"


def view_of(game: Game, seat: Seat | None = None) -> View:
    """Return what a seat of a game knows now: the seat to act, or another, which has no choice.

    Raises:
        ViewError: if there is no such seat.
    """
    if seat is not None and not is_whole(seat, 0, game.players - 1):
        raise ViewError(f"{seat!r} is no seat; seats are 0..{game.players - 1}")
    acts = seat is None or seat == game.seat
    seat = game.seat if seat is None else seat
    state = game.state
    words = state.tolist()
    public = words[: layout.PUBLIC_SIZE]
    if not acts and game.asks_in_secret:
        public[layout.PHASE] = layout.PLAY
        public[layout.SEAT] = game.seat_to_play
    return View(
        game.rules,
        public,
        words[layout.HANDS + seat],
        words[layout.THROWN + seat],
        game.legal_mask if acts else 0,
        int(face.question_key(state)),
        seat,
    )


@runtime_checkable
class PlainAgent(Protocol):
    """Any object that can choose; ``name`` and ``version`` are read where they exist.

    So is ``games``, a list of the games that it is written for: ``forty5sim bot check`` asks it
    about no others.

    An agent with a method ``start(rules, seat, seed)`` may keep notes: it is built anew for each
    seat of each deal (or whole game), told where it sits, and, if it has ``finish(points)``, told
    the points of each side at the end. Without ``start`` one object serves all seats.
    """

    def act(self, view: View) -> Action:
        """Return one of ``view.legal``."""
        ...


class Part(NamedTuple):
    """A function that is called by its address, and the signature it is compiled for."""

    function: Callable[..., Any]
    contract: Any


@dataclass(frozen=True)
class CompiledAgent:
    """A bot whose ``choose`` is a kernel of the signature in ``kernels.asking``.

    Attributes:
        name: what it is called in tables.
        version: raised when its behaviour changes.
        choose: the function, decorated with ``kernels.jit.entry``.
        choose_in_auctions: the function for games with an auction, if it is another one; it is
            compiled when such a game is played, so that nobody waits for what is not played.
        params: float64 numbers that it is given.
        workspace_size: how many int64 words it may use for a seat.
        notes_size: how many of them, from the first on, are 0 when a deal begins; all if None.
        params_for: more numbers, which follow ``params``, by (rules, players, alone): ``alone``
            where a deal is played for itself, not as part of a game.
        parts_for: what it calls besides, by (rules, players); with it, nothing is compiled before
            it is needed.
        repeats: whether it chooses the same in the same position; not so with a clock.
        shows_findings: whether its workspace begins with ``kernels.findings``.
        games: the games that it is written for, for those who check it; all if None.

    Raises:
        AgentError: if ``choose`` does not compile, or does not return an int64.
    """

    name: str
    version: int
    choose: Callable[..., int]
    params: tuple[float, ...] = ()
    workspace_size: int = 0
    choose_in_auctions: Callable[..., int] | None = None
    notes_size: int | None = None
    params_for: Callable[[RuleSet, int, bool], Sequence[float]] | None = None
    parts_for: Callable[[RuleSet, int], Sequence[Part]] | None = None
    repeats: bool = True
    shows_findings: bool = False
    games: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.parts_for is None:
            self._compiled(self.choose)

    @property
    def notes(self) -> int:
        """How many words of its workspace it may trust to be 0 when a deal begins."""
        return self.workspace_size if self.notes_size is None else self.notes_size

    def function_for(self, rules: RuleSet) -> Callable[..., int]:
        """Return the function that it plays a game by."""
        own = self.choose_in_auctions if rules.has_auction else None
        return own or self.choose

    def parts_in(self, rules: RuleSet, players: int) -> list[Part]:
        """Return all that it plays by at a table of so many players."""
        more = self.parts_for(rules, players) if self.parts_for else ()
        return [Part(self.function_for(rules), CHOOSE), *more]

    def params_in(self, rules: RuleSet, players: int, alone: bool) -> tuple[float, ...]:
        """Return all the numbers that it is given at a table of so many players."""
        more = self.params_for(rules, players, alone) if self.params_for else ()
        return (*self.params, *more)

    def address_for(self, rules: RuleSet) -> int:
        """Return what kernels call it by in a game: the address of its machine code.

        Raises:
            AgentError: if the function for this game does not compile.
        """
        return self._compiled(self.function_for(rules))

    def _compiled(self, choose: Callable[..., int]) -> int:
        try:
            return address_of(choose)
        except Exception as error:
            raise AgentError(f"bot {self.name!r} does not compile: {error}") from error


Agent: TypeAlias = CompiledAgent | PlainAgent


def ask(agent: PlainAgent, view: View) -> Action:
    """Return a plain agent's answer; what it does to its view changes nothing.

    Raises:
        AgentError: if it raises or does not answer with a legal action; says what it did.
    """
    legal, phase = view.legal_mask, view.phase
    try:
        action = agent.act(view)
    except caught() as error:
        raise AgentError(told(error)) from error
    number = _whole(action)
    if number is None:
        raise AgentError(f"answered {safe_text(repr, action)}, which is no action (an int)")
    if not (0 <= number < 63 and legal >> number & 1):
        raise AgentError(f"answered {_named(number, legal, phase)}, which is not legal")
    return number


def begin(agent: Any, rules: RuleSet, seat: Seat, seed: int) -> None:
    """Tell an agent that keeps notes where it sits.

    Raises:
        AgentError: if it raises.
    """
    try:
        agent.start(rules, seat, seed)
    except caught() as error:
        raise AgentError(told(error, " in start")) from error


def caught() -> tuple[type[BaseException], ...]:
    """Return what a bot may raise and is caught: all, where Ctrl-C is left to another process."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return (BaseException,)
    return Exception, SystemExit


def told(error: BaseException, where: str = "") -> str:
    """Return what a bot raised, in one line, whatever its own code does with that."""
    return f"raised {type(error).__name__}{where}: {safe_text(str, error)}"


def _whole(answer: object) -> int | None:
    """Return the number that an answer is, by its type and not by what it says of itself."""
    if issubclass(type(answer), np.integer):
        return int(answer)  # type: ignore[call-overload, no-any-return]
    if issubclass(type(answer), int) and type(answer) is not bool:
        return int.__int__(answer)  # type: ignore[arg-type]
    return None


def safe_text(write: Callable[[Any], str], value: object) -> str:
    """Return ``write(value)`` on one line, of a length that can be read, even if it raises."""
    try:
        text = write(value)
    except caught():
        return f"<{type(value).__name__} that cannot be shown>"
    end = "…" if len(text) > LONGEST_TEXT else ""
    return "".join(c if c.isprintable() else " " for c in text[:LONGEST_TEXT]) + end


def _named(action: int, legal: Mask, phase: str) -> str:
    number = action if -(10**18) < action < 10**18 else "a huge number"
    name = repr(action_name(action, phase)) if is_named(action, phase) else number
    return f"{name} where the legal actions are " + ", ".join(
        action_name(a, phase) for a in CardSet(legal)
    )


def agent_list(agents: Sequence[CompiledAgent], rules: RuleSet) -> Vector:
    """Return what kernels take for these agents, shape (n,): addresses of machine code."""
    return np.array([agent.address_for(rules) for agent in agents], dtype=np.int64)


def params_matrix(
    agents: Sequence[CompiledAgent], rules: RuleSet, players: int, alone: bool
) -> NDArray[np.float64]:
    """Return the parameters of these agents in a game, float64, one row each."""
    rows = [agent.params_in(rules, players, alone) for agent in agents]
    matrix = np.zeros((max(1, len(agents)), max([1, *map(len, rows)])))
    for row, params in zip(matrix, rows, strict=False):
        row[: len(params)] = params
    return matrix


class AsPlain:
    """A compiled agent in the shape of a plain one: the same choices, one view at a time."""

    def __init__(self, agent: CompiledAgent) -> None:
        self.name = agent.name
        self.version = agent.version
        self._agent = agent
        self.workspace: Vector = np.zeros(max(1, agent.workspace_size), dtype=np.int64)

    def start(self, rules: RuleSet, seat: int, seed: int) -> None:
        """Begin a deal with an empty workspace."""
        self.workspace[: self._agent.notes] = 0

    def act(self, view: View) -> Action:
        """Return the compiled agent's answer."""
        public = np.asarray(view._words[: layout.PUBLIC_SIZE], dtype=np.int64)
        return int(
            face.ask_agent(
                agent_list([self._agent], view.rules),
                public,
                view.hand.mask,
                view.thrown.mask,
                view.legal_mask,
                view._rule_words,
                view.key,
                params_matrix([self._agent], view.rules, view.players, view.is_alone),
                self.workspace,
            )
        )


def as_plain(agent: CompiledAgent) -> AsPlain:
    """Return a plain agent that chooses as a compiled one does, to seat both kinds together."""
    return AsPlain(agent)
