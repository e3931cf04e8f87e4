"""A game between people and bots, one decision at a time: played, saved, gone on with, taken back.

What is shown and typed is the command line's business (``cli.play``, ``cli.watch``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from forty5sim.cards import Action
from forty5sim.errors import Forty5Error, SaveError
from forty5sim.files import written_whole
from forty5sim.game import Game, Step
from forty5sim.named_rules import find_rules
from forty5sim.notation import action_name, parse_action
from forty5sim.records import Record, record_of
from forty5sim.registry import find_bot
from forty5sim.rules import RULES_VERSION
from forty5sim.seats import Seats

FORMAT = "forty5sim.game.v1"
PERSON = "you"
ADVISER = "heuristic"


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
    """

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.done: list[list[Action]] = []
        self.game, self.seats = terms.start()

    @property
    def waits_for_person(self) -> bool:
        """Whether a person has to act now."""
        return not self.game.deal_is_over and self.seats.is_person(self.game.seat)

    def steps_of(self, action: Action) -> Iterator[Step]:
        """Yield a person's action just before it is carried out (errors as in ``Game.push``)."""
        self.game.verify(action)
        yield Step(self.game.seat, self.game.phase, action)
        self.game.push(action)

    def bots_play(self) -> Iterator[Step]:
        """Yield the bots' actions until a person has to act (see ``Seats.play_on``)."""
        return self.seats.play_on(self.game)

    def hint(self) -> Action:
        """Return what the heuristic would do in the place of the person to act."""
        adviser = Seats([find_bot(ADVISER)] * self.game.players)
        return adviser.answer(self.game)

    def record(self) -> Record:
        """Return the record of the finished deal."""
        return record_of(self.game, self.terms.seats)

    @property
    def ends_the_game(self) -> bool:
        """Whether the deal just finished was the last of the game."""
        return not self.game.copy().next_deal()

    def next_deal(self) -> bool:
        """After a deal, deal the next one; say whether the game goes on."""
        actions = [step.action for step in self.game.log]
        if not self.game.next_deal():
            return False
        self.done.append(actions)
        return True

    def undo(self) -> bool:
        """Go back to the last decision of a person in this deal; say whether there was one."""
        actions = [step.action for step in self.game.log]
        places = [i for i, step in enumerate(self.game.log) if self._was_a_choice(i, step)]
        if not places:
            return False
        self._set_up([*self.done, actions[: places[-1]]])
        return True

    def _was_a_choice(self, place: int, step: Step) -> bool:
        """Say whether a person had a choice here: the last card of a hand is none."""
        if not self.seats.is_person(step.seat):
            return False
        mine = [s for s in self.game.log[: place + 1] if s.seat == step.seat and s.phase == "play"]
        return step.phase != "play" or len(mine) < int(self.game.rules.hand_size)

    def _set_up(self, deals: Sequence[Sequence[Action]]) -> None:
        """Begin anew and carry out these actions; the last list is the deal under way."""
        self.game, self.seats = self.terms.start()
        self.done = []
        for number, actions in enumerate(deals):
            if number:
                self.next_deal()
            for action in actions:
                self.seats.follow(self.game)
                self.game.push(action)

    # --- saved games --------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """Return what a saved game holds: the terms, and every action in words."""
        deals = [*self.done, [step.action for step in self.game.log]]
        return {
            "format": FORMAT,
            "rules_version": RULES_VERSION,
            **asdict(self.terms),
            "seats": list(self.terms.seats),
            "deals": [[action_name(action) for action in actions] for actions in deals],
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
    def load(cls, path: Path) -> Session:
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
            session = cls(terms)
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
