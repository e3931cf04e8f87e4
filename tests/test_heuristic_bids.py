"""The heuristic in games with an auction: worked situations, and what must hold in all of them."""

import random

import pytest

from forty5sim import Game, presets, tournament
from forty5sim.cards import CardSet, parse_card
from forty5sim.game import pack_of
from forty5sim.named_rules import find_rules
from forty5sim.notation import DONE, action_name, parse_action
from forty5sim.registry import find_bot
from forty5sim.seats import Seats

AUCTIONS = [name for name, rules in presets().items() if rules.has_auction]
HEURISTIC = find_bot("heuristic")


def deal(spec, hands, *, dealer=3, played="", kitty="", scores=None):
    """Deal these hands (the others are filled up) and take these actions, split by commas."""
    rules = find_rules(spec)
    size = int(rules.hand_size)
    held = {seat: list(CardSet.parse(text)) for seat, text in hands.items()}
    aside = list(CardSet.parse(kitty))
    named = {card for hand in held.values() for card in hand} | set(aside)
    spare = [card for card in rules.deck_cards() if card not in named]
    random.Random(3).shuffle(spare)
    full = [[*held.get(s, []), *(spare.pop() for _ in range(size - len(held.get(s, []))))]
            for s in range(4)]  # fmt: skip
    game = Game(rules, 4, dealer=dealer, pack=pack_of(full, aside, rules), scores=scores)
    for action in filter(None, (word.strip() for word in played.split(","))):
        game.push(parse_action(action))
    return game


def choice(game):
    """Return what the heuristic does now, as text."""
    return action_name(Seats([HEURISTIC] * game.players).answer(game), game.phase)


def thrown(game):
    """Let the heuristic throw; return its cards."""
    seat, cards = game.seat, []
    while game.phase == "discard" and game.seat == seat:
        action = Seats([HEURISTIC] * game.players).answer(game)
        if action != DONE:
            cards.append(action_name(action))
        game.push(action)
    return set(cards)


# Auction Forty-Fives

STRONG, FAIR, WEAK = "5H AH QH 9C 8S", "KS 3S 4C 8D 9H", "9S 8C 6D 4C 2H"


def test_a_strong_hand_bids_and_a_weak_one_passes():
    assert choice(deal("auction-forty-fives", {0: STRONG})) == "bid 15"
    assert choice(deal("auction-forty-fives", {0: WEAK}, played="")) in ("pass", "bid 15")
    assert choice(deal("auction-forty-fives", {1: WEAK}, played="bid 20")) == "pass"


def test_it_bids_no_more_than_it_takes():
    game = deal("auction-forty-fives", {1: STRONG}, played="bid 15")
    assert choice(game) == "bid 20"


def test_all_five_tricks_are_bid_when_they_are_likely_and_worth_it():
    sure = {0: "5H JH AH KH QH"}
    assert choice(deal("auction-forty-fives", sure)) == "bid 30"
    assert choice(deal("auction-forty-fives", sure, scores=[110, 0])) == "bid 15"


def test_a_partner_s_bid_is_left_alone_and_counted():
    game = deal("auction-forty-fives", {2: FAIR}, played="bid 20, pass")
    assert choice(game) == "pass"
    game = deal("auction-forty-fives", {0: FAIR}, played="pass, pass, bid 20", dealer=0)
    alone = choice(game)
    game = deal("auction-forty-fives", {0: FAIR}, played="pass, bid 15, bid 20", dealer=0)
    assert (alone, choice(game)) == ("pass", "hold")


def test_the_dealer_holds_a_bid_that_it_can_make():
    game = deal("auction-forty-fives", {3: STRONG}, played="bid 20, pass, pass")
    assert choice(game) == "hold"


def test_it_names_its_best_suit_and_throws_what_is_no_trump():
    game = deal("auction-forty-fives", {0: STRONG}, kitty="2C 10H 7S", played="bid 20")
    while game.phase == "auction":
        game.push(parse_action("pass"))
    assert choice(game) == "trump H"
    game.push(parse_action("trump H"))
    assert thrown(game) == {"9C", "8S", "2C", "7S"}


@pytest.mark.parametrize("name", AUCTIONS)
def test_no_card_is_kept_that_a_thrown_one_of_its_suit_beats(name):
    seats = Seats([HEURISTIC] * 4)
    for seed in range(60):
        game = Game(name, 4, seed=seed)
        for _ in seats.play_on(game):
            misere = game.bid is not None and game.bid >= 32
            if game.phase == "play":
                break
        if game.deal_is_over or misere:
            continue
        for seat in range(4):
            full = set(game.thrown[seat])
            kept = set(game.hands[seat])
            for out in full:
                for held in kept:
                    same = game.effective_suit(out) == game.effective_suit(held)
                    drawn = held not in set(CardSet(dealt_to(game, seat)))
                    assert drawn or not same or game.strength(held) > game.strength(out)


def dealt_to(game, seat):
    """Return the mask of the cards that a seat chose from: dealt, and of the kitty."""
    size = int(game.rules.hand_size)
    cards = game.pack[seat * size : (seat + 1) * size]
    if seat == game.bidder:
        cards = [*cards, *game.kitty]
    return cards


# Five Hundred

SOLID = "JK JH JD AH KH QH 10H AS AC 4D"
LOW = "5S 6S 7S 5C 6C 8C 4D 5D 4H 6H"


def test_a_solid_suit_is_bid_high_and_a_hand_of_nothing_is_passed():
    bid = choice(deal("five-hundred", {0: SOLID}))
    assert bid in ("bid 8H", "bid 9H", "bid 10H")
    assert choice(deal("five-hundred", {0: "QS 9S 7S QC 9C 7C QD 9D 7D QH"})) == "pass"


def test_no_more_is_bid_than_the_game_needs():
    assert choice(deal("five-hundred", {0: SOLID}, scores=[420, 0])) == "bid 6H"


def test_misere_is_bid_with_a_low_hand_when_it_may_be():
    assert choice(deal("five-hundred", {1: LOW}, played="bid 7S")) in (
        "bid misere",
        "bid open-misere",
    )
    assert choice(deal("five-hundred", {1: SOLID}, played="bid 7S")) != "bid misere"


def test_the_joker_and_high_cards_are_thrown_at_misere():
    low = "5S 6S 7S 5C 6C 8C 4D 5D 4H JK"
    game = deal("five-hundred:misere=anytime", {0: low}, kitty="AH AD 7H", played="bid misere")
    while game.phase == "auction":
        game.push(parse_action("pass"))
    assert thrown(game) == {"JK", "AH", "AD"}


def after_the_auction(hands, kitty, bid):
    game = deal("five-hundred", hands, kitty=kitty, played=f"bid {bid}")
    while game.phase == "auction":
        game.push(parse_action("pass"))
    while game.phase in ("discard", "assign"):
        game.push(Seats([HEURISTIC] * 4).answer(game))
    return game


def test_the_contractor_throws_low_plain_cards_and_draws_trumps():
    game = after_the_auction({0: SOLID}, "5C 6S 7D", "8H")
    assert {str(CardSet([c])) for c in game.thrown[0]} <= {"5C", "6S", "7D", "4D"}
    assert game.is_trump(parse_card(choice(game)))


def test_a_defender_does_not_waste_the_joker():
    hands = {0: "JH JD AH KH QH 10H 9H AS KS QS", 1: "JK 5C 6C 7C 8C 4D 5D 6D 7D 8D",
             2: "8H 5S 6S 7S 8S 9C 10C 9D 10D QD", 3: "7H 6H AC KC QC JC AD KD JS 9S"}  # fmt: skip
    game = after_the_auction(hands, "5H 4H 10S", "9H")
    game.push(parse_card("AH"))
    assert game.seat == 1  # it holds no trump but the Joker, and must follow with it
    assert game.legal_actions == [parse_card("JK")]


def test_the_misere_contractor_ducks():
    hands = {0: LOW}
    game = deal("five-hundred:misere=anytime", hands, kitty="AH AD KC", played="bid misere")
    game.push(parse_action("pass"))
    game.push(parse_action("pass"))
    game.push(parse_action("pass"))
    seats = Seats([HEURISTIC] * 4)
    for _ in seats.play_on(game):
        pass
    assert game.outcome == "made"


# Against the floor, and among themselves


@pytest.mark.parametrize("name", AUCTIONS)
def test_it_beats_random_by_far(name, tmp_path):
    result = tournament(name, ["heuristic", "random"], boards=300, results=tmp_path)
    best = result.table[0]
    assert best["bot"] == "heuristic"
    assert best["payoff"] > 10 * best["payoff_ci"]


@pytest.mark.parametrize("name", AUCTIONS)
def test_half_of_its_contracts_are_made(name, tmp_path):
    bots = ["heuristic"] * 4
    result = tournament(name, bots, boards=2000, results=tmp_path, table=True)
    played = sum(row["played"] for row in result.contracts)
    made = sum(row["made"] for row in result.contracts)
    assert 0.22 < played <= 0.26  # a quarter of the deals for each of the four seats
    assert made > 0.5 * played
    assert len({row["contract"] for row in result.contracts if row["contracts"]}) >= 3
