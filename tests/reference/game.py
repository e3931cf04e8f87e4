"""Whole games: one deal after another until the game ends."""

from collections.abc import Callable, Iterator
from typing import Any, cast

from tests.reference.bidding_deal import BiddingDeal
from tests.reference.cards import Options, number
from tests.reference.deal import Deal
from tests.reference.scores import antes, clockwise, share_out

AnyDeal = Deal | BiddingDeal
Choose = Callable[[Any, set[str]], str]  # the deal and its legal actions
BIDDING = ("auction", "five-hundred")


def make_deal(
    options: Options,
    players: int,
    sides: int,
    dealer: int,
    pack: list[str],
    before: dict[str, object],
    active: list[int] | None = None,
) -> AnyDeal:
    """A deal of whatever family the options are of."""
    kind = BiddingDeal if options["family"] in BIDDING else Deal
    return kind(options, players, sides, dealer, pack, before, active)


def play_deal(deal: AnyDeal, choose: Choose) -> dict[str, object]:
    """Play a deal to its end."""
    while deal.phase != "over":
        deal.apply(choose(deal, deal.legal()))
    return deal.result()


def play_game(
    options: Options,
    players: int,
    sides: int,
    first_dealer: int,
    packs: Iterator[list[str]],
    choose: Choose,
) -> dict[str, object]:
    """Play a game; `packs` yields a shuffled pack for every deal."""
    if options["family"] == "counting":
        return _counting_game(options, players, sides, first_dealer, packs, choose)
    if options["family"] in BIDDING:
        return _bidding_game(options, players, sides, first_dealer, packs, choose)
    return _pot_game(options, players, first_dealer, packs, choose)


def _counting_game(
    options: Options,
    players: int,
    sides: int,
    first_dealer: int,
    packs: Iterator[list[str]],
    choose: Choose,
) -> dict[str, object]:
    scores, dealers, winner = [0] * sides, list[int](), None
    dealer = first_dealer
    while winner is None:
        dealers.append(dealer)
        deal = Deal(options, players, sides, dealer, next(packs), {"scores": scores})
        result = play_deal(deal, choose)
        scores = cast(dict[str, list[int]], result["after"])["scores"]
        winner = result["winner"]
        dealer = (dealer + 1) % players
    return {"deals": len(dealers), "scores": scores, "winners": [winner], "dealers": dealers}


def _bidding_game(
    options: Options,
    players: int,
    sides: int,
    first_dealer: int,
    packs: Iterator[list[str]],
    choose: Choose,
) -> dict[str, object]:
    before: dict[str, object] = {"scores": [0] * sides, "sets": [0] * sides, "deals": 0}
    dealers, winner, dealer = list[int](), None, first_dealer
    while winner is None:
        dealers.append(dealer)
        deal = make_deal(options, players, sides, dealer, next(packs), before)
        result = play_deal(deal, choose)
        before, winner = cast(dict[str, object], result["after"]), result["winner"]
        dealer = (dealer + 1) % players
    scores = before["scores"]
    return {"deals": len(dealers), "scores": scores, "winners": [winner], "dealers": dealers}


def _pot_game(
    options: Options,
    players: int,
    first_dealer: int,
    packs: Iterator[list[str]],
    choose: Choose,
) -> dict[str, object]:
    stacks, pot, dealers = [number(options, "stack")] * players, 0, list[int]()
    still_in, dealer = list(range(players)), first_dealer
    while len(dealers) != options["game_deals"]:
        stay = [seat for seat in still_in if options["unpaid"] == "leave" or stacks[seat] > 0]
        if dealers:
            dealer = clockwise(stay, dealers[-1])[0] if stay else dealer
        if not _can_go_on(options, stay, dealer, pot, stacks):
            still_in = stay or still_in
            break
        still_in = stay
        dealers.append(dealer)
        before: dict[str, object] = {"pot": pot, "stacks": stacks}
        result = play_deal(
            Deal(options, players, players, dealer, next(packs), before, stay), choose
        )
        after = cast(dict[str, Any], result["after"])
        pot, stacks = after["pot"], after["stacks"]
    _share_last_pot(options, pot, still_in, dealers[-1] if dealers else dealer, stacks)
    winners = [seat for seat in range(players) if stacks[seat] == max(stacks)]
    return {"deals": len(dealers), "stacks": stacks, "winners": winners, "dealers": dealers}


def _can_go_on(options: Options, stay: list[int], dealer: int, pot: int, stacks: list[int]) -> bool:
    if options["unpaid"] == "all_in":
        return len(stay) >= 2
    return all(stacks[seat] >= due for seat, due in antes(options, stay, dealer, pot).items())


def _share_last_pot(
    options: Options, pot: int, still_in: list[int], dealer: int, stacks: list[int]
) -> None:
    """Give out the pot left at the end (D42); changes `stacks`."""
    takers = still_in
    if options["last_pot"] == "leader":
        most = max(stacks[seat] for seat in still_in)
        takers = [seat for seat in still_in if stacks[seat] == most]
    for seat, chips in share_out(pot, takers, dealer).items():
        stacks[seat] += chips
