"""From what a short text tells to a position that the engine stands by.

The public part of the deal is played through with stand-in cards for what is hidden; whole deals
that agree with it are dealt (``infoset``), and one of them is played again from its deal, every
action checked. So what cannot have come about is found out, and the view is the engine's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from forty5sim.advice.pasts import drawn_pasts
from forty5sim.advice.positions import Position, position_of
from forty5sim.advice.telling import NOBODY, Told
from forty5sim.agent import View, view_of
from forty5sim.cards import (
    ACE,
    JOKER,
    Card,
    Seat,
    card_name,
    mask_of,
    rank_of,
    suit_name,
    suit_of,
)
from forty5sim.errors import Forty5Error, PositionError, RecordError
from forty5sim.game import Game
from forty5sim.infoset import determinize
from forty5sim.kernels import face, layout
from forty5sim.notation import DONE, JINK, NO_SUIT, STOP
from forty5sim.options import FIVE_HUNDRED, POT
from forty5sim.records import Standing
from forty5sim.records.opening import check_not_over

USE_A_RECORD = "a short text cannot tell that; use a deal record (docs/records.md)"


def told_position(told: Told, seed: int = 0) -> Position:
    """Return the position that a short text tells.

    Args:
        told: what it tells.
        seed: draws the earlier tricks, where they are not told.

    Raises:
        PositionError: if it cannot have come about, leaves nothing to decide, or cannot be told
            in a short text.
    """
    told, assumed = _completed(told)
    missing = _missing_tricks(told)
    if missing:
        views, words = drawn_pasts(told, missing, seed)
        return Position(views, (*assumed, *words))
    dealer, words = _dealer(told)
    rough = _rough_view(replace(told, dealer=dealer))
    return Position((_checked(rough).view,), (*assumed, *words))


# --- what goes without saying -------------------------------------------------------------------


def _completed(told: Told) -> tuple[Told, list[str]]:
    """Return what is told with what follows from it, and what was assumed."""
    rules, assumed = told.rules, list[str]()
    _check_keys(told)
    if rules.turns_up and told.turnup is None:
        if told.trump is None:
            raise PositionError("trump: it is missing; tell trump=H, or the card turned up")
        rules = rules.with_options(trump=suit_name(told.trump))
        assumed.append(
            "no turn-up was told: it is taken to lie among the cards that were not dealt,"
            " and nobody robs"
        )
    told = replace(told, rules=rules)
    _check_trump(told)
    _check_score(told)
    if told.score is None and rules.family != POT:
        assumed.append("no score was told: the deal is played by itself, for its points")
    if rules.family == POT and not told.pot:
        assumed.append("no pot was told: it holds the antes of this deal alone")
    return told, assumed


def _check_keys(told: Told) -> None:
    """Raise if something is told that this game does not have."""
    auction = told.rules.has_auction
    given = {
        "turnup": told.turnup is not None,
        "robbed": told.robbed is not None,
        "jinked": told.jinked is not None,
        "won": told.won is not None,
        "bids": bool(told.bids),
        "discards": bool(told.discards),
        "joker": told.joker is not None,
        "pot": bool(told.pot),
        "score": told.score is not None,
    }
    absent = {"turnup", "robbed", "jinked", "won"} if auction else {"bids", "discards", "joker"}
    absent |= {"score"} if told.rules.family == POT else {"pot"}
    if not told.rules.turns_up:
        absent |= {"turnup", "robbed"}
    for key in sorted(absent):
        if given[key]:
            raise PositionError(f"{key}: {told.rules.name} has nothing of that kind")
    if told.turnup == JOKER:
        raise PositionError(f"turnup: the Joker was turned up: {USE_A_RECORD}")
    if told.robbed not in (None, NOBODY) and told.turnup is None:
        raise PositionError("robbed: tell the turnup too, the card that was taken")


def _check_trump(told: Told) -> None:
    """Raise if trumps and turn-up, or trumps and the rules, do not agree."""
    fixed = None if told.rules.has_auction else told.rules.fixed_trump()
    trump = suit_of(told.turnup) if told.turnup is not None else fixed
    if told.trump is not None and trump is not None and told.trump != trump:
        by = "the turn-up" if told.turnup is not None else told.rules.id
        was, is_ = suit_name(told.trump), suit_name(trump)
        raise PositionError(f"trump: {was} is told, but by {by} it is {is_}")


def _check_score(told: Told) -> None:
    """Raise if the game was over before this deal."""
    try:
        if told.score is not None:
            check_not_over(Standing(told.score), told.rules)
    except RecordError as error:
        raise PositionError(f"score: {str(error).partition(': ')[2]}") from None


def _missing_tricks(told: Told) -> int:
    """Return how many earlier tricks are not told, by the cards that are left."""
    size, held, count = int(told.rules.hand_size), len(told.hand), len(told.tricks)
    if told.rules.has_auction and not told.tricks and not told.trick:
        return 0  # the engine knows how many cards a hand has in an auction
    if held > size:
        raise PositionError(f"hand: {held} cards; a hand has {size}")
    played = size - held
    if count and count != played:
        raise PositionError(
            f"hand: {held} cards are left of {size} after {played} earlier tricks, but tricks tells"
            f" {count}"
        )
    if played and not count and told.rules.has_auction:
        raise PositionError(
            f"tricks: {held} cards are left of {size}; tell all {played} tricks played before"
        )
    if told.won is not None and (count or not played):
        raise PositionError("won: it is for tricks that are not told, and here none is missing")
    return played - count


# --- the public part, played through ------------------------------------------------------------


def _dealer(told: Told) -> tuple[Seat, list[str]]:
    """Return the dealer: as told, or the one whose deal leads to this seat's turn."""
    if told.dealer is not None:
        return told.dealer, []
    fitting = []
    problem: Forty5Error | None = None
    for back in range(1, told.players + 1):
        dealer = (told.seat - len(told.trick) - back) % told.players
        try:
            _rough_view(replace(told, dealer=dealer))
        except Forty5Error as error:
            problem = problem or error
            continue
        fitting.append(dealer)
    if not fitting:
        assert problem is not None
        raise problem
    if len(fitting) == 1:
        return fitting[0], [f"seat {fitting[0]} dealt, by whose turn it is"]
    return fitting[0], [f"no dealer was told: seat {fitting[0]} is taken to have dealt"]


def _rough_view(told: Told) -> View:
    """Return the view that a text tells, as far as its public part goes; not checked yet."""
    table = _StandIn(told)
    for act in (table.call, table.exchange, table.play):
        act()
    return table.view()


class _StandIn:
    """A deal of stand-in cards, on which the public actions are done without asking whose they are.

    What is public does not depend on the hidden cards, but for who is asked: nobody holds a right
    to rob here, and the contractor holds the Joker if the text says so.
    """

    def __init__(self, told: Told) -> None:
        rules = told.rules
        self.told = told
        self.game = Game(
            rules,
            told.players,
            dealer=told.dealer,
            pack=_pack(told),
            scores=told.score,
            pot=told.pot,
            alone=told.score is None and rules.family != POT,
        )
        self.words = self.game._state
        if not rules.has_auction:
            self._leave_right()

    def _leave_right(self) -> None:
        """Let nobody be asked to rob, and let it be seen who has."""
        game, words = self.game, self.words
        words[layout.RIGHT] = words[layout.HAD_RIGHT] = -1
        if game.phase == "rob":
            words[layout.PHASE] = layout.PLAY
            words[layout.SEAT] = game.leader
        robber = self.robber
        if robber != NOBODY and game.rules.rob_announced != "silent":
            words[layout.ROBBER] = robber

    @property
    def robber(self) -> Seat:
        """The seat that has robbed: as told, or a dealer who had to."""
        told, rules = self.told, self.told.rules
        if told.robbed is not None:
            return told.robbed
        forced = rules.rob_forced in ("dealer", "all")
        dealer = told.turnup is not None and rank_of(told.turnup) == ACE and forced
        mine = told.dealer == told.seat and len(told.hand) == rules.hand_size and not told.thrown
        return NOBODY if not dealer or mine or told.dealer is None else told.dealer

    # --- the auction ----------------------------------------------------------------------------

    def call(self) -> None:
        """Make the calls, and name trumps if they are told."""
        game, told = self.game, self.told
        for number, call in enumerate(told.bids):
            if game.phase != "auction":
                raise PositionError(f"bids: the auction is over after {number} calls")
            try:
                game.push(call)
            except Forty5Error as error:
                raise PositionError(f"bids: call {number + 1}: {error}") from None
        if game.deal_is_over:
            raise PositionError("bids: everybody has passed and the deal is thrown in")
        if game.phase == "trump" and told.trump is not None:
            game.push(told.trump)
        later = told.trump is not None and game.rules.family != FIVE_HUNDRED
        if game.phase == "auction" and (later or told.discards or told.trick or told.tricks):
            raise PositionError(
                f"bids: the auction is not over: seat {game.seat} has to speak, so there is no"
                " trump, discard or trick yet"
            )
        if game.rules.has_auction and told.trump not in (None, game.trump):
            raise PositionError("trump: the contract has others, so it need not be told")

    def exchange(self) -> None:
        """Throw and draw as many cards as were."""
        game, told = self.game, self.told
        counts = iter(told.discards)
        while game.phase == "discard":
            count = next(counts, None)
            if count is None:
                break
            least, most = game.discard_limits
            if not least <= count <= most:
                raise PositionError(
                    f"discards: seat {game.seat} throws {least} to {most} cards, not {count}"
                )
            for _ in range(count):
                game.push(min(game.legal_actions))
            self._place_joker()
            game.push(DONE)
        left = [*counts]
        if left:
            raise PositionError(f"discards: {len(left)} more than there are seats that throw")
        if game.phase == "assign" and told.joker is not None:
            game.push(told.joker)
        elif told.joker not in (None, NO_SUIT):
            raise PositionError("joker: under this contract, or now, it gets no suit")
        elif game.phase == "assign" and (game.seat != told.seat or told.trick or told.tricks):
            game.push(NO_SUIT)

    def _place_joker(self) -> None:
        """Give the contractor the Joker, or not, so that it is asked about its suit when it is."""
        bidder, told = self.game.bidder, self.told
        mine = bidder == told.seat and JOKER in told.hand
        held = told.joker is not None or mine
        assert bidder is not None
        if self.game.rules.family == FIVE_HUNDRED:
            self.words[layout.HANDS + bidder] &= ~(1 << JOKER)
            self.words[layout.HANDS + bidder] |= held << JOKER

    # --- the cards ------------------------------------------------------------------------------

    def play(self) -> None:
        """Play the tricks that are told."""
        told = self.told
        for number, cards in enumerate(told.tricks, start=1):
            self._play_trick(f"tricks: trick {number}", cards, whole=True)
        if told.trick:
            self._play_trick("trick", told.trick, whole=False)

    def _play_trick(self, where: str, cards: tuple[Card, ...], *, whole: bool) -> None:
        game = self.game
        self._settle_jink()
        seats = game.playing
        if game.phase != "play" or game.trick:
            raise PositionError(f"{where}: no card can be led then: {self._standing()}")
        if len(cards) != len(seats) if whole else len(cards) >= len(seats):
            wanted = f"{len(seats)} cards" if whole else f"less than {len(seats)} cards"
            raise PositionError(f"{where}: expected {wanted}, got {len(cards)}")
        for card in cards:
            self._put(where, card)

    def _put(self, where: str, card: Card) -> None:
        """Play a card from whatever hand it is."""
        game, words = self.game, self.words
        fallen = card == self._ace and game.seat != self.robber and card != game.turnup
        if fallen and game.rules.turns_up and game.rules.rob_missed == "ace_lowest":
            raise PositionError(f"{where}: the ace of trumps was kept: {USE_A_RECORD}")
        words[layout.HANDS + game.seat] |= 1 << card
        face.apply(words, game._rule_words, card)
        if game.phase == "name":
            raise PositionError(f"{where}: a Joker without a suit was led: {USE_A_RECORD}")
        if len(game.exposed):
            raise PositionError(f"{where}: the contractor's hand lies open: {USE_A_RECORD}")

    def _settle_jink(self) -> None:
        """Declare the jink, or not, so that a card can be led."""
        if self.game.phase == "jink":
            jinks = self.told.jinked == self.game.seat
            face.apply(self.words, self.game._rule_words, JINK if jinks else STOP)

    def _standing(self) -> str:
        game = self.game
        if game.deal_is_over:
            return f"the deal is over ({game.outcome})"
        return f"seat {game.seat} has to act first ({game.phase})"

    # --- the seat to act ------------------------------------------------------------------------

    def view(self) -> View:
        """Return what the seat to act sees, with its own cards in place of the stand-ins."""
        game, told = self.game, self.told
        if game.phase == "jink" and (game.seat != told.seat or told.jinked == told.seat):
            self._settle_jink()
        if game.deal_is_over:
            raise PositionError(f"the deal is over ({game.outcome}); there is nothing to decide")
        if told.jinked not in (None, game.jinker):
            raise PositionError(f"jinked: seat {told.jinked} cannot have declared a jink")
        if self._may_rob():
            self.words[layout.PHASE] = layout.ROB
            self.words[layout.SEAT] = told.seat
        if game.seat != told.seat:
            raise PositionError(
                f"seat: it is not the turn of seat {told.seat}: seat {game.seat} has to act"
                f" ({game.phase}), if seat {told.dealer} dealt"
            )
        self._check_hand()
        hand, thrown = mask_of(told.hand), mask_of(told.thrown)
        public = self.words[: layout.PUBLIC_SIZE].tolist()
        return View(told.rules, public, hand, thrown, hand, 0, told.seat)

    def _may_rob(self) -> bool:
        """Say whether the seat has to answer now whether it robs."""
        told, rules = self.told, self.told.rules
        if told.turnup is None or told.robbed is not None or self.robber != NOBODY:
            return False
        if told.tricks or len(told.hand) != rules.hand_size or told.thrown:
            return False
        if rank_of(told.turnup) == ACE:
            return told.dealer == told.seat
        return self._ace in told.hand

    @property
    def _ace(self) -> Card:
        """The ace of trumps."""
        return int(self.game._rule_words[self.game._order() + layout.ACE_CARD])

    def _check_hand(self) -> None:
        """Check the number of cards in the hand, and of those thrown."""
        told, game = self.told, self.game
        seat = told.seat
        if game.phase in ("auction", "trump", "discard"):
            size = int(game.hands[seat].mask.bit_count())
            if len(told.hand) != size:
                raise PositionError(f"hand: expected {size} cards ({game.phase}), got"
                                    f" {len(told.hand)}")  # fmt: skip
        thrown = game.discarded[seat] if game.rules.has_auction else int(self.robber == seat)
        if len(told.thrown) != thrown:
            raise PositionError(f"thrown: expected the cards you threw, {thrown}; got"
                                f" {len(told.thrown)}")  # fmt: skip


def _pack(told: Told) -> list[Card]:
    """Return a pack with the turn-up in its place, and else in any order."""
    deck = told.rules.deck_cards()
    if not told.rules.turns_up or told.turnup is None:
        return list(deck)
    rest = [card for card in deck if card != told.turnup]
    if told.turnup not in deck:
        raise PositionError(f"turnup: {card_name(told.turnup)} is not in the deck of this game")
    dealt = told.players * int(told.rules.hand_size)
    return [*rest[:dealt], told.turnup, *rest[dealt:]]


# --- checking -----------------------------------------------------------------------------------


def _checked(rough: View) -> Position:
    """Return the position of a deal that agrees with a rough view, played again by the engine.

    Raises:
        PositionError: if there is none.
    """
    try:
        game = determinize(rough, 1)[0]
    except Forty5Error as error:
        raise PositionError(f"this cannot have come about: {_brief(error)}") from None
    view = view_of(game)
    same = list(_told_words(view)) == list(_told_words(rough)) and view.hand == rough.hand
    if not same or view.observer != rough.observer:
        raise PositionError(f"what was told does not fit together: {USE_A_RECORD}")
    return position_of(game)


def _told_words(view: View) -> Iterator[int]:
    """Yield the public words of a view."""
    yield from (int(word) for word in view._words[: layout.PUBLIC_SIZE])


def _brief(error: Forty5Error) -> str:
    """Return the first line of what is wrong."""
    first = str(error).partition("\n")[0].rstrip(":")
    if first.startswith("no deal agrees"):
        return "no way to deal the other cards agrees with what was played"
    return first
