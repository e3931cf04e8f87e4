"""Calls and the auction of the two bidding families (docs/rules.md 7 and 8).

A bid is a text: "15", "30-for-60", "7H", "misere"; a call is "pass", "hold" or "bid 15".
"""

from tests.reference.cards import Options, number
from tests.reference.five_hundred import bid_allowed, ladder

SIXTY = "30-for-60"
TEN = "10"


def limit(options: Options, key: str) -> int | None:
    """An option that is a whole number or off."""
    return None if options[key] == "off" else number(options, key)


class Auction:
    """Who speaks, what may be called, and what stands; both families build on it."""

    def __init__(
        self, options: Options, players: int, sides: int, dealer: int, scores: list[int]
    ) -> None:
        self.options, self.players, self.sides = options, players, sides
        self.dealer, self.scores = dealer, scores
        self.bid: str | None = None  # the standing bid
        self.bidder: int | None = None  # who made or holds it
        self.out: set[int] = set()  # seats that are out of the auction
        self.spoken: set[int] = set()
        self.passes = 0  # passes in a row
        self.over = False
        self.seat = (dealer + 1) % players

    def choices(self, seat: int) -> set[str]:
        """What this seat could call now beside a pass."""
        raise NotImplementedError

    def may_still_speak(self, seat: int) -> bool:
        """Will this seat be asked (again) if the auction goes on?"""
        raise NotImplementedError

    def legal(self) -> set[str]:
        """The calls of the seat to speak."""
        return set() if self.over else {"pass"} | self.choices(self.seat)

    def apply(self, call: str) -> None:
        """Carry out the call of the seat to speak."""
        if call not in self.legal():
            raise ValueError(f"seat {self.seat} cannot call {call!r}")
        self.spoken.add(self.seat)
        if call == "pass":
            self.passes += 1
            self._pass()
        elif call == "hold":
            self.passes = 0
            self._hold()
        else:
            self.passes = 0
            self.bid, self.bidder = call.removeprefix("bid "), self.seat
        self._go_on()

    def _pass(self) -> None:
        self.out.add(self.seat)

    def _hold(self) -> None:
        raise NotImplementedError

    def _others(self) -> list[int]:
        """The seats that would still get to speak, in turn; not the one whose bid stands."""
        circle = [(self.seat + step) % self.players for step in range(1, self.players + 1)]
        return [seat for seat in circle if seat != self.bidder and self.may_still_speak(seat)]

    def _go_on(self) -> None:
        others = self._others()
        if self.bid is not None:
            self.over = not any(self.choices(seat) for seat in others)
        else:
            self.over = not others
        if not self.over:
            self.seat = others[0]


class FortyFivesAuction(Auction):
    """Auction Forty-Fives: bids in fives, the dealer may hold."""

    def lowest(self, seat: int) -> int:
        """The least value this seat may bid."""
        least, at_100 = number(self.options, "min_bid"), limit(self.options, "min_bid_at_100")
        if at_100 is not None and self._score(seat) >= 100:
            least = max(least, at_100)
        return next(value for value in range(5, 35, 5) if value >= least)

    def _score(self, seat: int) -> int:
        return self.scores[seat % self.sides]

    def ten_is_a_signal(self) -> bool:
        """Is the call of ten played at this table?"""
        six = self.players == 6 and self.sides == 3
        return self.options["ten_call"] == "on" and six and number(self.options, "min_bid") > 10

    def ten_stands(self) -> bool:
        """Is the standing bid the mere signal of ten?"""
        return self.bid == TEN and self.ten_is_a_signal()

    def _rank(self, bid: str) -> int:
        """Place of a bid: its number, 30-for-60 above all."""
        return 60 if bid == SIXTY else int(bid)

    def _may_bid_ten(self, seat: int) -> bool:
        if not self.ten_is_a_signal() or self.bid is not None:
            return False
        return self.options["min_bid_at_100"] == "off" or self._score(seat) < 100

    def _bids(self, seat: int) -> list[str]:
        """All bids open to this seat if nothing stood before it."""
        bids = [str(value) for value in range(self.lowest(seat), 35, 5)]
        return [*bids, SIXTY] if self.options["thirty_for_sixty"] == "on" else bids

    def choices(self, seat: int) -> set[str]:
        barred = limit(self.options, "no_bid_below")
        if barred is not None and self._score(seat) < barred:
            return set()
        bids = self._bids(seat)
        if self.bid is None:
            calls = {"bid " + bid for bid in bids}
            return calls | {"bid " + TEN} if self._may_bid_ten(seat) else calls
        calls = {"bid " + bid for bid in bids if self._rank(bid) > self._rank(self.bid)}
        if self._may_hold(seat) and self.bid in bids:
            calls.add("hold")
        return calls

    def _may_hold(self, seat: int) -> bool:
        allowed = self.options["dealer_hold"] == "on" and not self.ten_stands()
        return allowed and seat == self.dealer and self.bidder not in (None, self.dealer)

    def may_still_speak(self, seat: int) -> bool:
        once = self.options["auction_rounds"] == "one"
        return seat not in self.out and not (once and seat in self.spoken)

    def _hold(self) -> None:
        if self.options["hold_scope"] == "displaced_only":
            self.out = {s for s in range(self.players) if s not in (self.bidder, self.dealer)}
        self.bidder = self.dealer

    def contract(self) -> tuple[int, str] | None:
        """Bidder and bid of a finished auction; None: the deal is thrown in."""
        if self.ten_stands():
            return None
        if self.bid is not None and self.bidder is not None:
            return self.bidder, self.bid
        if self.options["all_pass"] == "dealer_bagged":
            return self.dealer, str(self.lowest(self.dealer))
        return None


class FiveHundredAuction(Auction):
    """Five Hundred: up the ladder or pass."""

    def choices(self, seat: int) -> set[str]:
        assert seat != self.bidder
        allowed = [b for b in ladder(self.options) if bid_allowed(self.options, self.bid, b)]
        return {"bid " + bid for bid in allowed}

    def may_still_speak(self, seat: int) -> bool:
        if self.options["rebid_after_pass"] == "on":
            return self.passes < (4 if self.bid is None else 3)
        return seat not in self.out

    def contract(self) -> tuple[int, str] | None:
        """Bidder and bid of a finished auction; None: everybody has passed."""
        if self.bid is None or self.bidder is None:
            return None
        return self.bidder, self.bid
