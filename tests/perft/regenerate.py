"""Writes the perft counts anew, after a rule was changed on purpose:

    python tests/perft/regenerate.py

The entries are made anew, not kept. Every preset has its usual table, two players and
another number, deals with a rob to decide, to depths that cross a trick, and for two players to the
end of the deal. With an auction: its beginning, the exchange, the first trick, the last ones; in
Five Hundred also a Joker without a suit and misère.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from forty5sim.bids import parse_bid
from forty5sim.cards import JOKER
from forty5sim.counting import perft
from forty5sim.game import Game
from forty5sim.named_rules import presets
from forty5sim.notation import DONE, NO_SUIT, PASS, action_name
from forty5sim.options import FIVE_HUNDRED
from forty5sim.rules import RuleSet
from tests.perft.perft_files import Entry, write_entries

MOST = 400_000
LONGEST = 12


def entries(rules: RuleSet) -> Iterator[Entry]:
    """Yield the entries of a preset."""
    counts = sorted({rules.players[0], rules.default_players, rules.players[-1]})
    if rules.has_auction:
        yield from _of_auctions(rules, counts)
        return
    for players in counts:
        for what, wanted in (("", _always), ("-rob", _somebody_may_rob)):
            yield _counted(f"{rules.name}-{players}{what}", rules, players, wanted)
    if rules.joker != "none":
        yield _counted(f"{rules.name}-joker", rules, rules.default_players, _joker_is_turned)
    if rules.jink == "on":
        yield _before_a_jink(rules)


def _always(game: Game) -> bool:
    return True


def _somebody_may_rob(game: Game) -> bool:
    return game.right_to_rob is not None


def _joker_is_turned(game: Game) -> bool:
    return game.turnup == JOKER


def _counted(name: str, rules: RuleSet, players: int, wanted: Callable[[Game], bool]) -> Entry:
    first = 0 if wanted is _always else 1
    deal = next(
        deal
        for deal in range(first, 10_000)
        if wanted(Game(rules, players, seed=1, deal=deal, dealer=0))
    )
    return with_counts(Entry(name, rules.id, players, seed=1, deal=deal))


def _before_a_jink(rules: RuleSet) -> Entry:
    """Return an entry that starts a trick before a seat may jink."""
    for deal in range(10_000):
        game = Game(rules, rules.players[0], seed=2, deal=deal, dealer=0)
        actions = []
        while not game.deal_is_over and game.phase != "jink":
            actions.append(action_name(game.legal_actions[-1], game.phase))
            game.push(game.legal_actions[-1])
        if game.phase == "jink":
            name, before = f"{rules.name}-jink", tuple(actions[:-3])
            return with_counts(Entry(name, rules.id, game.players, 2, deal, before))
    raise LookupError(f"no jink in {rules.name}")


def _of_auctions(rules: RuleSet, counts: list[int]) -> Iterator[Entry]:
    """Yield the entries of a preset with an auction."""
    for players in counts:
        yield _counted(f"{rules.name}-{players}", rules, players, _always)
        for what, bid, cards_left in (("exchange", "", 0), ("lead", "", -1), ("end", "", 2)):
            yield _within(f"{rules.name}-{players}-{what}", rules, players, bid, cards_left)
    if rules.family == FIVE_HUNDRED:
        for bid in ("6NT", "10NT", "open-misere"):
            yield _within(f"{rules.name}-{bid}-joker", rules, 4, bid, -1)
        yield _within(f"{rules.name}-6NT-end", rules, 4, "6NT", 3)


def _within(name: str, rules: RuleSet, players: int, bid: str, cards_left: int) -> Entry:
    """Return an entry that starts within a deal: eldest makes a bid, the lowest if none is named.

    With ``cards_left`` 0 it starts with the exchange, with -1 when that is over (or the Joker is
    asked about), else when the seat to act has so many cards left. With a bid named the bidder
    holds the Joker.
    """
    for deal in range(10_000):
        game = Game(rules, players, seed=3, deal=deal, dealer=0)
        if bid and JOKER not in game.hands[1]:
            continue
        while not _starts_here(game, cards_left):
            game.push(_usual(game, bid))
        actions = tuple(action_name(step.action, step.phase) for step in game.log)
        return with_counts(Entry(name, rules.id, players, 3, deal, actions))
    raise LookupError(f"no such deal in {rules.name}")


def _starts_here(game: Game, cards_left: int) -> bool:
    """Say whether an entry starts here; see ``_within``."""
    if cards_left > 0:
        return game.phase == "play" and len(game.hands[game.seat]) == cards_left
    exchange = ("discard",) if cards_left == 0 else ()
    return game.phase in (*exchange, "assign", "play")


def _usual(game: Game, bid: str) -> int:
    """Return an action: one bid, as few cards thrown as may be, the Joker without a suit."""
    legal = game.legal_actions
    if game.phase == "auction":
        first = parse_bid(bid) if bid else min(legal)
        return first if game.bid is None else PASS
    if game.phase == "discard" and DONE in legal:
        return DONE
    if game.phase == "discard":
        kept = [card for card in legal if card != JOKER]
        return kept[0]
    return NO_SUIT if game.phase == "assign" else legal[-1 if game.phase == "play" else 0]


def with_counts(entry: Entry) -> Entry:
    """Return an entry with its counts, as deep as there are not too many."""
    game, counts = entry.game(), []
    for depth in range(1, LONGEST + 1):
        count = perft(game, depth)
        if counts and (count > MOST or count == 0):
            break
        counts.append((depth, count))
    return replace(entry, counts=tuple(counts))


def main() -> None:
    """Write the file."""
    written = []
    for name, rules in presets().items():
        written += entries(rules)
        print(name)
    write_entries(written)


if __name__ == "__main__":
    main()
