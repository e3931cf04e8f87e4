"""Offsets of the state vector and of the rule tables; numbers of phases, actions, outcomes.

The state of a deal is one int64 vector laid out as [public | hidden]: what every seat may see
comes first, so that an agent is given a read-only prefix. The rule tables are one int64 vector
too: the scalar options, then a block for each order of the cards (one a trump suit, and one
more for a trump ace made lowest).
"""

MAX_SEATS = 10
MAX_TRICKS = 10
MAX_DECK = 53
MAX_PLAYS = 52

# phases
OVER, ROB, PLAY, JINK = range(4)

# actions: 0..52 are cards (to play; in the phase ROB: to throw), then
NO_CARD = 53  # also: no card led yet
KEEP, DECLARE_JINK, STOP = 54, 55, 56

# outcomes of a deal
UNFINISHED, SCORED, SPOILED, POT_WON, JINK_MADE, JINK_FAILED = range(6)

# families
COUNTING, POT = range(2)

# effective suits: 0..3 plain, then
TRUMPS = 4
NO_SUIT = 5
SUIT_COUNT = 6

# --- the state: public part ---------------------------------------------------------------------
PHASE = 0
SEAT = 1  # to act
SEATS = 2  # at the table
ACTIVE = 3  # of them playing this deal
SIDES = 4
DEALER = 5
TRUMP = 6  # suit, -1 while a Joker turned up waits
TURNUP = 7  # card, -1 if none
JOKER_TURNED = 8  # 1 if the first turn-up was the Joker, which the dealer takes
ORDER = 9  # offset of the block of the trump suit in the tables, as far as is public
ROBBER = 10  # seat that is seen to have robbed, -1
JINKER = 11  # seat that declared a jink, -1
LEADER = 12
TRICK = 13  # tricks finished
POSITION = 14  # cards on the trick
LED = 15  # card led, NO_CARD
LED_SUIT = 16  # its effective suit, NO_SUIT
BEST = 17  # the card winning the trick so far, packed (see PACKED_*); 0 before the lead
TOP = 18  # the highest card played in the deal, packed: the best trump, once one has fallen
TOP_TRICK = 19  # the trick it fell in, settled at the end of the trick
REFERENCE = 20  # the card against which reneging is judged now
PLAYED = 21  # mask of all cards played
CLAIMER = 22  # seat that has won the pot, -1
OUTCOME = 23
WINNER = 24  # side that has won the game, -1
POT_CHIPS = 25
PLAYS = 26  # cards played
DEALS = 27  # deals of this game finished
TRICKS = 28  # per seat
SIDE_TRICKS = TRICKS + MAX_SEATS  # per side
SCORES = SIDE_TRICKS + MAX_SEATS  # per side: points; pot games: chips per seat
POINTS = SCORES + MAX_SEATS  # of this deal, per side; pot games: net chips per seat
NEXT = POINTS + MAX_SEATS  # the seat to the left that is playing
SIDE_OF = NEXT + MAX_SEATS  # side per seat
WINNERS = SIDE_OF + MAX_SEATS  # seat per trick
HISTORY = WINNERS + MAX_TRICKS  # cards in order of play
PUBLIC_SIZE = HISTORY + MAX_PLAYS

# A played card is packed into one word as power << PACKED_POWER | seat << PACKED_SEAT | card: the
# higher word wins, so that the best so far is a plain maximum.
PACKED_SEAT = 6
PACKED_POWER = 10
CARD_BITS = (1 << PACKED_SEAT) - 1
SEAT_BITS = (1 << (PACKED_POWER - PACKED_SEAT)) - 1

# --- the state: hidden part ---------------------------------------------------------------------
HANDS = PUBLIC_SIZE  # mask per seat
THROWN = HANDS + MAX_SEATS  # mask per seat: cards it threw when robbing
RIGHT = THROWN + MAX_SEATS  # seat that may still rob, -1
HAD_RIGHT = RIGHT + 1  # seat that had the right (not to the Joker), -1
ROBBED = RIGHT + 2  # seat that robbed, -1
KEPT = RIGHT + 3  # seat that let its right pass, -1
WAITING_ACE = RIGHT + 4  # seat that gets the ace it robbed after trick 1, -1
TRUE_ORDER = RIGHT + 5  # as ORDER, with the ace made lowest by a missed rob
DEAL_KEY = RIGHT + 6  # key of the deal's decisions
STOCK = RIGHT + 7  # index into DECK of the next card of the stock
GAME_SEED = RIGHT + 8  # seed of the deals of this game
DECK = RIGHT + 9  # the pack in dealing order, shuffled as far as it was needed
STATE_SIZE = DECK + MAX_DECK

# --- the tables: scalar options -----------------------------------------------------------------
FAMILY = 0
HAND_SIZE = 1
DECK_SIZE = 2
FIXED_TRUMP = 3  # suit, -1 if a card is turned up
HAS_JOKER = 4
HOLDER_ROBS_FIRST = 5  # a holder is asked before the first lead, not at his own first card
DEALER_ROBS_FIRST = 6  # the same for the dealer with the ace turned up
ACE_WAITS = 7  # dealer_ace=after_trick1
DEALER_MUST_ROB = 8
HOLDER_MUST_ROB = 9
ACE_FALLS = 10  # rob_missed=ace_lowest
MISSED_BARS = 11  # rob_missed=barred
ROB_SEEN = 12
CAN_JINK = 13
WIN_TRICKS = 14
PLAY_OUT = 15
TARGET = 16
STOP_AT_TARGET = 17
BONUS = 18
BONUS_NEEDS_TOP = 19
TRICK_SCORING = 20
TIE = 21
LEVEL_PLAYS_ON = 22
SWEEP_WINS = 23
ANTE = 24
ANTE_RULE = 25
POT_CAP = 26  # -1: none
JINK_DOUBLES_POT = 27
JINK_BONUS = 28
STACK = 29
GAME_DEALS = 30  # -1: no limit
ALL_IN = 31
LEADER_TAKES_LAST_POT = 32
FIRST_DEALER = 33  # -1: drawn
DECK_MASK = 34  # the cards of the deck, as a set
DECK_CARDS = 35  # and one by one
CARD_COUNT = 54  # cards 0..52 and NO_CARD
ORDERS = DECK_CARDS + MAX_DECK

# values of options with more than two words
BONUS_NONE, BONUS_BEST_TRUMP, BONUS_LAST_TRICK = range(3)
SCORE_POINTS, SCORE_FIVE_TEN, SCORE_DIFFERENCE = range(3)
TIE_HIGHEST, TIE_NONDEALER, TIE_TRICK_ORDER = range(3)
(
    ANTE_EACH_DEAL,
    ANTE_REDUCED,
    ANTE_DEALER_ONLY,
    ANTE_DEALER_DOUBLE,
    ANTE_NEW_POT_ONLY,
) = range(5)

# --- the tables: one block for each order of the cards ------------------------------------------
MUST = 0  # per reference card: one of these in hand obliges
MAY = MUST + CARD_COUNT  # per reference card: what an obliged hand may play
PAIR = MAY + CARD_COUNT  # per reference card: two of these in hand oblige
INSTEAD = PAIR + CARD_COUNT  # per card led: what a hand without trumps must play, if it can
SUIT = INSTEAD + CARD_COUNT  # effective suit per card
POWER = SUIT + CARD_COUNT  # [suit led][card]: the higher wins the trick, 0 cannot win
JUDGE = POWER + SUIT_COUNT * CARD_COUNT  # per suit led: the state's field with the reference card
BEATERS = JUDGE + SUIT_COUNT  # per card led: the cards that beat it
TRUMP_MASK = BEATERS + CARD_COUNT
TOP_MASK = TRUMP_MASK + 1  # five, jack, ace of hearts, Joker
ACE_CARD = TRUMP_MASK + 2  # the ace of trumps
ORDER_SIZE = TRUMP_MASK + 3
TRUMP_POWER = 100  # every trump has this power or more, every plain card less

SUITS = 4
ORDER_COUNT = 2 * SUITS
MISSED_STEP = SUITS * ORDER_SIZE  # from the order of a suit to that with its ace made lowest
TABLES_SIZE = ORDERS + ORDER_COUNT * ORDER_SIZE

# --- slots: a fixed number for each kind of decision, for keyed randomness ----------------------
SLOT_ROB, SLOT_JINK, SLOT_PLAY = 0, 2, 4
