"""The dialogue of ``forty5sim play``: what is shown, what may be typed, what comes of it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from forty5sim.agent import View, view_of
from forty5sim.analysis import CHANCE, Analysis, Finding
from forty5sim.bids import ladder
from forty5sim.cards import Action, Card, card_sign
from forty5sim.cli.common import INTERRUPTED, compile_bots, say
from forty5sim.cli.typed import is_card, typed_actions
from forty5sim.errors import Forty5Error, NotationError, SaveError
from forty5sim.game import Game
from forty5sim.narration import Narrator, auction_table, contract_sign
from forty5sim.notation import CARD_PHASES, HOLD, KEEP, action_sign, is_word
from forty5sim.options import AUCTION, POT
from forty5sim.reasons import why_not
from forty5sim.records import RecordWriter
from forty5sim.registry import spec_label
from forty5sim.rulebook import rules_text
from forty5sim.session import Session

HELP = """\
  5H, 10s, T♠, JD     play this card (also B and D for jack and queen)
  hint                what a strong bot would do, and what it expects of that (± 95 %)
  history             the tricks so far, and the score
  rules               the rules of this game
  undo                take your last move back (in practice: --practice)
  save                write the game down, to go on with it another day
  quit                save and leave; records of finished deals are kept
"""
TURN_UP_HELP = """\
  rob 9C              take the turned-up card and throw this one; keep: leave it
  jink, stop          undertake to win every trick, or not
"""
BIDDING_HELP = """\
  20, 7H, 8NT         bid; pass, hold (the dealer), misere, open misere
  9C 4D 2S            throw these cards; none: throw nothing
  H, hearts, ♥        name a suit
"""
NORMAL_95 = 1.96  # standard errors of a 95 % interval
MOST_BIDS = 8  # shown of those that may be made


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


class Dialogue:
    """One person's game: shows what happens and asks until the game is over."""

    def __init__(self, session: Session, files: GameFiles) -> None:
        self.session = session
        self.files = files
        self.narrator = Narrator(you=session.terms.seats.index("you"))
        self.commands: dict[str, Callable[[], None]] = {
            "help": self.help,
            "hint": self.hint,
            "history": self.history,
            "rules": lambda: say(rules_text(self.session.game.rules)),
            "undo": self.undo,
            "save": self.save,
            "quit": self.leave,
        }
        self.commands |= {"?": self.help, "q": self.leave, "exit": self.leave}

    def run(self, *, resumed: bool = False) -> int:
        """Play to the end of the game, or until the person leaves; return the exit code."""
        try:
            self.greet(resumed)
            while True:
                self.play_deal()
                if self.session.ends_the_game:
                    break
                self.ask("Enter for the next deal", lambda text: not text)
                self.session.next_deal()
                self.open_deal()
        except EOFError:
            say("")
            self.save()
            return 0
        except KeyboardInterrupt:
            say("")
            self.save()
            return INTERRUPTED
        except Forty5Error:
            self.save()
            raise
        self.session.next_deal()
        say(*self.narrator.game_over(self.session.game))
        say(f"the deals are recorded in {self.files.records}")
        self.files.saved.unlink(missing_ok=True)
        return 0

    def greet(self, resumed: bool) -> None:
        """Say who plays what with whom."""
        terms = self.session.terms
        others = [
            f"seat {seat}: {spec_label(spec)}"
            for seat, spec in enumerate(terms.seats)
            if seat != self.narrator.you
        ]
        practice = ", practice" if terms.practice else ""
        say(f"{self.session.game.rules.id}, seed {terms.seed}{practice}")
        say(f"you sit on seat {self.narrator.you}; {', '.join(others)}")
        say("type help for what you can do")
        self.open_deal()
        if resumed:
            self.history()

    def open_deal(self) -> None:
        """Say how a deal begins."""
        say(f"\ndeal {self.session.game.deal_number + 1}")
        say(*self.narrator.opening(self.session.game))

    def play_deal(self) -> None:
        """Play a deal to its end and record it; one saved after its end is left as it is."""
        if self.session.game.deal_is_over:
            return
        while True:
            game = self.session.game
            say(*self.narrator.tell(game, self.session.bots_play()))
            if game.deal_is_over:
                break
            self.decide()
        with RecordWriter(self.files.records) as writer:
            writer.write(self.session.record())

    # --- a decision -----------------------------------------------------------------------------

    def decide(self) -> None:
        """Let the person decide, and carry it out; what can only be so is done at once."""
        if not self.session.asks:
            self.carry_out(self.session.game.legal_actions)
            return
        self.show()
        self.ask(self.question(), self.take)

    def ask(self, question: str, take: Callable[[str], bool]) -> None:
        """Ask until the answer has been taken; commands are carried out in between."""
        while True:
            text = input(f"{question} > ").strip()
            command = self.commands.get(text.lower())
            if command is not None:
                at = self.session.game
                command()
                if self.session.game is not at:
                    return  # a move was taken back
            elif take(text):
                return

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

    def take(self, text: str) -> bool:
        """Carry out what was typed; say whether it was an action of the game."""
        game = self.session.game
        try:
            actions = typed_actions(text, game.phase)
        except NotationError as error:
            say(f"{error}")
            return False
        refused = self.refusal(view_of(game), actions)
        if refused:
            say(refused)
            return False
        self.carry_out(actions)
        return True

    def carry_out(self, actions: Sequence[Action]) -> None:
        """Do it, and tell it."""
        game = self.session.game
        say(*self.narrator.tell(game, self.session.steps_of(actions)))

    def refusal(self, view: View, actions: Sequence[Action]) -> str:
        """Return why what was typed may not be done, and what may be; nothing if it may."""
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
        reason = self.no_call_here(view, action) or why_not(
            view, view.hand, view.legal_mask, action
        )
        return f"not {what}: {reason}. You may choose of {self.choices(view)}"

    def no_call_here(self, view: View, action: Action) -> str:
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
        words = [a for a in view.legal if is_word(a)]
        others = [a for a in view.legal if not is_word(a)]
        if view.phase == "auction":
            others = sorted(others, key=ladder(view.rules).index)
        elif view.phase in CARD_PHASES:
            others = view.sorted(others)
        signs = [action_sign(a, view.phase) for a in others]
        if view.phase == "auction" and len(others) > MOST_BIDS:
            first = MOST_BIDS - 1
            shown = [sign for sign in signs[first:-1] if "misère" in sign]
            signs = [*signs[:first], "…", *shown, signs[-1]]
        return " ".join([*signs, *(action_sign(a, view.phase) for a in words)])

    # --- what is shown --------------------------------------------------------------------------

    def show(self) -> None:
        """Show the table as the person sees it."""
        view = view_of(self.session.game)
        game = self.session.game
        say("")
        say(*self.situation(game))
        say(self.narrator.standing(game))
        if view.exposed and game.bidder is not None:
            lies_open = self.signs(game, view.exposed)
            say(f"open hand of {self.narrator.who(game.bidder)}: {lies_open}")
        if view.trick:
            winner = view.winning[0] if view.winning else None
            cards = [
                f"{self.narrator.who(seat)} {card_sign(card)}" + (" (winning)" * (seat == winner))
                for seat, card in view.trick
            ]
            say(f"on the table: {', '.join(cards)}")
        say(f"your hand: {self.hand(view)}")

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

    # --- commands -------------------------------------------------------------------------------

    def help(self) -> None:
        """Say what may be typed in this game."""
        special = BIDDING_HELP if self.session.game.rules.has_auction else TURN_UP_HELP
        say(HELP.replace("\n", "\n" + special, 1))

    def hint(self) -> None:
        """Say what the adviser would do, and what it expects of that."""
        if not self.session.waits_for_person:
            say("the deal is over")
            return
        game, adviser = self.session.game, self.session.adviser
        compile_bots([adviser], game.rules, game.players, announced=False)
        advice, found = self.session.hint()
        why = f" ({self.expected(found, game.phase)})" if found else ""
        if game.phase == "discard":
            thrown = self.signs(game, advice[:-1])
            say(f"{adviser.name} would throw {thrown or 'nothing'}{why}")
            return
        verbs = {"play": "play ", "rob": "throw ", "auction": "bid ", "assign": "say "}
        verb = verbs.get(game.phase, "name ")
        if is_word(advice[0]) and game.phase != "assign":
            verb = ""
        say(f"{adviser.name} would {verb}{action_sign(advice[0], game.phase)}{why}")

    @staticmethod
    def expected(found: Analysis, phase: str) -> str:
        """Return what an analysis expects of its choice and of the next best action, ± 95 %."""

        def value(finding: Finding) -> str:
            size = NORMAL_95 * finding.error
            if found.unit == CHANCE:
                return f"{100 * finding.value:.0f} ± {100 * size:.0f} % to win"
            return f"{finding.value:+.2f} ± {size:.2f} {found.unit}"

        best, *others = found.findings
        tried = [one for one in others if one.visits > 1]
        if not tried:
            return value(best)
        second = max(tried, key=lambda one: one.value)
        return f"{value(best)}; next {action_sign(second.action, phase)}: {value(second)}"

    def history(self) -> None:
        """Show the auction and the tricks of this deal, and the score."""
        game = self.session.game
        if game.calls:
            say(*auction_table(game, self.names(game)))
        for number, trick in enumerate(game.history, start=1):
            played = game.played_to(trick).items()
            cards = ", ".join(f"{self.narrator.who(s)} {card_sign(c)}" for s, c in played)
            assert trick.winner is not None
            say(f"trick {number}: {cards}; won by {self.narrator.who(trick.winner)}")
        if not game.history:
            say("no trick has been finished in this deal")
        say(self.narrator.standing(game))

    def undo(self) -> None:
        """Take the person's last move back."""
        if not self.session.terms.practice:
            say("moves are taken back in practice only: forty5sim play --practice")
        elif self.session.game.deal_is_over:
            say("the deal is over and recorded; nothing of it is taken back")
        elif not self.session.undo():
            say("there is no move of yours in this deal to take back")
        else:
            say("taken back")

    def save(self) -> None:
        """Write the game down."""
        self.session.save(self.files.saved)
        say(f"saved; go on with: forty5sim play --continue {self.files.saved}")

    def leave(self) -> None:
        """Save and leave the table."""
        self.save()
        if self.files.records.exists():
            say(f"the finished deals are recorded in {self.files.records}")
        raise SystemExit(0)
