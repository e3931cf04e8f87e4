"""Earlier tricks that were not told: drawn among those that lead to what was told.

Cards are dealt evenly to whoever may hold them and played at random within the rules; a past is
kept if it leads to the trick on the table, with the hand that is left.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from forty5sim.advice.positions import key_of
from forty5sim.advice.telling import NOBODY, Told
from forty5sim.agent import View, view_of
from forty5sim.cards import Action, Card, Mask, Seat, mask_of
from forty5sim.errors import PositionError
from forty5sim.notation import JINK, KEEP, STOP

PASTS = 40
MOST_ATTEMPTS = 20_000


def drawn_pasts(told: Told, missing: int, seed: int) -> tuple[tuple[View, ...], list[str]]:
    """Return what the seat to act sees after each of some pasts, and what was assumed.

    Raises:
        PositionError: if no past was found that leads to what was told.
    """
    if len(told.thrown) != (told.robbed == told.seat):
        raise PositionError("thrown: it is the card you threw for the turn-up, if you robbed")
    rng = random.Random(f"{seed}/{told}")
    views: list[View] = []
    for _ in range(MOST_ATTEMPTS):
        view = _Past(told, rng).view()
        if view is not None:
            views.append(view)
        if len(views) == PASTS:
            break
    if len(views) < PASTS:
        raise PositionError(
            f"of {MOST_ATTEMPTS:,} earlier tricks drawn only {len(views)} lead to what was told;"
            " tell them (tricks=…), or check the cards"
        )
    tricks = "the earlier trick is" if missing == 1 else f"the {missing} earlier tricks are"
    open_ = [
        word
        for word, known in (("who dealt", told.dealer), ("who won what", told.won))
        if known is None
    ]
    left_open = f" ({' and '.join(open_)} left open)" if open_ else ""
    words = [
        f"{tricks} not told: {PASTS} pasts were drawn, of random legal play that leads to what is"
        f" told{left_open}"
    ]
    if told.turnup is not None and told.robbed is None:
        words.append("nobody is taken to have robbed, but a dealer who must")
    return tuple(views), words


class _Past:
    """One past, played at random; ``view`` is what it leads to."""

    def __init__(self, told: Told, rng: random.Random) -> None:
        self.told = told
        self.rng = rng
        self.size = int(told.rules.hand_size)
        self.leader: Seat = (told.seat - len(told.trick)) % told.players
        self.kept = self._kept()
        dealer = rng.randrange(told.players) if told.dealer is None else told.dealer
        self.game = told.dealt(dealer, self._pack())

    def _kept(self) -> dict[Seat, Mask]:
        """Return the cards that a seat may not have parted with before this trick."""
        told = self.told
        kept = {(self.leader + i) % told.players: 1 << c for i, c in enumerate(told.trick)}
        return kept | {told.seat: mask_of(told.hand)}

    def _pack(self) -> list[Card]:
        """Return a pack: what is known in its place, the rest at random."""
        told, rules = self.told, self.told.rules
        turned = [] if told.turnup is None else [told.turnup]
        dealt = {seat: self._known(seat) for seat in range(told.players)}
        placed = {card for cards in dealt.values() for card in cards} | set(turned)
        rest = [card for card in rules.deck_cards() if card not in placed]
        self.rng.shuffle(rest)
        pack: list[Card] = []
        for cards in dealt.values():
            short = self.size - len(cards)
            pack += [*cards, *rest[:short]]
            rest = rest[short:]
        return [*pack, *turned, *rest]

    def _known(self, seat: Seat) -> list[Card]:
        """Return the cards that a seat must have been dealt."""
        told = self.told
        held = [told.trick[i] for i in self._places_of(seat)]
        if seat == told.seat:
            held = [*told.hand, *told.thrown]
        return [card for card in held if card != told.turnup]

    def _places_of(self, seat: Seat) -> Sequence[int]:
        place = (seat - self.leader) % self.told.players
        return [place] if place < len(self.told.trick) else []

    def view(self) -> View | None:
        """Return what the seat to act sees, None if this past does not lead there."""
        told, game = self.told, self.game
        missing = self.size - len(told.hand)
        while not game.deal_is_over and (len(game.history) < missing or game.phase == "jink"):
            if self._is_due(missing):
                break
            action = self._action()
            if action is None:
                return None
            game.push(action)
        if not self._fits(missing):
            return None
        for card in told.trick:
            if game.phase != "play" or not game.can(card):
                return None
            game.push(card)
        return self._seen()

    def _is_due(self, missing: int) -> bool:
        """Say whether it is the jink that is to be decided now."""
        game, told = self.game, self.told
        mine = game.phase == "jink" and game.seat == told.seat and told.jinked is None
        return mine and len(game.history) == missing and not told.trick

    def _action(self) -> Action | None:
        """Return what the seat to act does, None if it can do nothing that fits."""
        game, told = self.game, self.told
        if game.phase == "jink":
            return JINK if told.jinked == game.seat else STOP
        if game.phase == "rob" and game.seat != told.robber(game.dealer):
            return KEEP if game.can(KEEP) else None
        kept = self.kept.get(game.seat, 0)
        if game.phase == "rob" and game.seat == told.seat:
            kept = ~mask_of(told.thrown)
        legal = [a for a in game.legal_actions if a != KEEP and not kept >> a & 1]
        return self.rng.choice(legal) if legal else None

    def _fits(self, missing: int) -> bool:
        """Say whether this past leads to the trick on the table."""
        game, told = self.game, self.told
        robber = told.robber(game.dealer)
        robbed = [step.seat for step in game.log if step.phase == "rob" and step.action != KEEP]
        return (
            not game.deal_is_over
            and len(game.history) == missing
            and robbed == ([] if robber == NOBODY else [robber])
            and (told.won is None or tuple(game.tricks) == told.won)
            and told.jinked == game.jinker
            and game.seat == self.leader
        )

    def _seen(self) -> View | None:
        """Return the view, if it is this seat's turn with this hand."""
        game, told = self.game, self.told
        if game.deal_is_over or game.seat != told.seat:
            return None
        view = view_of(game)
        if view.hand.mask != mask_of(told.hand) or view.phase == "rob":
            return None
        view.key = key_of(view, 0)
        return view
