"""The whole game tree of a mini deck: all deals and all ways to play them, level by level.

Level k holds all nodes after k cards. The children of a node stand side by side in the next
level, one for each legal card in the order of the deck. The last trick is not in the tree,
because both players have one card left: its winner is worked out instead. Seat 0 leads to the
first trick, and payoffs are those of seat 0: +1 or -1.

An information set (infoset) is what the player to move knows: the hand dealt to them and the
public sequence of cards played. All its nodes have the same legal cards. Each pair of an infoset
and a legal card is an *action*; actions are numbered through the whole tree, level by level and
infoset by infoset, so that a policy of both seats is one array of probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tests.reference.mini_decks import Ints, MiniDeck, PlayTables, mask_of, play_tables

Floats = NDArray[np.float64]
NONE = -1  # no card led, no infoset, no earlier action


@dataclass(frozen=True)
class Infosets:
    """Information sets as arrays with one entry for each."""

    seat: Ints
    choices: Ints  # how many legal cards
    first_action: Ints  # number of its first action
    parent_action: Ints  # the last action of the same player before it, or NONE


@dataclass(frozen=True)
class Level:
    """The nodes after so many cards, as arrays with one entry for each node."""

    mover: Ints
    infoset: Ints  # counted from the first infoset of the level; NONE where the game is over
    first_child: Ints
    children: Ints  # how many; 0 where the game is over
    payoff: Floats  # 0 where the game goes on
    parent: Ints  # empty at the root level, as are `card` and `action`
    card: Ints  # the card that led here
    action: Ints  # the action that led here, counted from the first action of the level above
    inner: Ints  # the nodes where the game goes on
    infosets: Infosets
    actions: slice  # the actions of this level among those of the tree


@dataclass(frozen=True)
class Tree:
    """A game tree, and the infosets of all its levels together."""

    deck: MiniDeck
    dealt: Ints  # [seat, deal]: the mask of the hand dealt
    levels: list[Level]
    infosets: Infosets
    seat: Ints  # of each action

    @property
    def deals(self) -> int:
        """The number of deals, which are the nodes of level 0 and equally likely."""
        return len(self.dealt[0])

    @property
    def nodes(self) -> int:
        """The number of nodes, those where the game is over included."""
        return sum(len(level.mover) for level in self.levels)

    def path(self, depth: int, node: int) -> tuple[int, list[int]]:
        """The deal that a node belongs to, and the cards played before it."""
        played = []
        for level in self.levels[depth:0:-1]:
            played.append(int(level.card[node]))
            node = int(level.parent[node])
        return node, played[::-1]


@dataclass(frozen=True)
class Positions:
    """The nodes of a level while the tree is built; arrays of two rows have a row for each seat."""

    dealt: Ints  # [seat]: number of the hand dealt
    hand: Ints  # [seat]: mask of the cards still held
    won: Ints  # [seat]: tricks won
    last_action: Ints  # [seat]: number of the last action, or NONE
    leader: Ints
    led: Ints  # the card led, or NONE
    public: Ints  # number of the public sequence of cards played
    parent: Ints
    card: Ints
    action: Ints

    @property
    def mover(self) -> Ints:
        """The seat to play."""
        return np.where(self.led == NONE, self.leader, 1 - self.leader)


def build_tree(deck: MiniDeck) -> Tree:
    """Enumerate all deals and all ways to play them."""
    tables, positions, first_action = play_tables(deck), all_deals(deck), 0
    dealt = positions.hand
    levels: list[Level] = []
    for depth in range(2 * deck.hand_size - 1):
        last = depth == 2 * deck.hand_size - 2
        payoff = last_trick(tables, positions) if last else majority(deck, positions)
        legal = legal_cards(tables, positions, payoff)
        levels.append(make_level(positions, legal, payoff, first_action))
        first_action = levels[-1].actions.stop
        if not last:
            positions = play_all(tables, positions, legal, levels[-1], len(deck.cards()))
    infosets = join([level.infosets for level in levels])
    return Tree(deck, dealt, levels, infosets, np.repeat(infosets.seat, infosets.choices))


def all_deals(deck: MiniDeck) -> Positions:
    """Every pair of hands without a common card."""
    places = range(len(deck.cards()))
    hands = np.array([mask_of(hand) for hand in combinations(places, deck.hand_size)])
    dealt = np.array(np.nonzero(hands[:, None] & hands[None, :] == 0))
    zeros, empty = np.zeros(len(dealt[0]), np.int64), np.empty(0, np.int64)
    return Positions(
        dealt=dealt,
        hand=hands[dealt],
        won=np.zeros_like(dealt),
        last_action=np.full_like(dealt, NONE),
        leader=zeros,
        led=np.full_like(zeros, NONE),
        public=zeros,
        parent=empty,
        card=empty,
        action=empty,
    )


def majority(deck: MiniDeck, positions: Positions) -> Floats:
    """The payoff where a seat has won most of all the tricks, else 0."""
    enough = (positions.won == deck.majority).astype(float)
    payoff: Floats = enough[0] - enough[1]
    return payoff


def last_trick(tables: PlayTables, positions: Positions) -> Floats:
    """The payoff when both seats have one card left and must play it."""
    place = np.bitwise_count(positions.hand - 1).astype(np.int64)  # of the only bit
    leader, won = positions.leader, positions.won.copy()
    reply_wins = tables.reply_wins[of_seat(place, leader), of_seat(place, 1 - leader)]
    won[np.where(reply_wins, 1 - leader, leader), np.arange(len(leader))] += 1
    payoff: Floats = np.sign(won[0] - won[1]).astype(float)
    return payoff


def of_seat(rows: Ints, seat: Ints) -> Ints:
    """Of two rows, one for each seat, the entry of the seat asked for at each node."""
    entry: Ints = np.where(seat == 0, rows[0], rows[1])
    return entry


def legal_cards(tables: PlayTables, positions: Positions, payoff: Floats) -> Ints:
    """The mask of legal cards at each node; nothing is legal when the game is over."""
    hand = of_seat(positions.hand, positions.mover)
    return np.where(payoff == 0, tables.legal(hand, positions.led), 0)


def make_level(positions: Positions, legal: Ints, payoff: Floats, first_action: int) -> Level:
    """Number the children, the infosets and the actions of a level."""
    inner, children = np.flatnonzero(legal), np.bitwise_count(legal).astype(np.int64)
    number, one_node = find_infosets(positions, inner)
    infoset = np.full(len(legal), NONE)
    infoset[inner] = number
    choices = children[one_node]
    infosets = Infosets(
        seat=positions.mover[one_node],
        choices=choices,
        first_action=first_action + before(choices),
        parent_action=of_seat(positions.last_action, positions.mover)[one_node],
    )
    return Level(
        mover=positions.mover,
        infoset=infoset,
        first_child=before(children),
        children=children,
        payoff=payoff,
        parent=positions.parent,
        card=positions.card,
        action=positions.action,
        inner=inner,
        infosets=infosets,
        actions=slice(first_action, first_action + int(choices.sum())),
    )


def find_infosets(positions: Positions, inner: Ints) -> tuple[Ints, Ints]:
    """The infoset of each inner node, and one node of each infoset."""
    own_hand = of_seat(positions.dealt, positions.mover)
    knowledge = positions.public * (positions.dealt.max() + 1) + own_hand
    _, first, number = np.unique(knowledge[inner], return_index=True, return_inverse=True)
    return number, inner[first]


def before(counts: Ints) -> Ints:
    """The sum of the counts before each place."""
    return np.cumsum(counts) - counts


def play_all(
    tables: PlayTables, positions: Positions, legal: Ints, level: Level, deck_size: int
) -> Positions:
    """Play every legal card at every node; return the positions of the next level."""
    parent, card = children_of(level, legal, deck_size)
    led, leader = positions.led[parent], positions.leader[parent]
    ends_trick = led != NONE
    leader = np.where(ends_trick & tables.reply_wins[led, card], 1 - leader, leader)
    choice = np.arange(len(parent)) - level.first_child[parent]
    action = level.infosets.first_action[level.infoset[parent]] + choice
    _, public = np.unique(positions.public[parent] * deck_size + card, return_inverse=True)
    seats = np.array([[0], [1]])
    moves = seats == level.mover[parent]
    return Positions(
        dealt=positions.dealt[:, parent],
        hand=positions.hand[:, parent] & ~np.where(moves, 1 << card, 0),
        won=positions.won[:, parent] + (ends_trick & (seats == leader)),
        last_action=np.where(moves, action, positions.last_action[:, parent]),
        leader=leader,
        led=np.where(ends_trick, NONE, card),
        public=public,
        parent=parent,
        card=card,
        action=action - level.actions.start,
    )


def children_of(level: Level, legal: Ints, deck_size: int) -> tuple[Ints, Ints]:
    """The parent and the card of each node of the next level, in order."""
    parent = np.repeat(np.arange(len(legal)), level.children)
    card = np.empty_like(parent)
    for place in range(deck_size):
        nodes = np.flatnonzero(legal >> place & 1)
        lower = np.bitwise_count(legal[nodes] & ((1 << place) - 1))
        card[level.first_child[nodes] + lower] = place
    return parent, card


def join(parts: list[Infosets]) -> Infosets:
    """The infosets of all levels together."""
    return Infosets(
        seat=np.concatenate([part.seat for part in parts]),
        choices=np.concatenate([part.choices for part in parts]),
        first_action=np.concatenate([part.first_action for part in parts]),
        parent_action=np.concatenate([part.parent_action for part in parts]),
    )
