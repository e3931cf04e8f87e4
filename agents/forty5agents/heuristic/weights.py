"""Every number that the heuristic plays by, and where each comes from.

``experiments/calibrate_bidding.py`` fits the values of hands to the tricks and points that the
same hands take in self-play, and climbs from there; the others were found by hill-climbing in
self-play over several games and tables.
"""

from __future__ import annotations

# --- cards of the five-fingers games --------------------------------------------------------------
RUFF, TRUMP_WORTH, TOP_WORTH, PLAIN_WORTH, DECIDE, DENY, EARLY, SHOWN, JINK_CHANCE = range(9)
DRAW_TRUMPS = 9
CARDS = (
    0.40,  # RUFF: how readily an opponent trumps a plain lead, against having a higher card
    0.30,  # TRUMP_WORTH: what any trump is worth later, in tricks
    0.45,  # TOP_WORTH: what a trump that nothing beats is worth on top
    0.80,  # PLAIN_WORTH: what a plain card that nothing beats is worth later
    0.87,  # DECIDE: stake of a trick that wins the pot
    0.34,  # DENY: least stake of a trick that a rival needs to win the pot
    0.48,  # EARLY: stake of a first trick in Spoil Five; a second one is worth 1
    0.05,  # SHOWN: bonus for leading the suit a partner led
    0.85,  # JINK_CHANCE: least chance of the remaining tricks that is good enough for a jink
    0.10,  # DRAW_TRUMPS: bonus for leading trumps when the own side plays a bid
)

# --- bids of Auction Forty-Fives: points that the side of the bidder takes ------------------------
A_FIVE = len(CARDS)
(
    A_JACK,
    A_HEARTS_ACE,
    A_ACE,
    A_KING,
    A_QUEEN,
    A_LOW,
    A_KITTY,
    A_ALONE,
    A_SIDES,  # of two sides; those of three to six follow
) = range(A_FIVE + 1, A_FIVE + 10)
(
    A_SPREAD,
    A_ALL,
    A_ALL_SPREAD,
    A_PARTNER_BID,
    A_PASS,
    A_PARTNER_STANDS,
    A_AGAINST_STANDS,
) = range(A_SIDES + 5, A_SIDES + 12)
POINTS = (
    7.1,  # A_FIVE: each trump by its kind
    5.0,  # A_JACK
    4.0,  # A_HEARTS_ACE
    3.1,  # A_ACE
    2.7,  # A_KING
    2.1,  # A_QUEEN
    1.0,  # A_LOW
    0.4,  # A_KITTY: each card of the kitty
    0.30,  # A_ALONE: the share by which cards are worth more without partners
    *(11.7, 6.8, 4.3, 2.5, 1.7),  # A_SIDES: the start of the sum, for two to six sides
    3.5,  # A_SPREAD: how uncertain the sum is
    29.0,  # A_ALL: the sum at which all five tricks are an even chance
    2.5,  # A_ALL_SPREAD
    2.8,  # A_PARTNER_BID: a partner who has bid
    0.0,  # A_PASS: what passing is worth
    16.0,  # A_PARTNER_STANDS: what it is worth on top when the partner's bid stands
    -0.6,  # A_AGAINST_STANDS: what it costs on top when an opponent's bid stands
)

# --- bids of Five Hundred: tricks that the side of the contractor takes ---------------------------
H_BASE = A_FIVE + len(POINTS)
(
    H_JOKER,
    H_RIGHT,
    H_LEFT,
    H_ACE,
    H_KING,
    H_QUEEN,
    H_LOW,
    H_SIDE_ACE,
    H_SIDE_KING,
    H_SHORT,
) = range(H_BASE + 1, H_BASE + 11)
(N_BASE, N_JOKER, N_ACE, N_KING, N_QUEEN, N_LONG) = range(H_SHORT + 1, H_SHORT + 7)
(
    H_SPREAD,
    H_NARROW,
    H_LEAST_SPREAD,
    H_PARTNER_SUIT,
    H_PARTNER_OTHER,
    H_SUPPORT,
    H_AGAINST_SUIT,
    H_PASS,
    H_AGAINST_STANDS,
    H_PARTNER_STANDS,
    H_GAME,
    M_EVEN,
    M_SPREAD,
    M_OPEN,
) = range(N_LONG + 1, N_LONG + 15)
TRICKS = (
    3.48,  # H_BASE
    1.11,  # H_JOKER
    0.88,  # H_RIGHT: the jack of trumps
    0.71,  # H_LEFT: the other jack of its colour
    0.61,  # H_ACE: trumps
    0.54,  # H_KING
    0.49,  # H_QUEEN
    0.41,  # H_LOW
    0.47,  # H_SIDE_ACE
    0.15,  # H_SIDE_KING: with another card of its suit
    0.11,  # H_SHORT: each void or singleton beside trumps
    2.3,  # N_BASE: without trumps
    2.0,  # N_JOKER
    0.80,  # N_ACE
    0.55,  # N_KING: with another card of its suit
    0.3,  # N_QUEEN: with two others
    0.25,  # N_LONG: each card of a suit beyond the fourth
    0.40,  # H_SPREAD: how uncertain a sum of five tricks is
    0.15,  # H_NARROW: how much less uncertain each trick more makes it
    0.45,  # H_LEAST_SPREAD
    0.7,  # H_PARTNER_SUIT: the partner bid this suit
    0.13,  # H_PARTNER_OTHER: the partner bid another
    1.9,  # H_SUPPORT: what a partner who bid this suit counts on finding in one's hand
    0.95,  # H_AGAINST_SUIT: an opponent bid this suit
    10.0,  # H_PASS: what passing is worth, in points
    0.33,  # H_AGAINST_STANDS: what it costs on top, per point of the opponents' standing bid
    0.4,  # H_PARTNER_STANDS: what it is worth on top, per point of the partner's standing bid
    220.0,  # H_GAME: what passing costs on top when that bid would win them the game
    3.5,  # M_EVEN: the danger at which a misère is an even chance
    3.0,  # M_SPREAD: how uncertain the danger is
    3.3,  # M_OPEN: danger on top when the hand lies open
)

# --- cards of Five Hundred ------------------------------------------------------------------------
C_TRUMP = H_BASE + len(TRICKS)
(C_TOP, C_PLAIN, C_GUARD, C_HELP, C_DRAW, C_AGAINST) = range(C_TRUMP + 1, C_TRUMP + 7)
CONTRACT_CARDS = (
    0.48,  # C_TRUMP: what any trump is worth later, in tricks
    0.32,  # C_TOP: what a trump that nothing beats is worth on top
    0.20,  # C_PLAIN: what a plain card that nothing beats is worth later
    0.13,  # C_GUARD: what a card with one above it is worth with another of its suit
    0.15,  # C_HELP: the chance that a partner to come takes a trick
    0.70,  # C_DRAW: bonus for leading trumps while opponents may have some, for the contractor
    0.39,  # C_AGAINST: malus for a defender's trump lead
)

PARAMS = (*CARDS, *POINTS, *TRICKS, *CONTRACT_CARDS)
