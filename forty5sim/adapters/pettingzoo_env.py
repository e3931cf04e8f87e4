"""The games as environments of PettingZoo: ``pip install "forty5sim[pettingzoo]"``.

    from forty5sim.adapters import pettingzoo_env

    table = pettingzoo_env.env("spoil-five", players=5)
    table.reset(seed=1)

An episode is one deal, as on a board of a tournament; each agent's reward at its end is its payoff.
See docs/adapters.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from forty5sim.adapters.extras import missing

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise missing("pettingzoo", "pettingzoo") from None

from forty5sim.adapters.chance_deal import Terms
from forty5sim.adapters.memory import RememberedDeal, payoffs
from forty5sim.adapters.observation import ACTION_COUNT, Layout, Sight
from forty5sim.arena.conditions import board_game
from forty5sim.cards import Action, Seat
from forty5sim.errors import RuleSetError, is_whole
from forty5sim.game import MAX_WORD, Step
from forty5sim.named_rules import find_rules
from forty5sim.narration import Narrator
from forty5sim.rules import RuleSet

RENDER_MODES = ["human", "ansi"]


def env(
    rules: RuleSet | str,
    players: int | None = None,
    *,
    pot: int = 0,
    render_mode: str | None = None,
) -> Any:
    """Return an environment that ends the deal when an action is illegal.

    Who acts illegally gets the worst payoff that the rules allow, and the others get none.

    Args:
        rules: a rule set or its spec, as ``"spoil-five:ante=2"``.
        players: the number of seats; the game's usual number if None.
        pot: chips in the pot before the antes (pot games).
        render_mode: ``"human"`` prints the deal in words, ``"ansi"`` returns it; None does neither.

    Raises:
        RuleSetError: for a game, an option, a number of players or a mode that there is not.
    """
    table = raw_env(rules, players, pot=pot, render_mode=render_mode)
    table = wrappers.TerminateIllegalWrapper(table, illegal_reward=table.worst)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(table))


def raw_env(
    rules: RuleSet | str,
    players: int | None = None,
    *,
    pot: int = 0,
    render_mode: str | None = None,
) -> DealEnv:
    """Return an environment that raises IllegalActionError when an action is illegal.

    Arguments and errors are those of ``env``.
    """
    rules = rules if isinstance(rules, RuleSet) else find_rules(rules)
    if render_mode not in (None, *RENDER_MODES):
        raise RuleSetError(f"render_mode must be of {RENDER_MODES}, or None, got {render_mode!r}")
    players = rules.default_players if players is None else players
    return DealEnv(Terms(rules, players, pot=pot), render_mode)


class DealEnv(AECEnv):
    """One deal after the other, an agent a seat.

    Deal k after ``reset(seed=…)`` is board k of a tournament with this seed, dealt by its seat.

    Attributes:
        table: the deal, and what each seat remembers of it.
        layout: what is in an observation.
    """

    def __init__(self, terms: Terms, render_mode: str | None = None) -> None:
        super().__init__()
        rules, players = terms.rules, terms.players
        self.metadata = {
            "name": f"forty5sim_{rules.name.replace('-', '_')}_v0",
            "render_modes": RENDER_MODES,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.layout = Layout(rules, players)
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._terms = terms
        self._seed: int | None = None
        self._deals = 0
        seen = spaces.Box(-1.0, 1.0, (self.layout.size,), np.float32)
        mask = spaces.Box(0, 1, (ACTION_COUNT,), np.int8)
        both = {"observation": seen, "action_mask": mask}
        self.observation_spaces = {agent: spaces.Dict(both) for agent in self.possible_agents}
        self.action_spaces = {
            agent: spaces.Discrete(ACTION_COUNT) for agent in self.possible_agents
        }

    @property
    def worst(self) -> float:
        """The worst payoff that the rules allow a seat."""
        return self._terms.worst

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the next deal; with a seed, the first of that seed. There are no options.

        Without any seed one is drawn.

        Raises:
            RuleSetError: if the seed is no whole number of 64 bits.
        """
        if seed is None and self._seed is None:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        if seed is not None:
            if not is_whole(seed, -MAX_WORD - 1, MAX_WORD):
                raise RuleSetError(f"seed must be a whole number of 64 bits, got {seed!r}")
            self._seed, self._deals = int(seed), 0
        assert self._seed is not None
        deal = board_game(self._terms.conditions(self._seed), self._deals)
        self.table = RememberedDeal(deal)
        self._deals += 1
        self.agents = list(self.possible_agents)
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._story = Narrator(sees_all=True).opening(self.table.game) if self.render_mode else []
        self._turn()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent sees and what it may do: nothing, when it is not its turn."""
        seat = self.possible_agents.index(agent)
        vector = np.zeros(self.layout.size, dtype=np.float32)
        self.layout.write(Sight(self.table.view(seat), seat, self.table.memories[seat]), vector)
        return {"observation": vector, "action_mask": self._mask(seat)}

    def _mask(self, seat: Seat) -> Any:
        mask = np.zeros(ACTION_COUNT, dtype=np.int8)
        if self.table.game.seat == seat:
            mask[self.table.game.legal_actions] = 1
        return mask

    def step(self, action: Action | None) -> None:
        """Carry out the action of the agent whose turn it is; None once the deal is over.

        Raises:
            IllegalActionError: if it is not legal; nothing has changed then.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._push(-1 if action is None else int(action))
        self._clear_rewards()
        self._cumulative_rewards[agent] = 0.0
        if self.table.game.deal_is_over:
            self.rewards = dict(zip(self.agents, payoffs(self.table.game), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._turn()
        if self.render_mode == "human":
            self.render()

    def _turn(self) -> None:
        """Say whose turn it is, and what it may do."""
        game = self.table.game
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if game.deal_is_over:
            self._deads_step_first()
            return
        self.agent_selection = self.possible_agents[game.seat]
        self.infos[self.agent_selection] = {"action_mask": self._mask(game.seat)}

    def _push(self, action: Action) -> None:
        game = self.table.game
        game.verify(action)
        if self.render_mode is None:
            self.table.push(action)
        else:
            self._story += Narrator(sees_all=True).tell(game, self._told(action))

    def _told(self, action: Action) -> Iterator[Step]:
        yield Step(self.table.game.seat, self.table.game.phase, action)
        self.table.push(action)

    def render(self) -> str | None:
        """Tell what has happened in this deal, all cards seen.

        Returns:
            The text of the whole deal so far in the mode ``ansi``. In the mode ``human`` what is
            new is printed.
        """
        text = "\n".join(self._story)
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "human" and self._story:
            print(text)
            self._story = []
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""
