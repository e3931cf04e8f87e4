"""Offsets of the state vector and of the rule tables; numbers of phases, actions, outcomes.

The state of a deal is one int64 vector laid out as [public | hidden]: what every seat may see
comes first, so that an agent is given a read-only prefix. The rule tables are one int64 vector
too: the scalar options, the bids, then a block for each order of the cards: one a trump suit, and
in the games with a turn-up one more for its ace made lowest; in Five Hundred one without trumps,
and one more for each suit that the Joker may be given there.
"""

MAX_SEATS = 10
MAX_TRICKS = 10
MAX_DECK = 53
MAX_PLAYS = 52
MAX_CALLS = 96  # of one auction: 27 bids, each followed by two passes, and a few more
BID_COUNT = 34  # see forty5sim.bids
FIRST_SUIT_BID = 7  # six spades; the other bids of tricks follow
MISERE_BIDS = 3 << 32  # mask of misère and open misère

# cards: 13 * suit + rank, as in forty5sim.cards
SUIT_SIZE = 13
FIVE, JACK, QUEEN, KING, ACE = 3, 9, 10, 11, 12
ACE_OF_HEARTS, JOKER = 51, 52

# phases
OVER, ROB, PLAY, JINK, AUCTION_CALL, NAME_TRUMP, DISCARD, ASSIGN, NAME_SUIT = range(9)

# actions: 0..52 are cards (to play; in the phases ROB and DISCARD to throw), in the phase
# AUCTION_CALL bids, in NAME_TRUMP, ASSIGN and NAME_SUIT suits; then
NO_CARD = 53  # also: no card led yet
KEEP, DECLARE_JINK, STOP, PASS, HOLD, DONE, NO_SUIT_GIVEN = range(54, 61)
JOKER_BARRED = 54  # in place of a card led: the leader may not lead the Joker

# outcomes of a deal
UNFINISHED, SCORED, SPOILED, POT_WON, JINK_MADE, JINK_FAILED, MADE, SET, THROWN_IN = range(9)

# families
COUNTING, POT, AUCTION, FIVE_HUNDRED = range(4)

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
# the auction games
OPENING = HISTORY + MAX_PLAYS  # the seat that leads to the first trick
BIDDER = OPENING + 1  # seat of the standing bid, at last the bidder who plays; -1
BID = OPENING + 2  # number of the standing bid, -1
CALLERS = OPENING + 3  # mask of the seats that may still speak
CALLS = OPENING + 4  # calls made
PASSES = OPENING + 5  # of them, the passes since the last bid
HOLDS = OPENING + 6  # times the dealer has held
LED_SUITS = OPENING + 7  # mask of the effective suits led so far
EXPOSED = OPENING + 8  # mask: the hand laid open after the first trick, as it was then
JOKER_SUIT = OPENING + 9  # the suit that the contractor gave the Joker, -1
COUNTED = OPENING + 10  # deals of this game that were not thrown in
NAMED = OPENING + 11  # the suit that the Joker named when it was led, -1
ALONE = OPENING + 12  # 1 if the deal is played by itself: its points count, and no game
SETS = OPENING + 13  # per side: bids set in this game
DISCARDED = SETS + MAX_SEATS  # per seat: cards thrown in the exchange
CALL_LOG = DISCARDED + MAX_SEATS  # calls in order, packed as seat << CALL_SEAT | action
PUBLIC_SIZE = CALL_LOG + MAX_CALLS
CALL_SEAT = 6
CALL_BITS = (1 << CALL_SEAT) - 1

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
KITTY_CARDS = RIGHT + 9  # mask: the kitty as dealt
EXCHANGING = RIGHT + 10  # mask of the seats that have yet to throw and draw
LAST_THROWN = RIGHT + 11  # the card thrown last by the seat that throws, -1
THROWN_BEFORE = RIGHT + 12  # mask of the cards thrown by seats that have drawn
RESTOCKED = RIGHT + 13  # mask of the thrown cards that were shuffled into a new stock
RESTOCK_SIZE = RIGHT + 14  # how many they are
RESTOCK_NEXT = RIGHT + 15  # index into RESTOCK of the next of them to be drawn
RESTOCK_GIVEN = RIGHT + 16  # how many of them were laid down in RESTOCK before the deal
DECK = RIGHT + 17  # the pack in dealing order, shuffled as far as it was needed
RESTOCK = DECK + MAX_DECK  # the new stock in drawing order
STATE_SIZE = RESTOCK + MAX_DECK

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
TURNS_UP = 35  # a card is turned up
# the auction games
KITTY_SIZE = 36
ONE_ROUND = 37  # everybody speaks once
SPEAK_AGAIN = 38  # rebid_after_pass=on
MAY_HOLD = 39
DISPLACED_ONLY = 40
NEAR_TARGET_BIDS = 41  # mask of the bids that a side with 100 points or more may make
NO_BID_BELOW = 42  # a side with fewer points may not bid
TEN_CALL = 43  # mask of the call of ten, 0 where there is none
ALL_PASS = 44
SEES_KITTY_FIRST = 45  # trumps are named when the kitty has been taken up
DRAWS = 46
BIDDER_DRAWS_FIRST = 47
MIN_KEEP = 48  # -1: by the number of players
BIDDER_MIN_KEEP = 49
FIRST_LEAD = 50
FROZEN_AT = 51  # defenders with so many points score nothing against a bid made; -1: never
BID_OUT = 52  # only a bid made wins
SETS_LOSE = 53  # -1: never
LOSE_AT = 54
SLAM = 55  # all tricks score so much at least
DEFENDERS_SCORE = 56
POINTS_WIN = 57  # win_needs_contract=off
ASSIGN_BIDS = 58  # mask of the bids at which the contractor may give the Joker a suit
NAMES_ANY_SUIT = 59  # joker_lead=any_suit
LEADS_JOKER_LAST = 60  # joker_lead=last_trick_only
HAS_SUITLESS_JOKER = 61  # there are deals with a Joker without a suit
DECK_CARDS = 62  # the cards of the deck one by one
# --- the tables: a number for each bid ----------------------------------------------------------
OVERBIDS = DECK_CARDS + MAX_DECK  # [bid + 1]: mask of the bids over it; [0]: first bids
BID_TRUMP = OVERBIDS + BID_COUNT + 1  # the trump suit it names, 4 no trump, -1: named later
BID_TRICKS = BID_TRUMP + BID_COUNT  # tricks that make it, -1: none may be taken (misère)
BID_POINTS = BID_TRICKS + BID_COUNT  # points that make it
BID_SCORE = BID_POINTS + BID_COUNT  # what it scores when made, -1: the points taken
BID_LOSS = BID_SCORE + BID_COUNT  # what it loses when set
BID_OPEN = BID_LOSS + BID_COUNT  # the hand is laid open after the first trick
BID_LEVEL = BID_OPEN + BID_COUNT  # its place in tables of contracts, 0..6
CARD_COUNT = 55  # cards 0..52, NO_CARD and JOKER_BARRED
ORDERS = BID_LEVEL + BID_COUNT

# values of options with more than two words
BONUS_NONE, BONUS_BEST_TRUMP, BONUS_LAST_TRICK = range(3)
SCORE_POINTS, SCORE_FIVE_TEN, SCORE_DIFFERENCE = range(3)
TIE_HIGHEST, TIE_NONDEALER, TIE_TRICK_ORDER, TIE_BIDDER = range(4)
BAGGED, REDEAL, PLAY_NO_TRUMP = range(3)
LEFT_OF_BIDDER, BIDDER_LEADS, LEFT_OF_DEALER = range(3)
DEFENDERS_ALWAYS, DEFENDERS_IF_SET, DEFENDERS_NEVER = range(3)
LEVEL_COUNT = 7  # places in tables of contracts
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
NO_TRUMP = 4  # in place of a trump suit; its order follows those of the suits
ORDER_COUNT = 2 * SUITS + 1
MISSED_STEP = SUITS * ORDER_SIZE  # from the order of a suit to that with its ace made lowest
NO_TRUMP_ORDER = ORDERS + NO_TRUMP * ORDER_SIZE  # Five Hundred; those with a suit for the Joker
JOKER_ORDERS = NO_TRUMP_ORDER + ORDER_SIZE  # follow, one for each suit
TABLES_SIZE = ORDERS + ORDER_COUNT * ORDER_SIZE

# --- slots: a fixed number for each kind of decision, for keyed randomness ----------------------
SLOT_ROB, SLOT_JINK, SLOT_PLAY = 0, 2, 4
SLOT_TRUMP, SLOT_ASSIGN, SLOT_NAME = 14, 15, 16
SLOT_DISCARD, SLOT_RESTOCK, SLOT_CALL = 32, 48, 64
