"""A game between people and bots, one decision at a time: played, saved, gone on with, taken back.

What is shown and typed is the command line's business (``cli.play``, ``cli.watch``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from forty5sim.agent import view_of
from forty5sim.analysis import Analysis, analyse
from forty5sim.cards import Action
from forty5sim.errors import Forty5Error, SaveError
from forty5sim.files import written_whole
from forty5sim.game import Game, Step
from forty5sim.named_rules import find_rules
from forty5sim.notation import DONE, action_name, parse_action
from forty5sim.records import Record, record_of
from forty5sim.registry import Bot, find_bot
from forty5sim.rules import RULES_VERSION
from forty5sim.seats import Seats
from forty5sim.strengths import strongest

FORMAT = "forty5sim.game.v1"
PERSON = "you"


@dataclass(frozen=True)
class Terms:
    """What fixes a game: the rules, who sits where, the cards.

    Attributes:
        game: the spec of the rules.
        seats: the bot of each seat; ``you`` is a person.
        seed: fixes the cards, the first dealer and the bots' chances.
        practice: whether moves may be taken back.
        dealer: the first dealer; by the rules if None.
    """

    game: str
    seats: tuple[str, ...]
    seed: int
    practice: bool = False
    dealer: int | None = None

    def start(self) -> tuple[Game, Seats]:
        """Return the game at its start, and its bots (errors as in Game and find_bot)."""
        bots = [None if spec == PERSON else find_bot(spec) for spec in self.seats]
        rules = find_rules(self.game)
        game = Game(rules, len(self.seats), seed=self.seed, dealer=self.dealer)
        return game, Seats(bots)


class Session:
    """A game under way.

    Attributes:
        terms: what fixes it.
        game: where it stands.
        done: the actions of the deals before this one, a list for each deal.
        choices: the places in this deal's log where a person chose; an exchange is one choice.
    """

    done: list[list[Step]]
    choices: list[int]

    def __init__(self, terms: Terms, adviser: str | None = None) -> None:
        self.terms = terms
        self._adviser = adviser
        self._set_up([[]])

    @property
    def waits_for_person(self) -> bool:
        """Whether a person has to act now."""
        return not self.game.deal_is_over and self.seats.is_person(self.game.seat)

    def steps_of(self, actions: Sequence[Action]) -> Iterator[Step]:
        """Yield each of a person's actions just before it is carried out.

        Errors as in ``Game.push``; ``check`` tells beforehand whether there would be one.
        """
        for action in actions:
            self.game.verify(action)
            yield Step(self.game.seat, self.game.phase, action)
            self._note_choice()
            self.game.push(action)

    @property
    def asks(self) -> bool:
        """Whether a person to act is asked: for every card but the last, else for a choice."""
        game, mask = self.game, self.game.legal_mask
        if game.phase == "play":
            return len(game.hands[game.seat]) > 1
        return bool(mask & (mask - 1))

    def _note_choice(self) -> None:
        """Note the place of a choice that a person is about to make."""
        game = self.game
        begun = game.phase == "discard" and game.discarded[game.seat] > 0
        if self.seats.is_person(game.seat) and self.asks and not begun:
            self.choices.append(len(game.log))

    def check(self, actions: Sequence[Action]) -> None:
        """Raise unless these actions may be carried out one after another; nothing is changed.

        Raises:
            IllegalActionError: with the reason and what would be legal.
        """
        game = self.game.copy()
        for action in actions:
            game.push(action)

    def bots_play(self) -> Iterator[Step]:
        """Yield the bots' actions until a person has to act (see ``Seats.play_on``)."""
        return self.seats.play_on(self.game)

    @property
    def adviser(self) -> Bot:
        """The bot that hints come from: the one asked for, or the strongest measured one."""
        rules, players = self.game.rules, self.game.players
        return find_bot(self._adviser or strongest(rules, players).spec)

    def hint(self) -> tuple[list[Action], Analysis | None]:
        """Return what the adviser would do in the place of the person to act, and why.

        One action, or in the exchange all the cards it would throw and ``DONE``. The analysis is
        of the first action; there is none where there is no choice, or the adviser does not search.
        """
        bot = self.adviser
        game, advice = self.game.copy(), list[Action]()
        found = None
        while not advice or (game.phase == "discard" and advice[-1] != DONE):
            if advice:
                game.push(advice[-1])
            action, analysis = _advice(bot, game)
            advice.append(action)
            found = found or analysis
        return advice, found

    def record(self) -> Record:
        """Return the record of the finished deal."""
        return record_of(self.game, self.terms.seats)

    @property
    def ends_the_game(self) -> bool:
        """Whether the deal just finished was the last of the game."""
        return not self.game.copy().next_deal()

    def next_deal(self) -> bool:
        """After a deal, deal the next one; say whether the game goes on."""
        steps = list(self.game.log)
        if not self.game.next_deal():
            return False
        self.done.append(steps)
        self.choices = []
        return True

    def undo(self) -> bool:
        """Go back to the last choice of a person in this deal; say whether there was one."""
        if not self.choices:
            return False
        kept = self.game.log[: self.choices[-1]]
        self._set_up([[step.action for step in steps] for steps in [*self.done, kept]])
        return True

    def _set_up(self, deals: Sequence[Sequence[Action]]) -> None:
        """Begin anew and carry out these actions; the last list is the deal under way."""
        self.game, self.seats = self.terms.start()
        self.done = []
        self.choices = []
        for number, actions in enumerate(deals):
            if number:
                self.next_deal()
            for action in actions:
                self.seats.follow(self.game)
                self._note_choice()
                self.game.push(action)

    # --- saved games --------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """Return what a saved game holds: the terms, and every action in words."""
        deals = [*self.done, self.game.log]
        return {
            "format": FORMAT,
            "rules_version": RULES_VERSION,
            **asdict(self.terms),
            "seats": list(self.terms.seats),
            "deals": [[action_name(s.action, s.phase) for s in steps] for steps in deals],
        }

    def save(self, path: Path) -> None:
        """Write the game to a file, whole or not at all.

        Raises:
            SaveError: if it cannot be written.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with written_whole(path) as temporary:
                temporary.write_text(json.dumps(self.as_dict(), indent=1) + "\n", encoding="utf-8")
        except OSError as error:
            raise SaveError(f"cannot save the game to {str(path)!r}: {error.strerror}") from None

    @classmethod
    def load(cls, path: Path, adviser: str | None = None) -> Session:
        """Return the game that was saved in a file.

        Raises:
            SaveError: if the file cannot be read, or holds no game that can be gone on with.
        """
        saved = _saved(path)
        try:
            terms = Terms(
                game=saved["game"],
                seats=tuple(saved["seats"]),
                seed=saved["seed"],
                practice=bool(saved["practice"]),
                dealer=saved["dealer"],
            )
            session = cls(terms, adviser)
            session._set_up([[parse_action(a) for a in actions] for actions in saved["deals"]])
        except (KeyError, TypeError, AttributeError) as error:
            raise SaveError(f"{str(path)!r} holds no saved game: {error!r}") from None
        except Forty5Error as error:
            raise SaveError(f"the game in {str(path)!r} cannot be gone on with: {error}") from None
        return session


def _saved(path: Path) -> dict[str, Any]:
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SaveError(f"cannot read {str(path)!r}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SaveError(f"{str(path)!r} holds no saved game: {error}") from None
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise SaveError(f"{str(path)!r} holds no saved game: it has no format {FORMAT!r}")
    if saved.get("rules_version") != RULES_VERSION:
        raise SaveError(
            f"the game in {str(path)!r} was played under version {saved.get('rules_version')!r} of"
            f" the rules; this is version {RULES_VERSION}"
        )
    return saved


def _advice(bot: Bot, game: Game) -> tuple[Action, Analysis | None]:
    """Return what a bot would do, and what its search found, if it searches."""
    view = view_of(game)
    if bot.compiled and bot.compiled.shows_findings and len(view.legal) > 1:
        found = analyse(view, bot.compiled)
        return found.choice, found
    return Seats([bot] * game.players).answer(game), None
