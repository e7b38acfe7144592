"""The games for OpenSpiel: chance nodes, tensors of features, resampling of what is hidden. Needs ``open_spiel``.

    import maproom.openspiel, pyspiel
    game = pyspiel.load_game("maproom_echoes")
"""

import numpy as np
import pyspiel

from ._native import Match, games

# Bounds that OpenSpiel wants to know: seats, choices of one game, and results of one draw.
_MOST_SEATS = 3
_LONGEST = 100_000
_MOST_RESULTS = 512


def _types(word, match):
    hides = match.digest is None
    information = pyspiel.GameType.Information
    game_type = pyspiel.GameType(
        short_name=f"maproom_{word}",
        long_name=word,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.IMPERFECT_INFORMATION if hides else information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=_MOST_SEATS,
        min_num_players=1,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"options": ""},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=match.actions,
        max_chance_outcomes=_MOST_RESULTS,
        num_players=len(match.seats),
        min_utility=-1.0,
        max_utility=1.0,
        max_game_length=_LONGEST,
    )
    return game_type, info


class MaproomGame(pyspiel.Game):
    """A set-up of a game. The parameter ``options`` is a text such as "edition=axis,spread=3"."""

    word = ""

    def __init__(self, params=None):
        params = dict(params or {})
        pairs = [pair.split("=", 1) for pair in params.get("options", "").split(",") if pair]
        self.options = dict(pairs)
        first = Match(self.word, self.options, own_dice=True)
        self.feature_count = len(first.feature_names())
        super().__init__(*_types(self.word, first), params)

    def new_initial_state(self):
        return MaproomState(self, Match(self.word, self.options, own_dice=True))

    def make_py_observer(self, iig_obs_type=None, params=None):
        return MaproomObserver(self.feature_count)


class MaproomState(pyspiel.State):
    """A position. Fate is a chance node whose actions are the places of its results in the list."""

    def __init__(self, game, match):
        super().__init__(game)
        self.match = match
        self._game_of = game

    def current_player(self):
        if self.match.over:
            return pyspiel.PlayerId.TERMINAL
        seat = self.match.seat_to_move
        return pyspiel.PlayerId.CHANCE if seat is None else seat

    def _legal_actions(self, player):
        return sorted(self.match.open_actions())

    def chance_outcomes(self):
        weights = self.match.weights()
        whole = sum(weights)
        return [(at, weight / whole) for at, weight in enumerate(weights)]

    def _apply_action(self, action):
        if self.match.seat_to_move is None:
            self.match.choose(action)
        else:
            self.match.choose(self.match.open_actions().index(action))

    def _action_to_string(self, player, action):
        names = self.match.choices()
        if player == pyspiel.PlayerId.CHANCE:
            return names[action] if action < len(names) else f"result {action}"
        open_actions = self.match.open_actions()
        return names[open_actions.index(action)] if action in open_actions else f"action {action}"

    def is_terminal(self):
        return self.match.over

    def returns(self):
        return [float(reward) for reward in self.match.rewards]

    def resample_from_infostate(self, player, sampler):
        """A position that looks the same to a player; ``sampler()`` gives numbers from 0 to 1."""
        seed = int(sampler() * 2**53)
        return MaproomState(self._game_of, self.match.imagine(player, seed))

    def __str__(self):
        return self.match.picture("spectator")


class MaproomObserver:
    """The features of a player."""

    def __init__(self, count):
        self.tensor = np.zeros(count, np.float32)
        self.dict = {"features": self.tensor}

    def set_from(self, state, player):
        state.match.features(player, self.tensor)

    def string_from(self, state, player):
        return state.match.picture(player)


for _game in games():
    _word = _game["game"]
    _class = type(f"Maproom{_word.title()}", (MaproomGame,), {"word": _word})
    pyspiel.register_game(_types(_word, Match(_word, own_dice=True))[0], _class)
