"""A deal of stand-in cards: what was public is done on it without asking whose the cards are."""

from __future__ import annotations

from forty5sim.advice.telling import NOBODY, USE_A_RECORD, Told
from forty5sim.agent import View
from forty5sim.cards import ACE, JOKER, Card, Seat, card_name, mask_of, rank_of
from forty5sim.errors import Forty5Error, PositionError
from forty5sim.kernels import face, layout
from forty5sim.notation import DONE, JINK, NO_SUIT, STOP
from forty5sim.options import FIVE_HUNDRED


class StandIn:
    """A deal of stand-in cards, on which the public actions are done without asking whose they are.

    What is public does not depend on the hidden cards, but for who is asked: nobody holds a right
    to rob here, and the contractor holds the Joker if the text says so.
    """

    def __init__(self, told: Told) -> None:
        rules = told.rules
        self.told = told
        self.game = told.dealt(told.dealer, _pack(told))
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
        """The seat that has robbed, ``NOBODY`` too if this one has to do it now."""
        told = self.told
        full = len(told.hand) == told.rules.hand_size and not told.thrown
        due = told.robbed is None and told.dealer == told.seat and full
        return NOBODY if due or told.dealer is None else told.robber(told.dealer)

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
