"""Questions to one bot, for checking it: random positions of every kind of decision.

They are a function of the games and a seed, so that the process which asks the bot (``player``)
and the one that judges its answers (``forty5sim.testing``) need not send them to each other. A bot
is asked about each position in rounds: as it is (``FIRST``), again by a new object and in reverse
order (``AGAIN``), and with the hidden cards dealt anew (``REDEALT``).
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, TextIO

from forty5sim.agent import View, as_plain, ask, begin, view_of
from forty5sim.arena.asked import NOWHERE, Place, Watch, is_from_file
from forty5sim.cards import Action
from forty5sim.errors import AgentError
from forty5sim.game import Game
from forty5sim.infoset import InformationSet
from forty5sim.kernels.asking import address_of
from forty5sim.named_rules import find_rules
from forty5sim.notation import HOLD, JINK, KEEP, PASS, action_name
from forty5sim.options import FIVE_HUNDRED
from forty5sim.registry import Bot, find_bot

FIRST, AGAIN, REDEALT = range(3)

DEALS, PATIENCE = 100, 6
"""Deals of each game and number of players in which positions are looked for, at most; and after
how many in a row without any the search is given up, but where a Joker may need a suit."""

LED = 8
"""How many decisions before a position a bot without notes is asked about, at most."""

MOST_HEARD = 60
"""Bytes of what was printed that are told."""

REDEALS = 4
"""How often hidden cards are dealt anew to find some that differ."""

OFTEN = (KEEP, JINK, HOLD)
"""Rare actions that lead to decisions of their own: taken more often than the others."""


class ExamRequest(NamedTuple):
    """What to ask a bot; answered with a list of answers for each round.

    Attributes:
        spec: the bot.
        games: specs of the games, each played at tables of every size.
        each: positions of each kind of decision, for each game and size of table.
        seed: fixes the positions.
        rounds: which rounds, in order.
    """

    spec: str
    games: tuple[str, ...]
    each: int
    seed: int
    rounds: tuple[int, ...]


class Answer(NamedTuple):
    """What a bot did about a position.

    Attributes:
        action: its answer, -1 if it gave none that is legal.
        problem: what it did instead, "" if nothing.
        seconds: how long it took.
        changed: whether it changed its view.
        printed: what it printed, at most a line.
    """

    action: Action
    problem: str
    seconds: float
    changed: bool
    printed: str


NO_QUESTION = Answer(-1, "", 0.0, False, "")
"""In place of an answer where nothing that is hidden can be dealt otherwise."""


def positions(games: Sequence[str], each: int, seed: int) -> list[Game]:
    """Return decisions met in random play, up to ``each`` of a kind for each size of table."""
    found: list[Game] = []
    for spec in games:
        for players in find_rules(spec).players:
            found += _positions_at(spec, players, each, seed)
    return found


def _positions_at(spec: str, players: int, each: int, seed: int) -> Iterator[Game]:
    rules, rng = find_rules(spec), random.Random(f"{spec} {players} {seed}")
    patience = DEALS if rules.family == FIVE_HUNDRED else PATIENCE
    count: Counter[str] = Counter()
    in_vain = 0
    for deal in range(DEALS):
        before = count.total()
        game = Game(rules, players, seed=seed, deal=deal, alone=True)
        while not game.deal_is_over:
            legal = game.legal_actions
            wanted = len(legal) > 1 and count[game.phase] < each
            if wanted and (game.phase != "play" or rng.random() < 0.3):
                count[game.phase] += 1
                yield game.copy()
            game.push(_drawn(legal, game.phase, rng))
        in_vain = 0 if count.total() > before else in_vain + 1
        if in_vain == patience:
            return


def _drawn(legal: Sequence[Action], phase: str, rng: random.Random) -> Action:
    """Return an action at random, more often one that leads to decisions which are rare."""
    rare = [action for action in legal if action in OFTEN or _is_no_trump(action, phase)]
    if rare and rng.random() < 0.4:
        return rng.choice(rare)
    if PASS in legal and rng.random() < 0.8:
        return rng.choice((PASS, legal[0]))  # low bids, for long auctions
    return rng.choice(legal)


def _is_no_trump(action: Action, phase: str) -> bool:
    """Say whether this is a bid after which the Joker may need a suit."""
    return phase == "auction" and action_name(action, phase).endswith("NT")


def redealt(game: Game, seed: int) -> Game | None:
    """Return a game that its seat to act cannot tell from this one; None if there is none."""
    worlds = InformationSet(view_of(game)).determinize(REDEALS, seed)
    for world in worlds:
        if world.hands != game.hands or world.kitty != game.kitty:
            return world
    return None


def examine(bot: Bot, request: ExamRequest, watch: Watch, output: TextIO) -> list[list[Answer]]:
    """Ask a bot about all positions, in each round; in the bot's process."""
    games = positions(request.games, request.each, request.seed)
    _compile(bot, games, watch)
    with _overheard(output) as heard:
        rounds = [_Round(bot, number, request.seed, watch, heard) for number in request.rounds]
        return [asking.ask(games) for asking in rounds]


def _compile(bot: Bot, games: Sequence[Game], watch: Watch) -> None:
    """Compile all that a compiled bot plays these games by, so that no answer waits for it."""
    asked_by_engine = find_bot("random").compiled
    if bot.compiled is None or asked_by_engine is None or not games:
        return
    as_plain(asked_by_engine).act(view_of(games[0]))
    tables = {(game.rules.id, game.players): game.rules for game in games}
    guarded = is_from_file(bot.spec)
    if guarded:
        watch.enters(Place(0, *NOWHERE))
    for (_, players), rules in tables.items():
        for part in bot.compiled.parts_in(rules, players):
            address_of(*part)
    if guarded:
        watch.leaves()


class _Round:
    """One round of questions."""

    def __init__(
        self, bot: Bot, number: int, seed: int, watch: Watch, heard: Callable[[], str]
    ) -> None:
        self.bot = bot
        self.number = number
        self.seed = seed
        self.watch = watch
        self.heard = heard
        self.keeps_notes = bot.keeps_notes or bool(bot.compiled and bot.compiled.notes)
        self.shared: Any = None

    def ask(self, games: Sequence[Game]) -> list[Answer]:
        """Return the answers in the order of the games, whatever the order of the questions."""
        answers = [NO_QUESTION] * len(games)
        order = range(len(games))
        for place in reversed(order) if self.number == AGAIN else order:
            game = games[place]
            world = redealt(game, self.seed) if self.number == REDEALT else game
            if world is not None:
                answers[place] = self._answer(place, world, view_of(game).key)
        return answers

    def _answer(self, place: int, game: Game, key: int) -> Answer:
        """Lead the bot to a position and ask it there."""
        self.where = Place(0, place, self.number, game.seat, 0)
        try:
            agent = self._agent(game, key)
            for view in self._seen_before(game):
                self._guarded(ask, agent, view)
        except AgentError as error:
            return NO_QUESTION._replace(problem=str(error), printed=self.heard())
        view = view_of(game)
        view.key = key
        return self._answer_to(agent, view)

    def _answer_to(self, agent: Any, view: View) -> Answer:
        shown, action, problem = _shown(view), -1, ""
        begun = time.perf_counter()
        try:
            action = self._guarded(ask, agent, view)
        except AgentError as error:
            problem = str(error)
        seconds = time.perf_counter() - begun
        return Answer(action, problem, seconds, _shown(view) != shown, self.heard())

    def _agent(self, game: Game, key: int) -> Any:
        """Return the object to ask: a new one for each position if it keeps notes."""
        if self.shared is not None:
            return self.shared
        agent = self._guarded(self._build)
        if not self.keeps_notes:
            self.shared = agent
        if hasattr(agent, "start"):
            self._guarded(begin, agent, game.rules, game.seat, key)
        return agent

    def _build(self) -> Any:
        compiled = self.bot.compiled
        return as_plain(compiled) if compiled else self.bot.build()

    def _seen_before(self, game: Game) -> Sequence[View]:
        """Return the views of earlier decisions: its own seat's, for a bot that keeps notes.

        Another is not to keep any. One object serves all its seats, so it is shown what the others
        saw, when hidden cards have changed: if its answer changes with them, it told its partner.
        """
        if self.keeps_notes:
            views = [view for view in _decisions(game) if view.observer == game.seat]
        elif self.number == REDEALT and not self.bot.compiled:
            views = list(_decisions(game))[-LED:]
        else:
            views = []
        for number, view in enumerate(views):
            view.key = number  # the deal's own keys tell a deal that was made up from another
        return views

    def _guarded(self, work: Callable[..., Any], *given: Any) -> Any:
        """Do what runs the bot's own code; the guard is told."""
        self.watch.enters(self.where)
        try:
            done = work(*given)
        except AgentError as error:
            self.watch.leaves(error.__cause__)
            raise
        self.watch.leaves()
        return done


def _decisions(game: Game) -> Iterator[View]:
    """Yield what was seen at each decision of a deal so far."""
    trial = Game.redealt(game, game.pack, game.restock)
    for step in game.log:
        mask = trial.legal_mask
        if mask & (mask - 1):
            yield view_of(trial)
        trial.push(step.action)


def _shown(view: View) -> tuple[Any, ...] | None:
    """Return all that a view shows, None if a bot has taken it apart."""
    try:
        masks = (view.hand.mask, view.thrown.mask, view.legal_mask, view.key, view.observer)
        return (*masks, tuple(view.legal), tuple(view._words), view.rules.id)
    except Exception:
        return None


@contextmanager
def _overheard(output: TextIO) -> Iterator[Callable[[], str]]:
    """Catch what is printed to both outputs, by Python or past it; yields what reads it."""
    with tempfile.TemporaryFile() as file:
        kept = [os.dup(number) for number in (1, 2)]
        for number in (1, 2):
            os.dup2(file.fileno(), number)
        heard = 0

        def read() -> str:
            nonlocal heard
            output.flush()
            size = os.fstat(file.fileno()).st_size
            text = b"" if size == heard else _read(file.fileno(), heard)
            heard = size
            return text.decode(errors="replace").strip() or ("white space" if text else "")

        try:
            yield read
        finally:
            for number, copy in zip((1, 2), kept, strict=True):
                with suppress(OSError):
                    os.dup2(copy, number)
                    os.close(copy)


def _read(file: int, start: int) -> bytes:
    end = os.lseek(file, 0, os.SEEK_CUR)
    os.lseek(file, start, os.SEEK_SET)
    text = os.read(file, MOST_HEARD)
    os.lseek(file, end, os.SEEK_SET)
    return text
