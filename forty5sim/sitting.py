"""A person's place at a table: what is asked, refused and told there, in words.

The line dialogue (``cli.dialogue``) and the full-screen table (``screen``) are two ways of showing
it; a game itself is a ``Session``.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from forty5sim.agent import View, view_of
from forty5sim.analysis import CHANCE, Analysis, Finding
from forty5sim.bids import ladder
from forty5sim.cards import Action, Card, card_sign
from forty5sim.errors import SaveError
from forty5sim.game import Game, Step
from forty5sim.narration import Narrator, auction_table, contract_sign
from forty5sim.notation import CARD_PHASES, HOLD, KEEP, action_sign, is_card, is_word
from forty5sim.options import AUCTION, POT
from forty5sim.reasons import why_not
from forty5sim.records import RecordWriter
from forty5sim.registry import spec_label
from forty5sim.session import PERSON, Session

NORMAL_95 = 1.96  # standard errors of a 95 % interval
MOST_BIDS = 8  # shown of those that may be made
NOTHING_TO_DECIDE = "the deal is over"


@dataclass(frozen=True)
class GameFiles:
    """Where a game is saved, and where the records of its finished deals go."""

    saved: Path
    records: Path

    @classmethod
    def new(cls, folder: Path, name: str) -> GameFiles:
        """Return files of this name that are not there yet, in a folder that can be written.

        Raises:
            SaveError: if it cannot.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise SaveError(f"cannot keep games in {str(folder)!r}: {error.strerror}") from None
        number = 1
        while True:
            stem = name if number == 1 else f"{name}-{number}"
            files = cls(folder / f"{stem}.json", folder / f"{stem}.jsonl")
            if not files.saved.exists() and not files.records.exists():
                return files
            number += 1

    @classmethod
    def of_saved(cls, saved: Path) -> GameFiles:
        """Return the files of a game that was saved."""
        return cls(saved, saved.with_suffix(".jsonl"))


class Sitting:
    """A person at a table.

    Attributes:
        session: the game.
        files: where it is saved and recorded.
        narrator: tells what happens, as this person sees it.
    """

    def __init__(self, session: Session, files: GameFiles) -> None:
        self.session = session
        self.files = files
        self.narrator = Narrator(you=session.terms.seats.index(PERSON))

    # --- the game goes on -----------------------------------------------------------------------

    def greeting(self) -> list[str]:
        """Return who plays what with whom."""
        terms = self.session.terms
        others = [
            f"seat {seat}: {spec_label(spec)}"
            for seat, spec in enumerate(terms.seats)
            if seat != self.narrator.you
        ]
        practice = ", practice" if terms.practice else ""
        return [
            f"{self.session.game.rules.id}, seed {terms.seed}{practice}",
            f"you sit on seat {self.narrator.you}; {', '.join(others)}",
        ]

    def opening(self) -> list[str]:
        """Return how a deal begins."""
        game = self.session.game
        return [f"deal {game.deal_number + 1}", *self.narrator.opening(game)]

    def play_on(self, actions: Sequence[Action] = ()) -> Iterator[Step]:
        """Yield each step just before it is carried out, until the person is asked.

        First come these actions of the person; then the bots', and those of the person that can
        only be so. Ends when the person has to decide or the deal is over (errors as in
        ``Session.bots_play``).
        """
        session = self.session
        yield from session.steps_of(actions)
        while True:
            yield from session.bots_play()
            if session.game.deal_is_over or session.asks:
                return
            yield from session.steps_of(session.game.legal_actions)

    def record_deal(self) -> None:
        """Write the record of the deal that is just over."""
        with RecordWriter(self.files.records) as writer:
            writer.write(self.session.record())

    def end_game(self) -> list[str]:
        """End the game after its last deal; return who has won, and where it is recorded."""
        self.session.next_deal()
        self.files.saved.unlink(missing_ok=True)
        return [
            *self.narrator.game_over(self.session.game),
            f"the deals are recorded in {self.files.records}",
        ]

    # --- a decision -----------------------------------------------------------------------------

    def question(self) -> str:
        """Return what is asked."""
        game = self.session.game
        if game.phase == "jink":
            stop = "stop and take the pot" if game.rules.family == POT else "stop"
            return f"jink, or {stop}?"
        if game.phase == "play":
            return "your lead" if game.led is None else "your card"
        if game.phase == "rob":
            keep = "" if KEEP not in game.legal_actions else ", or keep"
            assert game.turnup is not None
            return f"rob the {card_sign(game.turnup)}: throw which card{keep}?"
        if game.phase == "discard":
            return f"throw {self.how_many()}"
        return {
            "auction": f"your call ({self.choices(view_of(game))})",
            "trump": "name trumps",
            "assign": "give the Joker a suit, or none",
            "name": "which suit is to be followed?",
        }[game.phase]

    def how_many(self) -> str:
        """Return how many cards may be thrown."""
        least, most = self.session.game.discard_limits
        if least == most:
            return f"{least} cards"
        return f"up to {most} cards, or none" if least == 0 else f"{least} to {most} cards"

    def refusal(self, actions: Sequence[Action]) -> str:
        """Return why the person may not do this, and what may be done; nothing if it may."""
        view = view_of(self.session.game)
        phase, action = view.phase, actions[0]
        missing = [card for card in actions if is_card(card, phase) and card not in view.hand]
        if missing:
            what = " ".join(map(card_sign, missing))
            return f"you do not hold {what}; your hand is {self.hand(view)}"
        if phase == "discard":
            least, most = self.session.game.discard_limits
            count = len(actions) - 1
            return "" if least <= count <= most else f"throw {self.how_many()}, not {count}"
        if view.legal_mask >> action & 1:
            return ""
        what = action_sign(action, phase)
        if phase in ("play", "jink") and is_word(action) == (phase == "play"):
            return f"{what} is no answer here: {self.question()}"
        reason = self._no_call_here(view, action) or why_not(
            view, view.hand, view.legal_mask, action
        )
        return f"not {what}: {reason}. You may choose of {self.choices(view)}"

    def _no_call_here(self, view: View, action: Action) -> str:
        """Return that this game does not know a call at all; nothing if it does."""
        if view.phase != "auction":
            return ""
        if action == HOLD:
            holds = view.rules.family == AUCTION and view.rules.dealer_hold == "on"
            return "" if holds else "nobody may hold in this game"
        known = is_word(action) or action in ladder(view.rules)
        return "" if known else "this game has no such bid"

    def choices(self, view: View) -> str:
        """Return the legal actions, cards as they are held; a long run of bids cut short."""
        actions = in_order(view)
        others = [action_sign(a, view.phase) for a in actions if not is_word(a)]
        words = [action_sign(a, view.phase) for a in actions if is_word(a)]
        if view.phase == "auction" and len(others) > MOST_BIDS:
            first = MOST_BIDS - 1
            shown = [sign for sign in others[first:-1] if "misère" in sign]
            others = [*others[:first], "…", *shown, others[-1]]
        return " ".join([*others, *words])

    def take_back(self) -> str:
        """Take the person's last move back, where that is allowed; return what came of it."""
        if not self.session.terms.practice:
            return "moves are taken back in practice only: forty5sim play --practice"
        if self.session.game.deal_is_over:
            return "the deal is over and recorded; nothing of it is taken back"
        if not self.session.undo():
            return "there is no move of yours in this deal to take back"
        return "taken back"

    def hint(self) -> tuple[str, Analysis | None]:
        """Return what the adviser would do and expects of it, and what its search found, if any."""
        if not self.session.waits_for_person:
            return NOTHING_TO_DECIDE, None
        game, adviser = self.session.game, self.session.adviser
        advice, found = self.session.hint()
        why = f" ({expected(found, game.phase)})" if found else ""
        if game.phase == "discard":
            thrown = self.signs(game, advice[:-1])
            return f"{adviser.name} would throw {thrown or 'nothing'}{why}", found
        verbs = {"play": "play ", "rob": "throw ", "auction": "bid ", "assign": "say "}
        verb = verbs.get(game.phase, "name ")
        if is_word(advice[0]) and game.phase != "assign":
            verb = ""
        return f"{adviser.name} would {verb}{action_sign(advice[0], game.phase)}{why}", found

    # --- leaving ----------------------------------------------------------------------------------

    def save(self) -> str:
        """Write the game down; return how to go on with it (errors as in ``Session.save``)."""
        self.session.save(self.files.saved)
        return f"saved; go on with: forty5sim play --continue {self.files.saved}"

    def leave(self) -> list[str]:
        """Write the game down; return how to go on with it, and where its deals are recorded."""
        saved = [self.save()]
        if self.files.records.exists():
            saved.append(f"the finished deals are recorded in {self.files.records}")
        return saved

    # --- what is shown --------------------------------------------------------------------------

    def situation(self, game: Game) -> list[str]:
        """Return what is played for: trumps, the contract, or how the auction stands."""
        if game.phase == "auction":
            return auction_table(game, self.names(game)) if game.calls else ["nobody has spoken"]
        if game.trump is None and game.rules.has_auction:
            return [f"you play {contract_sign(game)}"]
        tricks = f"tricks: {self.narrator.tricks(game)}"
        if game.bidder is not None:
            played = f"{self.narrator.does(game.bidder, 'play')} {contract_sign(game)}"
            return [f"{played}; {tricks}" if game.phase != "discard" else played]
        return [f"{self.narrator.trumps(game)}; {tricks}"]

    def history(self, game: Game) -> list[str]:
        """Return the auction and the tricks of this deal, and the score."""
        lines = auction_table(game, self.names(game)) if game.calls else []
        for number, trick in enumerate(game.history, start=1):
            played = game.played_to(trick).items()
            cards = ", ".join(f"{self.narrator.who(s)} {card_sign(c)}" for s, c in played)
            assert trick.winner is not None
            lines.append(f"trick {number}: {cards}; won by {self.narrator.who(trick.winner)}")
        if not game.history:
            lines.append("no trick has been finished in this deal")
        return [*lines, self.narrator.standing(game)]

    def names(self, game: Game) -> list[str]:
        """Return what each seat is called."""
        return [self.narrator.who(seat) for seat in range(game.players)]

    def signs(self, game: Game, cards: Iterable[Card]) -> str:
        """Return cards as they are held."""
        return " ".join(card_sign(card) for card in game.sorted(cards))

    def hand(self, view: View) -> str:
        """Return the person's hand; in brackets what may be played or thrown now."""
        if view.phase not in ("play", "rob"):
            return " ".join(card_sign(card) for card in view.sorted(view.hand))
        return " ".join(
            f"[{card_sign(card)}]" if view.legal_mask >> card & 1 else f" {card_sign(card)} "
            for card in view.sorted(view.hand)
        )


def in_order(view: View) -> list[Action]:
    """Return the legal actions as people go through them: cards as held, bids upwards, words."""
    words = [action for action in view.legal if is_word(action)]
    others = [action for action in view.legal if not is_word(action)]
    if view.phase == "auction":
        others = sorted(others, key=ladder(view.rules).index)
    elif view.phase in CARD_PHASES:
        others = view.sorted(others)
    return [*others, *words]


def worth(finding: Finding, unit: str) -> str:
    """Return what an action was found to be worth, ± 95 %: ``+1.20 ± 0.11 points``."""
    size = NORMAL_95 * finding.error
    if unit == CHANCE:
        return f"{100 * finding.value:.0f} ± {100 * size:.0f} % to win"
    return f"{finding.value:+.2f} ± {size:.2f} {unit}"


def expected(found: Analysis, phase: str) -> str:
    """Return what an analysis expects of its choice and of the next best action, ± 95 %."""
    best, *others = found.findings
    tried = [one for one in others if one.visits > 1]
    if not tried:
        return worth(best, found.unit)
    second = max(tried, key=lambda one: one.value)
    return (
        f"{worth(best, found.unit)}; next {action_sign(second.action, phase)}:"
        f" {worth(second, found.unit)}"
    )
