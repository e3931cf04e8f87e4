"""A bot in plain Python: one method for each kind of decision.

It is asked only where it has a choice, and answers with one of ``view.legal``. Try it:

    forty5sim bot check my_bot.py:MyBot
    forty5sim tournament --bots my_bot.py:MyBot heuristic random --boards 2000
"""

from __future__ import annotations

import forty5sim


class MyBot:
    """Wins tricks as cheaply as it can, and leaves those alone that its partner wins."""

    name, version = "my-bot", 1  # raise the version when the bot plays otherwise

    def act(self, view: forty5sim.View) -> int:
        """Return one of ``view.legal``.

        A view holds what this seat may know. ``print(view)`` shows it; what is used most:

        ``phase``, ``seat``, ``players``   what is asked, of whom, at a table of how many
        ``hand``, ``legal``                own cards; what may be answered, ascending
        ``trump``, ``turnup``, ``rules``   a suit 0..3 (None if not known yet), a card, options
        ``trick``, ``history``, ``calls``  pairs (seat, card); finished tricks; pairs (seat, bid)
        ``winning``, ``sides``             (seat, card) that wins the trick; the side of each seat
        ``scores``, ``tricks``, ``pot``    of each side; of each seat; chips
        ``rng``                            random numbers, the same when this is played again

        A card is a number: 13 * suit + rank, suits in the order S C D H, ranks from the two (0) up
        to the ace (12), the Joker is 52. ``forty5sim.card_name(card)`` writes it; ``is_trump``,
        ``strength`` and ``beats_trick`` of the view say what it is worth.
        """
        choose = getattr(self, f"on_{view.phase}")
        return int(choose(view))

    def on_play(self, view: forty5sim.View) -> int:
        """Play a card: the cheapest that wins the trick, else the weakest."""
        cards = sorted(view.legal, key=view.strength)
        if not view.trick:
            return cards[-1]  # the strongest, to lead
        seat, _ = view.winning or view.trick[0]
        if view.sides[seat] == view.sides[view.seat]:
            return cards[0]  # the partner has it
        return next((card for card in cards if view.beats_trick(card)), cards[0])

    def on_rob(self, view: forty5sim.View) -> int:
        """Take the card turned up for the weakest in hand; the answer is the card to throw."""
        weakest = min(view.hand, key=view.strength)
        return weakest if weakest in view.legal else view.legal[0]

    def on_jink(self, view: forty5sim.View) -> int:
        """After three tricks, undertake to win all five with nothing but trumps left."""
        sure = all(view.is_trump(card) for card in view.hand)
        return forty5sim.JINK if sure else forty5sim.STOP

    def on_auction(self, view: forty5sim.View) -> int:
        """Bid the least that can be bid on a suit of more than half the hand, else pass."""
        suit = max(range(4), key=lambda suit: held(view, suit))
        for bid in view.legal if held(view, suit) > len(view.hand) // 2 else []:
            name = forty5sim.BID_NAMES[bid] if bid < len(forty5sim.BID_NAMES) else "pass or hold"
            if name.isdigit() or name[-1] == "SCDH"[suit]:  # "20", or "7H" in Five Hundred
                return bid
        return forty5sim.PASS if forty5sim.PASS in view.legal else view.legal[0]

    def on_discard(self, view: forty5sim.View) -> int:
        """Throw cards that are no trumps, one at a time, ascending; then say DONE."""
        for card in view.legal:
            if card != forty5sim.DONE and not view.is_trump(card):
                return card
        return view.legal[-1]  # DONE, where it is allowed

    def on_trump(self, view: forty5sim.View) -> int:
        """Name as trumps the suit with most cards."""
        suits = [suit for suit in view.legal if suit != forty5sim.NO_SUIT]
        return max(suits, key=lambda suit: held(view, suit))

    on_assign = on_name = on_trump  # in Five Hundred: the suit that the Joker is given, or names


def held(view: forty5sim.View, suit: int) -> int:
    """Return how many cards of a suit are in hand."""
    return sum(card // 13 == suit for card in view.hand)
