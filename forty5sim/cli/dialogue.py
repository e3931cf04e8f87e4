"""The dialogue of ``forty5sim play --plain``: what is shown and typed, line by line."""

from __future__ import annotations

from collections.abc import Callable

from forty5sim.agent import view_of
from forty5sim.cards import card_sign
from forty5sim.cli.common import INTERRUPTED, compile_bots, say
from forty5sim.cli.typed import typed_actions
from forty5sim.errors import Forty5Error, NotationError
from forty5sim.rulebook import rules_text
from forty5sim.sitting import Sitting

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


class Dialogue:
    """One person's game: shows what happens and asks until the game is over."""

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.session = sitting.session
        self.narrator = sitting.narrator
        self.commands: dict[str, Callable[[], None]] = {
            "help": self.help,
            "hint": self.hint,
            "history": self.history,
            "rules": lambda: say(rules_text(self.session.game.rules)),
            "undo": lambda: say(self.sitting.take_back()),
            "save": lambda: say(self.sitting.save()),
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
            say("", self.sitting.save())
            return 0
        except KeyboardInterrupt:
            say("", self.sitting.save())
            return INTERRUPTED
        except Forty5Error:
            say(self.sitting.save())
            raise
        say(*self.sitting.end_game())
        return 0

    def greet(self, resumed: bool) -> None:
        """Say who plays what with whom."""
        say(*self.sitting.greeting(), "type help for what you can do")
        self.open_deal()
        if resumed:
            self.history()

    def open_deal(self) -> None:
        """Say how a deal begins."""
        say("", *self.sitting.opening())

    def play_deal(self) -> None:
        """Play a deal to its end and record it; one saved after its end is left as it is."""
        if self.session.game.deal_is_over:
            return
        while True:
            game = self.session.game
            say(*self.narrator.tell(game, self.sitting.play_on()))
            if game.deal_is_over:
                break
            self.show()
            self.ask(self.sitting.question(), self.take)
        self.sitting.record_deal()

    # --- a decision -----------------------------------------------------------------------------

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

    def take(self, text: str) -> bool:
        """Carry out what was typed; say whether it was an action of the game."""
        game = self.session.game
        try:
            actions = typed_actions(text, game.phase)
        except NotationError as error:
            say(f"{error}")
            return False
        refused = self.sitting.refusal(actions)
        if refused:
            say(refused)
            return False
        say(*self.narrator.tell(game, self.session.steps_of(actions)))
        return True

    # --- what is shown --------------------------------------------------------------------------

    def show(self) -> None:
        """Show the table as the person sees it."""
        sitting, game = self.sitting, self.session.game
        view = view_of(game)
        say("", *sitting.situation(game), self.narrator.standing(game))
        if view.exposed and game.bidder is not None:
            lies_open = sitting.signs(game, view.exposed)
            say(f"open hand of {self.narrator.who(game.bidder)}: {lies_open}")
        if view.trick:
            winner = view.winning[0] if view.winning else None
            cards = [
                f"{self.narrator.who(seat)} {card_sign(card)}" + (" (winning)" * (seat == winner))
                for seat, card in view.trick
            ]
            say(f"on the table: {', '.join(cards)}")
        say(f"your hand: {sitting.hand(view)}")

    # --- commands -------------------------------------------------------------------------------

    def help(self) -> None:
        """Say what may be typed in this game."""
        special = BIDDING_HELP if self.session.game.rules.has_auction else TURN_UP_HELP
        say(HELP.replace("\n", "\n" + special, 1))

    def hint(self) -> None:
        """Say what the adviser would do, and what it expects of that."""
        if self.session.waits_for_person:
            game = self.session.game
            compile_bots([self.session.adviser], game.rules, game.players, announced=False)
        say(self.sitting.hint()[0])

    def history(self) -> None:
        """Show the auction and the tricks of this deal, and the score."""
        say(*self.sitting.history(self.session.game))

    def leave(self) -> None:
        """Save and leave the table."""
        say(*self.sitting.leave())
        raise SystemExit(0)
