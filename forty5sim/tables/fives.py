"""The orders of the cards in the five-fingers games, as the kernels look them up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from forty5sim.cards import ACE_OF_HEARTS, HEARTS, Card, Mask, Suit, mask_of
from forty5sim.kernels import layout
from forty5sim.kernels.vector import Vector
from forty5sim.ranking import plain_order, privileged, top_trumps, trump_ace, trump_order
from forty5sim.rules import RuleSet


def fill_order(block: Vector, rules: RuleSet, trump: Suit, *, ace_lowest: bool) -> None:
    """Write everything that depends on the trump suit."""
    trumps = trump_order(rules, trump, ace_lowest=ace_lowest)
    plain = {s: plain_order(rules, s) for s in range(layout.SUITS) if s != trump}
    trump_mask = mask_of(trumps)
    block[layout.TRUMP_MASK] = trump_mask
    block[layout.TOP_MASK] = mask_of(top_trumps(trump, ace_lowest=ace_lowest))
    block[layout.ACE_CARD] = trump_ace(trump)
    block[layout.SUIT : layout.SUIT + layout.CARD_COUNT] = layout.NO_SUIT
    for suit, order in [*plain.items(), (layout.TRUMPS, trumps)]:
        for card in order:
            block[layout.SUIT + card] = suit
            beaters = mask_of(order[: order.index(card)])
            block[layout.BEATERS + card] = (
                beaters if suit == layout.TRUMPS else beaters | trump_mask
            )
            _fill_legality(block, rules, card, order, trump, ace_lowest=ace_lowest)
    _fill_power(block, plain, trump_order(rules, trump))
    if ace_lowest:
        _make_ace_lowest(block, trump_ace(trump))
    block[layout.JUDGE : layout.JUDGE + layout.SUIT_COUNT] = layout.LED
    block[layout.JUDGE + layout.TRUMPS] = {
        "highest_so_far": layout.BEST,
        "expires_in_deal": layout.TOP,
    }.get(rules.renege, layout.LED)


def _fill_power(block: Vector, plain: dict[Suit, tuple[Card, ...]], trumps: Sequence[Card]) -> None:
    """Write what each card can win: trumps above everything, then the suit led."""
    power = block[layout.POWER : layout.POWER + layout.SUIT_COUNT * layout.CARD_COUNT]
    rows = power.reshape(layout.SUIT_COUNT, layout.CARD_COUNT)
    for suit, order in plain.items():
        for height, card in enumerate(reversed(order), start=1):
            rows[suit, card] = height
    for height, card in enumerate(reversed(trumps), start=1):
        rows[:, card] = layout.TRUMP_POWER + height


def _make_ace_lowest(block: Vector, ace: Card) -> None:
    """Put the ace below the other trumps without moving them: some may lie on the table."""
    power = block[layout.POWER : layout.POWER + layout.SUIT_COUNT * layout.CARD_COUNT]
    power.reshape(layout.SUIT_COUNT, layout.CARD_COUNT)[:, ace] = layout.TRUMP_POWER


def _fill_legality(
    block: Vector,
    rules: RuleSet,
    led: Card,
    order: tuple[Card, ...],
    trump: Suit,
    *,
    ace_lowest: bool,
) -> None:
    """Write which cards oblige and which satisfy when ``led``, of the suit ``order``, is led."""
    trumps = int(block[layout.TRUMP_MASK])
    if not trumps >> led & 1:
        must, may = _plain_duty(rules, mask_of(order), trumps)
        pair = 0
    else:
        may = trumps
        privilege = trumps & mask_of(privileged(rules, trump, ace_lowest=ace_lowest))
        must = trumps & ~_releasable(rules, led, order, privilege)
        pair = privilege if rules.renege == "single_unconditional" else 0
    block[layout.MUST + led] = must
    block[layout.MAY + led] = may
    block[layout.PAIR + led] = pair
    if rules.ah_lead_needs_heart == "on" and led == ACE_OF_HEARTS and trump != HEARTS:
        block[layout.INSTEAD + led] = mask_of(plain_order(rules, HEARTS))


def _plain_duty(rules: RuleSet, follow: Mask, trumps: Mask) -> tuple[Mask, Mask]:
    """Return what obliges and what satisfies when a plain suit is led (docs/rules.md 2.2)."""
    return {
        "follow_or_trump": (follow, follow | trumps),
        "strict_follow": (follow, follow),
        "must_follow_or_trump": (follow | trumps, follow | trumps),
        "free": (0, 0),
    }[rules.plain_lead]


def _releasable(rules: RuleSet, led: Card, order: Iterable[Card], privilege: Mask) -> Mask:
    """Return the trumps that may be kept back against a trump (docs/rules.md 2.3, 2.4)."""
    if rules.renege == "none":
        return 0
    if rules.renege == "single_unconditional":
        return privilege
    higher = list(order)[: list(order).index(led)]
    return privilege & mask_of(higher)
