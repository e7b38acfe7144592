"""A match as a PettingZoo AEC environment: one agent for each seat, Fate and forced choices played inside."""

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from ._native import Match


class SeatsEnv(AECEnv):
    """The agents are the words of the seats. An observation is the features of the seat, with the mask of its actions.

    An action that is not open raises `MaproomError`; `pettingzoo.utils.wrappers.TerminateIllegalWrapper` makes it a loss.
    """

    metadata = {"render_modes": ["ansi"], "name": "maproom", "is_parallelizable": False}

    def __init__(self, game, options=None, *, render_mode=None):
        super().__init__()
        self.metadata = {**self.metadata, "name": f"maproom_{game}"}
        self.render_mode = render_mode
        self._game, self._options = game, options
        first = Match(game, options, seed=0)
        self.possible_agents = list(first.seats)
        self._number = {agent: at for at, agent in enumerate(self.possible_agents)}
        shape = (len(first.feature_names()),)
        observation = spaces.Dict({
            "observation": spaces.Box(-np.inf, np.inf, shape, np.float32),
            "action_mask": spaces.Box(0, 1, (first.actions,), np.int8),
        })
        self.observation_spaces = {agent: observation for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(first.actions) for agent in self.possible_agents}
        self._random, _ = seeding.np_random()
        self.match = None
        self.agents = []

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        """Begins a match; the same seed gives the same dice."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.match = Match(self._game, self._options, seed=int(self._random.integers(2**63)))
        self.match.play_forced()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.match.mover

    def observe(self, agent):
        space = self.action_space(agent)
        is_to_move = self.match.mover == agent
        mask = self.match.mask() if is_to_move else np.zeros(space.n, np.int8)
        return {"observation": self.match.features(self._number[agent]), "action_mask": mask}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.match.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.match.over:
            self.rewards = {agent: float(reward) for agent, reward in zip(self.agents, self.match.rewards)}
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {agent: {"result": self.match.result} for agent in self.agents}
            after = self.agents.index(agent) + 1
            self.agent_selection = self.agents[after % len(self.agents)]
        else:
            self.agent_selection = self.match.mover
        self._accumulate_rewards()

    def render(self):
        """The board as text, as spectators see it."""
        return self.match.picture("spectator") if self.render_mode == "ansi" else None

    def close(self):
        pass
