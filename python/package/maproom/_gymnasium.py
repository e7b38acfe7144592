"""Matches as gymnasium environments: one seat among bots, and a batch as a vector environment."""

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ._native import Batch, Bot, MaproomError, Match, games


def _spaces(match_or_batch):
    features, actions = len(match_or_batch.feature_names()), match_or_batch.actions
    observation = spaces.Dict({
        "observation": spaces.Box(-np.inf, np.inf, (features,), np.float32),
        "action_mask": spaces.Box(0, 1, (actions,), np.int8),
    })
    return observation, spaces.Discrete(actions)


class SeatEnv(gymnasium.Env):
    """One seat of a match; bots play the others.

    ``opponent`` is a bot for all other seats, or a dict of bots by seat. The mask of the open actions is in the observation
    and in the info. An action that is not open loses the match, unless ``illegal`` is "raise".
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, game, *, opponent="greedy", seat=0, options=None, illegal="lose", render_mode=None):
        if illegal not in ("lose", "raise"):
            raise MaproomError(f'illegal={illegal!r}: "lose" or "raise"')
        self.render_mode = render_mode
        self._game, self._options, self._illegal = game, options, illegal
        first = Match(game, options, seed=0)
        self._seats = first.seats
        self.seat = seat if isinstance(seat, str) else self._seats[seat]
        self._number = self._seats.index(self.seat)
        others = [other for other in self._seats if other != self.seat]
        self._levels = opponent if isinstance(opponent, dict) else dict.fromkeys(others, opponent)
        self.observation_space, self.action_space = _spaces(first)
        for level in self._levels.values():
            Bot(game, level)
        self.match = None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        draw = lambda: int(self.np_random.integers(2**63))
        self.match = Match(self._game, self._options, seed=draw())
        self._bots = {seat: Bot(self._game, level, draw()) for seat, level in self._levels.items()}
        self.match.play_forced()
        self._let_bots_play()
        return self._observation(), self._info()

    def step(self, action):
        try:
            self.match.step(int(action))
        except MaproomError:
            if self._illegal == "raise" or self.match.over:
                raise
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": True}
        self._let_bots_play()
        reward = float(self.match.rewards[self._number])
        return self._observation(), reward, self.match.over, False, self._info()

    def action_masks(self):
        """The open actions as True and False, as some learners ask for them."""
        return self.match.mask().astype(bool)

    def render(self):
        return self.match.picture(self.seat) if self.render_mode == "ansi" else None

    def _let_bots_play(self):
        while not self.match.over and self.match.mover != self.seat:
            self.match.choose(self._bots[self.match.mover].choose(self.match))
            self.match.play_forced()

    def _mask(self):
        is_to_move = self.match.mover == self.seat
        return self.match.mask() if is_to_move else np.zeros(self.action_space.n, np.int8)

    def _observation(self):
        return {"observation": self.match.features(self._number), "action_mask": self._mask()}

    def _info(self):
        info = {"action_mask": self._mask()}
        if self.match.over:
            info["result"] = self.match.result
        return info


class BatchEnv(VectorEnv):
    """A `Batch` as a vector environment. In a game for several seats the learner plays all of them: the observation is that of
    the seat to move, and the reward that of the seat which has just moved. A match that ends is replaced in the same step.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, game, num_envs=1, *, options=None, seed=0):
        self.batch = Batch(game, num_envs, options, seed=seed)
        self._game, self._options = game, options
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = _spaces(self.batch)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        first = int(self.np_random.integers(2**63)) if seed is None else seed
        self.batch = Batch(self._game, self.num_envs, self._options, seed=first)
        return self._observation(), self._info()

    def step(self, actions):
        movers = self.batch.seats.copy()
        self.batch.step(np.ascontiguousarray(actions, np.int64))
        rewards = self.batch.rewards[np.arange(self.num_envs), movers].astype(np.float64)
        done = self.batch.done.copy()
        info = self._info()
        if done.any():
            closed = np.zeros_like(self.batch.masks)
            info["final_obs"] = {"observation": self.batch.last_features.copy(), "action_mask": closed}
            info["_final_obs"] = done
        return self._observation(), rewards, done, np.zeros(self.num_envs, bool), info

    def _observation(self):
        return {"observation": self.batch.features.copy(), "action_mask": self.batch.masks.copy()}

    def _info(self):
        return {"action_mask": self.batch.masks.copy(), "seat": self.batch.seats.copy()}


def register():
    """Makes the games known to gymnasium as ``maproom/echoes`` and so on."""
    for game in games():
        word = game["game"]
        if f"maproom/{word}" not in gymnasium.registry:
            gymnasium.register(
                id=f"maproom/{word}",
                entry_point="maproom._gymnasium:SeatEnv",
                vector_entry_point="maproom._gymnasium:BatchEnv",
                kwargs={"game": word},
            )
