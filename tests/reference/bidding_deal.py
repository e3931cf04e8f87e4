"""One deal of a bidding game (Auction Forty-Fives, Five Hundred), action by action."""

from collections.abc import Callable, Sequence
from typing import cast

from tests.reference import bidding_scores, cards, five_hundred
from tests.reference.auction import FiveHundredAuction, FortyFivesAuction
from tests.reference.cards import JOKER, SUITS, Options, number
from tests.reference.deal import Trick
from tests.reference.five_hundred import NO_TRUMP
from tests.reference.scores import best_trump, clockwise

Shuffle = Callable[[list[str]], list[str]]
ASCENDING_RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
BY_PLAYERS = {2: 0, 3: 0, 4: 0, 5: 1, 6: 2}


def card_order(card: str) -> int:
    """Place of a card in ascending order: S C D H, two to ace in each; the Joker last."""
    if card == JOKER:
        return 52
    return 13 * SUITS.index(card[-1]) + ASCENDING_RANKS.index(card[:-1])


def game_pack(options: Options) -> list[str]:
    """All cards of the game, unshuffled."""
    return five_hundred.pack() if options["family"] == "five-hundred" else cards.pack(options)


def discard_limits(options: Options, players: int, bidder: bool) -> tuple[int, int] | None:
    """Fewest and most cards a seat throws; None: it is not asked."""
    if options["family"] == "five-hundred":
        return (five_hundred.KITTY, five_hundred.KITTY) if bidder else None
    kitty = number(options, "kitty")
    if options["draw"] == "off":
        return (kitty, kitty) if bidder and kitty > 0 else None
    rule = options["min_keep"]
    keep = BY_PLAYERS[players] if rule == "by_players" else number(options, "min_keep")
    if bidder:
        return kitty, 5 + kitty - max(number(options, "bidder_min_keep"), keep)
    return 0, 5 - keep


def discard_order(options: Options, players: int, dealer: int, bidder: int) -> list[int]:
    """The seats that are asked for discards, in turn."""
    order = clockwise(range(players), dealer)
    if options["family"] == "auction" and options["draw_order"] == "bidder_first":
        order = [bidder] + [seat for seat in order if seat != bidder]
    return [seat for seat in order if discard_limits(options, players, seat == bidder)]


def first_leader(options: Options, players: int, dealer: int, bidder: int | None) -> int:
    """Who leads to the first trick; without a contract the dealer's left."""
    if bidder is None:
        return (dealer + 1) % players
    if options["family"] == "five-hundred" or options["first_lead"] == "bidder":
        return bidder
    if options["first_lead"] == "left_of_bidder":
        return (bidder + 1) % players
    return (dealer + 1) % players


def leave_in_order(pile: list[str]) -> list[str]:
    """A shuffle that changes nothing."""
    return pile


class BiddingDeal:
    """State of one deal: `phase`, `seat` to act, `legal()`, `apply(action)`, `result()`.

    `bidder` and `bid` are the contract, None until the auction is over. `kitty` is what lies on
    the table: empty once taken up. `shuffle` puts thrown cards in the order of a new stock.
    """

    shuffle: Shuffle

    def __init__(
        self,
        options: Options,
        players: int,
        sides: int,
        dealer: int,
        pack: list[str],
        before: dict[str, object],
        active: list[int] | None = None,
    ) -> None:
        if active is not None and sorted(active) != list(range(players)):
            raise ValueError("nobody sits out in a bidding game")
        self.options, self.players, self.sides, self.dealer = options, players, sides, dealer
        self.five_hundred = options["family"] == "five-hundred"
        self.size = 10 if self.five_hundred else 5
        self.shuffle = leave_in_order
        self.phase, self.seat, self.leader = "auction", -1, -1
        self.trump: str | None = None
        self.bidder: int | None = None
        self.bid: str | None = None
        self.thrown: list[set[str]] = [set() for _ in range(players)]
        self.drawn = [0] * players
        self.pile: list[str] = []  # thrown by the seats before, not yet reshuffled
        self.restock: list[str] = []
        self.to_throw: list[int] = []  # seats still to be asked for discards
        self.last_thrown: str | None = None
        self.joker_suit: str | None = None  # given by the contractor (Five Hundred)
        self.named: str | None = None  # for the trick on the table (Five Hundred)
        self.led_suits: list[str] = []  # of the tricks so far (Five Hundred)
        self.tricks: list[Trick] = []
        self.tricks_won = [0] * players
        self.trick: list[str] = []  # on the table
        self.thrown_in = False
        self._read_before(before)
        self._deal_cards(pack)
        kind = FiveHundredAuction if self.five_hundred else FortyFivesAuction
        self.auction: FiveHundredAuction | FortyFivesAuction = kind(
            options, players, sides, dealer, self.scores
        )
        self.seat = self.auction.seat

    # Beginning

    def _read_before(self, before: dict[str, object]) -> None:
        none = [0] * self.sides
        self.scores = list(cast(Sequence[int], before["scores"]))
        self.sets = list(cast(Sequence[int], before.get("sets", none)))
        self.deals = cast(int, before.get("deals", 0))

    def _deal_cards(self, pack: list[str]) -> None:
        if sorted(pack) != sorted(game_pack(self.options)):
            raise ValueError("this is not the pack of the game")
        self.hands: list[set[str]] = []
        rest = list(pack)
        for _ in range(self.players):
            self.hands.append(set(rest[: self.size]))
            rest = rest[self.size :]
        kitty = five_hundred.KITTY if self.five_hundred else number(self.options, "kitty")
        if any(len(hand) != self.size for hand in self.hands) or len(rest) < kitty:
            raise ValueError("not enough cards")
        self.kitty, self.stock = rest[:kitty], rest[kitty:]

    # Acting

    def legal(self) -> set[str]:
        """The actions the seat to act may choose from; empty when the deal is over."""
        if self.phase == "auction":
            return self.auction.legal()
        if self.phase == "trump":
            return {"trump " + suit for suit in SUITS}
        if self.phase == "discard":
            return self._legal_discards()
        if self.phase == "assign":
            return {"assign none"} | {"assign " + suit for suit in SUITS}
        if self.phase == "name":
            suits = five_hundred.nameable(self.options, self.led_suits)
            return {"name " + suit for suit in suits}
        if self.phase == "play":
            return self._legal_cards()
        return set()

    def apply(self, action: str) -> None:
        """Carry out one action of the seat to act."""
        if action not in self.legal():
            raise ValueError(f"seat {self.seat} cannot {action!r} in phase {self.phase!r}")
        said = action.split(" ")[-1]
        if self.phase == "auction":
            self._call(action)
        elif self.phase == "trump":
            self.trump = said
            self._after_trump()
        elif self.phase == "discard":
            self._throw(said)
        elif self.phase == "assign":
            self.joker_suit = None if said == "none" else said
            self._start_play()
        elif self.phase == "name":
            self.named = said
            self._next_to_play()
        else:
            self._play(said)

    # Auction, trump, kitty

    def _call(self, call: str) -> None:
        self.auction.apply(call)
        self.seat = self.auction.seat
        if not self.auction.over:
            return
        contract = self.auction.contract()
        if contract is not None:
            self.bidder, self.bid = contract
            self.seat = self.bidder
        if self.five_hundred:
            self._begin_five_hundred()
        elif contract is None:
            self._throw_in()
        else:
            if self.options["name_trump"] == "after_kitty":
                self._take_kitty()
            self.phase = "trump"

    def _begin_five_hundred(self) -> None:
        if self.bid is not None:
            self.trump = five_hundred.trump_of(self.bid)
            self._take_kitty()
            self._start_discards()
        elif self.options["pass_out"] == "play_nt":
            self.trump = NO_TRUMP
            self._start_play()
        else:
            self._throw_in()

    def _throw_in(self) -> None:
        self.thrown_in = True
        self.phase, self.seat = "over", -1

    def _take_kitty(self) -> None:
        assert self.bidder is not None
        self.hands[self.bidder] |= set(self.kitty)
        self.kitty = []

    def _after_trump(self) -> None:
        if self.options["name_trump"] == "before_kitty":
            self._take_kitty()
        self._start_discards()

    # Discards

    def _start_discards(self) -> None:
        assert self.bidder is not None
        self.to_throw = discard_order(self.options, self.players, self.dealer, self.bidder)
        self._next_to_throw()

    def _next_to_throw(self) -> None:
        self.last_thrown = None
        if self.to_throw:
            self.phase, self.seat = "discard", self.to_throw.pop(0)
        else:
            self._after_discards()

    def _legal_discards(self) -> set[str]:
        limits = discard_limits(self.options, self.players, self.seat == self.bidder)
        assert limits is not None
        fewest, most = limits
        count = len(self.thrown[self.seat])
        legal = {"done"} if count >= fewest else set()
        if count == most:
            return legal
        above = sorted(self.hands[self.seat], key=card_order)
        if self.last_thrown is not None:
            last = card_order(self.last_thrown)
            above = [card for card in above if card_order(card) > last]
        for index, card in enumerate(above):
            higher = len(above) - index - 1
            if count + 1 + higher >= fewest:
                legal.add("discard " + card)
        return legal

    def _throw(self, card: str) -> None:
        seat = self.seat
        if card != "done":
            self.hands[seat].remove(card)
            self.thrown[seat].add(card)
            self.last_thrown = card
            return
        while len(self.hands[seat]) < self.size:
            self._draw(seat)
        self.pile += self.thrown[seat]
        self._next_to_throw()

    def _draw(self, seat: int) -> None:
        if not self.stock:
            self.stock = list(self.shuffle(sorted(self.pile, key=card_order)))
            self.restock += self.stock
            self.pile = []
        self.hands[seat].add(self.stock.pop(0))
        self.drawn[seat] += 1

    def _after_discards(self) -> None:
        assert self.bidder is not None
        assert self.bid is not None
        holds = JOKER in self.hands[self.bidder]
        if self.five_hundred and holds and five_hundred.may_assign(self.options, self.bid):
            self.phase, self.seat = "assign", self.bidder
        else:
            self._start_play()

    # Play

    def playing(self) -> list[int]:
        """The seats that play cards."""
        if self.five_hundred:
            return five_hundred.playing_seats(self.bid, self.bidder)
        return list(range(self.players))

    def _start_play(self) -> None:
        self.leader = first_leader(self.options, self.players, self.dealer, self.bidder)
        self.phase, self.seat = "play", self.leader

    def _order(self) -> list[int]:
        """The seats of this trick, the leader first."""
        seats = self.playing()
        start = seats.index(self.leader)
        return seats[start:] + seats[:start]

    def _legal_cards(self) -> set[str]:
        assert self.trump is not None
        options, hand = self.options, self.hands[self.seat]
        if self.five_hundred:
            return five_hundred.legal_cards(
                options, self.trump, hand, self.trick, self.joker_suit, self.named, self.led_suits
            )
        earlier = [card for trick in self.tricks for card in trick["cards"]]
        return cards.legal_cards(options, self.trump, hand, self.trick, earlier)

    def _play(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.trick.append(card)
        if len(self.trick) == 1 and self._must_name(card):
            self.phase = "name"
        else:
            self._next_to_play()

    def _must_name(self, card: str) -> bool:
        """Has a Joker without a suit been led, and not to the last trick?"""
        if not self.five_hundred or card != JOKER or not self.hands[self.seat]:
            return False
        return self.trump == NO_TRUMP and self.joker_suit is None

    def _next_to_play(self) -> None:
        order = self._order()
        if len(self.trick) < len(order):
            self.phase, self.seat = "play", order[len(self.trick)]
        else:
            self._finish_trick(order)

    def _finish_trick(self, order: list[int]) -> None:
        assert self.trump is not None
        if self.five_hundred:
            index = five_hundred.trick_winner(self.trump, self.trick, self.joker_suit, self.named)
            led = five_hundred.suit_led(self.trump, self.trick, self.joker_suit, self.named)
            self.led_suits += [] if led is None else [led]
        else:
            index = cards.trick_winner(self.options, self.trump, self.trick)
        winner = order[index]
        self.tricks.append({"leader": self.leader, "cards": self.trick, "winner": winner})
        self.tricks_won[winner] += 1
        self.trick, self.named, self.leader, self.seat = [], None, winner, winner
        if self._decided():
            self.phase, self.seat = "over", -1

    def _decided(self) -> bool:
        if len(self.tricks) == self.size:
            return True
        misere = self.bid in five_hundred.MISERES and self.bidder is not None
        if not misere or self.options["play_out"] == "on":
            return False
        return self.tricks[-1]["winner"] == self.bidder

    # Result

    def result(self) -> dict[str, object]:
        """What came of the deal."""
        if self.phase != "over":
            raise ValueError("the deal is not over")
        if self.thrown_in:
            return self._result("thrown-in", [0] * self.sides, None, self.sets, self.deals)
        if self.five_hundred:
            return self._five_hundred_result()
        return self._auction_result()

    def _result(
        self, outcome: str, points: list[int], winner: int | None, sets: list[int], deals: int
    ) -> dict[str, object]:
        totals = [old + new for old, new in zip(self.scores, points, strict=True)]
        return {
            "outcome": outcome,
            "points": points,
            "after": {"scores": totals, "sets": list(sets), "deals": deals},
            "tricks": list(self.tricks_won),
            "winner": winner,
        }

    def _sets_after(self, side: int | None, made: bool) -> list[int]:
        failed = None if made else side
        return [old + (1 if other == failed else 0) for other, old in enumerate(self.sets)]

    def bonus(self) -> int | None:
        """Index of the trick that carries the bonus (Auction Forty-Fives)."""
        assert self.trump is not None
        options, played = self.options, [trick["cards"] for trick in self.tricks]
        best = best_trump(options, self.trump, played, False)
        return bidding_scores.bonus_trick(options, self.trump, best)

    def _auction_result(self) -> dict[str, object]:
        assert self.bidder is not None
        assert self.bid is not None
        options, before, bid, bonus = self.options, self.scores, self.bid, self.bonus()
        side = self.bidder % self.sides
        won = [trick["winner"] % self.sides for trick in self.tricks]
        raw = bidding_scores.raw_points(self.sides, won, bonus)
        made = bidding_scores.auction_made(bid, raw, side, won)
        points = bidding_scores.auction_points(options, bid, side, won, bonus, before)
        sets, deals = self._sets_after(side, made), self.deals + 1
        winner = bidding_scores.auction_winner(
            options, self.dealer, side, made, before, points, won, bonus, sets, deals
        )
        return self._result("made" if made else "set", points, winner, sets, deals)

    def _five_hundred_result(self) -> dict[str, object]:
        options, bid = self.options, self.bid
        tricks = [self.tricks_won[side] + self.tricks_won[side + 2] for side in (0, 1)]
        side, made, outcome = None, False, "scored"
        if self.bidder is not None and bid is not None:
            side = self.bidder % 2
            made = bidding_scores.five_hundred_made(bid, tricks[side])
            outcome = "made" if made else "set"
        points = bidding_scores.five_hundred_points(options, bid, side, tricks)
        totals = [old + new for old, new in zip(self.scores, points, strict=True)]
        winner = bidding_scores.five_hundred_winner(options, self.dealer, side, made, totals)
        return self._result(outcome, points, winner, self._sets_after(side, made), self.deals + 1)
