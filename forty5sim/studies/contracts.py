"""How often each contract is played, and how often it is made, when one bot sits at all seats."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from forty5sim.arena.conditions import Conditions, board_game
from forty5sim.arena.fields import LEVEL_NAMES, measures_of
from forty5sim.arena.match import play_pairing
from forty5sim.arena.plan import MAX_SEED, whole_number
from forty5sim.cards import NO_TRUMP, CardSet
from forty5sim.errors import RuleSetError
from forty5sim.game import Game
from forty5sim.kernels import rows
from forty5sim.named_rules import find_rules
from forty5sim.registry import find_bot
from forty5sim.rules import RuleSet
from forty5sim.seats import Seats
from forty5sim.stats import share

if TYPE_CHECKING:
    import pandas as pd

DEALS = 20_000
HANDS = 4000
MOST_DEALS = 10**9
CHUNK = 2000


def contract_rates(
    game: str | RuleSet,
    *,
    players: int | None = None,
    bot: str = "heuristic",
    deals: int = DEALS,
    seed: int = 1,
) -> pd.DataFrame:
    """Return how often each contract is played and made.

    Args:
        game: rules with an auction, or their spec.
        players: seats; the game's usual number if None.
        bot: who bids and plays, at all seats.
        deals: how many are played; the same table under the same seed.
        seed: fixes cards and chances.

    Returns:
        Two rows for each level of contract and for all together: ``quantity`` ``played``, the
        share of deals in which it was the contract, and ``made``, the share of those that were
        made; ``stratum`` the level; ``value``; ``value_ci``, how far the farther end of
        Wilson's 95 % interval is from it; ``n``, deals or contracts.

    Raises:
        RuleSetError: for a game without an auction, or not for so many players.
        RunError: for numbers out of range.
        AgentError: for a bot that cannot be found.
    """
    import pandas as pd

    conditions = _conditions(game, players, seed)
    deals = whole_number("deals", deals, 2, MOST_DEALS)
    counts = _counts(conditions, bot, deals)
    found: list[dict[str, Any]] = []
    for level, (played, made) in counts.items():
        for quantity, count, n in (("played", played, deals), ("made", made, played)):
            rate = share(count, n)
            row = {"quantity": quantity, "stratum": level, "value": rate.mean}
            found.append({**row, "value_ci": rate.half_width, "n": n})
    return pd.DataFrame(found)


def made_by_hand(
    game: str | RuleSet,
    *,
    players: int | None = None,
    bot: str = "heuristic",
    deals: int = HANDS,
    seed: int = 1,
) -> pd.DataFrame:
    """Return how often contracts with trumps are made, by what the contractor was dealt.

    The deals are those of ``contract_rates`` under the same seed, played card by card.

    Args:
        game: rules with an auction, or their spec.
        players: seats; the game's usual number if None.
        bot: who bids and plays, at all seats.
        deals: how many are played.
        seed: fixes cards and chances.

    Returns:
        Rows as of ``contract_rates`` with the quantity ``made``; strata are the number of trumps
        in the hand as it was dealt, before the kitty, and of the three best trumps (five, jack and
        ace of hearts; Joker and bowers).

    Raises:
        As ``contract_rates``.
    """
    import pandas as pd

    conditions = _conditions(game, players, seed)
    deals = whole_number("deals", deals, 2, MOST_DEALS)
    one, found = find_bot(bot), dict[tuple[int, str], list[bool]]()
    for deal in range(deals):
        table = board_game(conditions, deal)
        hands = table.hands
        for _ in Seats([one] * conditions.players).play_on(table):
            pass
        if table.outcome in ("made", "set") and table.trump not in (None, NO_TRUMP):
            for place, kind in enumerate(_kinds(table, hands[table.bidder or 0])):
                found.setdefault((place, kind), []).append(table.outcome == "made")
    rows_of_hands = []
    for (_, kind), made in sorted(found.items()):
        rate = share(sum(made), len(made))
        row = {"quantity": "made", "stratum": kind, "value": rate.mean}
        rows_of_hands.append({**row, "value_ci": rate.half_width, "n": rate.n})
    return pd.DataFrame(rows_of_hands)


def _kinds(table: Game, hand: CardSet) -> tuple[str, str]:
    """Return what kind of hand the contractor was dealt: trumps, and the three best of them."""
    trumps = [card for card in table.rules.deck_cards() if table.is_trump(card)]
    best = sorted(trumps, key=table.strength)[-3:]
    held, top = (sum(card in hand for card in cards) for cards in (trumps, best))
    return f"{held} trump{'s' * (held != 1)}", f"{top} of the three best trumps"


def _conditions(game: str | RuleSet, players: int | None, seed: int) -> Conditions:
    """Return what is played (errors as in ``contract_rates``)."""
    rules = game if isinstance(game, RuleSet) else find_rules(game)
    if not rules.has_auction:
        raise RuleSetError(f"in {rules.id} nobody bids: there are no contracts")
    seats = rules.default_players if players is None else players
    rules.side_count(seats)
    return Conditions(rules, seats, whole_number("seed", seed, 0, MAX_SEED))


def _counts(conditions: Conditions, bot: str, deals: int) -> dict[str, tuple[int, int]]:
    """Return for each level, and ``all``, how many contracts were played and made."""
    seats, fields = conditions.players, measures_of(conditions.rules)
    levels = LEVEL_NAMES[conditions.rules.family]
    counts = dict.fromkeys(levels, (0, 0))
    for first in range(0, deals, CHUNK):
        found, _ = play_pairing(
            conditions, [find_bot(bot)], [(0,) * seats], first, min(CHUNK, deals - first)
        )
        for level in levels:
            played, made = (_total(found, fields[f"{word}_{level}"], conditions)
                            for word in ("played", "made"))  # fmt: skip
            counts[level] = counts[level][0] + played, counts[level][1] + made
    sums = tuple(sum(column) for column in zip(*counts.values(), strict=True))
    return {**counts, "all": (sums[0], sums[1])}


def _total(found: Any, block: int, conditions: Conditions) -> int:
    """Return what all seats count in a block of some rows."""
    start = rows.HEAD_SIZE + block * conditions.players
    return int(found[:, :, start : start + conditions.players].sum())
