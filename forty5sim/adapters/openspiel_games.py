"""The games for OpenSpiel: ``pip install "forty5sim[openspiel]"``.

Loading this module registers a Python game for each preset, ``forty5sim_spoil_five`` and so on,
with the parameters ``players``, ``dealer``, ``pot`` and ``options``::

    from forty5sim.adapters import openspiel_games

    game = openspiel_games.load("spoil-five:jink=off", players=4)
    game = pyspiel.load_game("forty5sim_spoil_five(players=4,options=jink:off)")  # the same

A game is one deal, as on a board of a tournament, its returns the payoffs. All chance is explicit:
who deals (unless ``dealer`` names a seat), each card dealt, turned up and drawn. See
docs/adapters.md for what information states hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from forty5sim.adapters.extras import missing

try:
    import pyspiel
except ImportError:
    raise missing("open_spiel", "openspiel") from None

from forty5sim.adapters.chance_deal import DRAWN_BY_LOT, ChanceDeal, Terms, outcomes_of
from forty5sim.adapters.memory import RememberedDeal, payoffs
from forty5sim.adapters.observation import ACTION_COUNT, Layout, Sight, told
from forty5sim.agent import View
from forty5sim.cards import Action, Seat, card_name
from forty5sim.errors import RunError, ViewError
from forty5sim.game import Game
from forty5sim.histories import Own, replayed
from forty5sim.infoset import determinize
from forty5sim.kernels.layout import MAX_CALLS, MAX_DECK
from forty5sim.named_rules import find_rules, presets
from forty5sim.notation import action_name
from forty5sim.options import Value
from forty5sim.rules import RuleSet

PREFIX = "forty5sim_"
MOST_TRIES = 1000
"""Determinizations that are tried until one agrees with what a seat remembers; the first does,
but where the stock has run out."""


def load(
    rules: RuleSet | str, players: int | None = None, *, dealer: Seat = DRAWN_BY_LOT, pot: int = 0
) -> Any:
    """Return a game of OpenSpiel, a ``pyspiel.Game``.

    Args:
        rules: a rule set or its spec, as ``"spoil-five:ante=2"``; any rule set will do.
        players: the number of seats; the game's usual number if None.
        dealer: the seat that deals; by default every seat is equally likely.
        pot: chips in the pot before the antes (pot games).

    Raises:
        RuleSetError: for a game, an option, a number of players or a dealer that there is not.
    """
    rules = rules if isinstance(rules, RuleSet) else find_rules(rules)
    terms = Terms(rules, rules.default_players if players is None else players, dealer, pot)
    name, options = _preset_and_options(rules)
    parameters = {"players": terms.players, "dealer": dealer, "pot": pot, "options": options}
    return pyspiel.load_game(short_name(name), parameters)


def short_name(preset: str) -> str:
    """Return what OpenSpiel calls the game of a preset.

    >>> short_name("spoil-five")
    'forty5sim_spoil_five'
    """
    return PREFIX + preset.replace("-", "_")


def _preset_and_options(rules: RuleSet) -> tuple[str, str]:
    """Return a preset, and the options that make it these rules."""
    near = [preset for preset in presets().values() if preset.family == rules.family]
    named = [preset for preset in near if preset.name == rules.name]
    base = (named or near)[0]
    standard = base.options()
    changes = {key: value for key, value in rules.options().items() if value != standard[key]}
    return base.name, _options_text(changes)


def _options_text(options: Mapping[str, Value]) -> str:
    """Return options as a parameter of a game: ``ante:2;jink:off``, for = and , are taken."""
    return ";".join(f"{name}:{value}" for name, value in options.items())


@cache
def _terms(preset: str, players: int, dealer: int, pot: int, options: str) -> Terms:
    """Return the terms that the parameters of a game set."""
    changes = ",".join(entry.replace(":", "=", 1) for entry in options.split(";") if entry)
    return Terms(find_rules(f"{preset}:{changes}" if changes else preset), players, dealer, pot)


# --- games and states --------------------------------------------------------------------------


class DealGame(pyspiel.Game):
    """A deal of one preset as a game of OpenSpiel; each preset has a class of its own.

    Attributes:
        preset: the name of the preset.
        terms: what is played.
    """

    preset: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        rules = presets()[self.preset]
        given = {**_parameters(rules), **(params or {})}
        given.pop("name", None)
        self.terms = _terms(self.preset, **given)
        super().__init__(game_type(rules), _game_info(self.terms), dict(params or {}))

    def new_initial_state(self) -> DealState:
        """Return the state before anything is dealt."""
        return DealState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound on the number of chances in a deal: the dealer, and each card once.

        Cards that were thrown may come again.
        """
        return 1 + 2 * MAX_DECK

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> DealObserver:
        """Return what observes states: by default the observer without perfect recall.

        Raises:
            RunError: for parameters, and for the private cards of all players at once.
        """
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise RunError(f"an observer takes no parameters, got {params!r}")
        return DealObserver(self.terms, kind)


class DealState(pyspiel.State):
    """A deal under way, or one that is still being dealt.

    Attributes:
        deal: the deal, by actions of chance and of the seats.
    """

    def __init__(self, game: DealGame) -> None:
        super().__init__(game)
        self.deal = ChanceDeal(game.terms)
        self._player = int(pyspiel.PlayerId.CHANCE)

    @property
    def table(self) -> RememberedDeal:
        """The cards as they were dealt, and what each seat remembers.

        Raises:
            ViewError: if the cards are still being dealt.
        """
        if self.deal.table is None:
            raise ViewError("the cards are still being dealt")
        return self.deal.table

    def view(self, player: Seat) -> View:
        """Return what a seat sees: what our bots decide by.

        Raises:
            ViewError: if the cards are still being dealt, or there is no such seat.
        """
        return self.table.view(player)

    def current_player(self) -> int:
        """Return the seat to act, or that chance does, or that the deal is over."""
        return self._player

    def _legal_actions(self, player: int) -> list[Action]:
        return self.table.game.legal_actions if player == self._player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what may be dealt or drawn, ascending; all equally likely."""
        outcomes = self.deal.outcomes
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, action: int) -> None:
        if self._player == pyspiel.PlayerId.CHANCE:
            self.deal.draw(action)
        else:
            self.deal.push(action)
        self._player = self._next_player()

    def _next_player(self) -> int:
        if self.deal.table is None or self.deal.waiting:
            return int(pyspiel.PlayerId.CHANCE)
        game = self.deal.table.game
        return int(pyspiel.PlayerId.TERMINAL) if game.deal_is_over else game.seat

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return action_name(action, self.table.game.phase)
        if self.deal.table is None and self.deal.dealer is None:
            return f"seat {action} deals"
        verb = "draw" if self.deal.waiting else "deal"
        return f"{verb} {card_name(action)}"

    def is_terminal(self) -> bool:
        """Say whether the deal is over."""
        return self._player == int(pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Return the payoff of each seat once the deal is over, zeros before."""
        if not self.is_terminal():
            return [0.0] * self.deal.terms.players
        return payoffs(self.table.game)

    def resample_from_infostate(self, player: Seat, sampler: Callable[[], float]) -> DealState:
        """Return a state that the player cannot tell from this one, each history equally likely.

        Args:
            player: the seat to act.
            sampler: gives random numbers from 0 to 1.

        Raises:
            ViewError: while cards are dealt or another seat is choosing what to throw.
        """
        table = self.table
        view, memory = table.view(player), table.memories[player]
        took_kitty = view.rules.kitty_size > 0 and view.bidder == player and memory.gained
        own = Own(memory.dealt, memory.gained[0] if took_kitty else 0)
        for _ in range(MOST_TRIES):
            seed = int(sampler() * 2**53)
            words = determinize(view, 1, seed).states[0]
            state = state_of(self.get_game(), replayed(view, words, str(seed), own))
            if state.table.memories[player] == memory:
                return state
        raise ViewError(f"no deal was found that agrees with what seat {player} remembers")

    def __str__(self) -> str:
        if self.deal.table is not None:
            return str(self.deal.table.game)
        cards = " ".join(map(card_name, self.deal.dealt))
        return f"dealer {'?' if self.deal.dealer is None else self.deal.dealer}, dealt {cards}"


def state_of(game: DealGame, deal: Game) -> DealState:
    """Return the state of a deal that was played up to some point: a record, a determinization.

    Args:
        game: a game with the same rules and players.
        deal: the deal; its log is played again.

    Raises:
        ViewError: if the deal is not one of this game.
    """
    terms = game.terms
    is_other_game = (deal.rules, deal.players) != (terms.rules, terms.players)
    if is_other_game or terms.fixed_dealer not in (None, deal.dealer):
        raise ViewError(f"{deal!r}, dealer {deal.dealer}, is no deal of {game}")
    if terms.game(deal.dealer, deal.pack).before != deal.before:
        raise ViewError(f"{deal!r} began with {deal.before}; {game} begins without a past")
    state = game.new_initial_state()
    chances = outcomes_of(terms, deal)
    actions = iter(deal.log)
    while True:
        if state.current_player() == pyspiel.PlayerId.CHANCE:
            state.apply_action(next(chances))
        elif step := next(actions, None):
            state.apply_action(step.action)
        else:
            return state


class DealObserver:
    """What a seat sees of a state, as numbers and as text (see ``observation``).

    Attributes:
        tensor: the numbers, float32.
        dict: the same by the names of the pieces; they share the memory of ``tensor``.
    """

    def __init__(self, terms: Terms, kind: Any) -> None:
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise RunError("an observer sees its own seat's cards, not those of all players")
        self._public = bool(kind.public_info)
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recall = bool(kind.perfect_recall)
        self._layout = Layout(
            terms.rules,
            terms.players,
            public=self._public,
            private=self._private,
            recall=self._recall,
        )
        self.tensor = np.zeros(self._layout.size, dtype=np.float32)
        self.dict = self._layout.parts(self.tensor)

    def set_from(self, state: DealState, player: Seat) -> None:
        """Write into ``tensor`` what a seat sees; zeros while cards are dealt."""
        if state.deal.table is None:
            self.tensor.fill(0)
        else:
            self._layout.write(self._sight(state.deal.table, player), self.tensor)

    def string_from(self, state: DealState, player: Seat) -> str:
        """Return in words what a seat sees."""
        if state.deal.table is None:
            return "the cards are being dealt"
        return told(
            self._sight(state.deal.table, player),
            public=self._public,
            private=self._private,
            recall=self._recall,
        )

    def _sight(self, table: RememberedDeal, player: Seat) -> Sight:
        view = table.view(player) if self._private else table.open_view()
        return Sight(view, player, table.memories[player])


# --- what OpenSpiel is told of a game ------------------------------------------------------------


def _parameters(rules: RuleSet) -> dict[str, Any]:
    """Return the parameters of a game with their defaults."""
    usual = rules.default_players
    return {"players": usual, "dealer": DRAWN_BY_LOT, "pot": 0, "options": ""}


@cache
def game_type(rules: RuleSet) -> Any:
    """Return what kind of game a preset is, as OpenSpiel wants to know."""
    kind = pyspiel.GameType
    return kind(
        short_name=short_name(rules.name),
        long_name=f"forty5sim {rules.name}",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=max(rules.players),
        min_num_players=min(rules.players),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=_parameters(rules),
    )


def _game_info(terms: Terms) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=ACTION_COUNT,
        max_chance_outcomes=MAX_DECK,
        num_players=terms.players,
        min_utility=terms.worst,
        max_utility=terms.best,
        utility_sum=0.0,
        max_game_length=longest(terms),
    )


def longest(terms: Terms) -> int:
    """Return a bound on the number of decisions in a deal, forced ones too."""
    rules = terms.rules
    plays = terms.players * int(rules.hand_size)
    if not rules.has_auction:
        return plays + 3  # the Joker, a rob, a jink
    thrown = plays + rules.kitty_size + terms.players  # and each seat is done
    return MAX_CALLS + 1 + thrown + 2 + plays  # trumps; a suit for the Joker, given or named


def _register() -> None:
    """Register the games: classes, for OpenSpiel lets go of what it was given without Python."""
    for name, rules in presets().items():
        own = type(f"{DealGame.__name__}[{name}]", (DealGame,), {"preset": name})
        pyspiel.register_game(game_type(rules), own)


_register()
