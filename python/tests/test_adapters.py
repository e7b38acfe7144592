"""The adapters pass the tests of the libraries that they are for."""

import warnings

import numpy as np
import pytest

import maproom


def quick(game):
    return {"surrender": 40, "triumph": 40, "dday": 60}.get(game, 200)


def test_pettingzoo_accepts_every_game(game):
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(maproom.aec(game), num_cycles=quick(game), verbose_progress=False)


def test_pettingzoo_games_are_the_same_with_the_same_seed():
    pytest.importorskip("pettingzoo")
    logs = []
    for _ in range(2):
        env = maproom.aec("blitz", render_mode="ansi")
        env.reset(seed=4)
        random = np.random.default_rng(4)
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            is_over = termination or truncation
            env.step(None if is_over else int(random.choice(np.flatnonzero(observation["action_mask"]))))
        assert env.match.over and isinstance(env.render(), str)
        logs.append(env.match.log())
    assert logs[0] == logs[1]


@pytest.mark.parametrize("game", ["echoes", "blitz"])
def test_gymnasium_accepts_the_games(game):
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(gymnasium.make(f"maproom/{game}").unwrapped)


def test_a_seat_plays_against_a_captain():
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("maproom/blitz", opponent="recruit", seat="allies", illegal="raise")
    observation, info = env.reset(seed=3)
    random = np.random.default_rng(3)
    for _ in range(500):
        assert (info["action_mask"] == observation["action_mask"]).all()
        action = random.choice(np.flatnonzero(info["action_mask"]))
        observation, reward, terminated, truncated, info = env.step(action)
        if terminated:
            break
    assert terminated and not truncated and reward in (-1.0, 1.0) and info["result"]


def test_an_action_that_is_not_open_loses():
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("maproom/echoes")
    _, info = env.reset(seed=1)
    _, reward, terminated, _, info = env.step(int(info["action_mask"].argmin()))
    assert terminated and reward == -1.0 and info["illegal"]
    with pytest.raises(maproom.MaproomError, match="unknown bot"):
        gymnasium.make("maproom/blitz", opponent="capitan")


def test_a_vector_environment_over_a_batch():
    gymnasium = pytest.importorskip("gymnasium")
    envs = gymnasium.make_vec("maproom/echoes", num_envs=16, vectorization_mode="vector_entry_point")
    observation, info = envs.reset(seed=5)
    assert observation in envs.observation_space
    random = np.random.default_rng(5)
    ended = 0
    for _ in range(200):
        masks = observation["action_mask"]
        actions = np.where(masks > 0, random.random(masks.shape), -1.0).argmax(axis=1)
        observation, rewards, terminated, truncated, info = envs.step(actions)
        assert ((rewards == 0) | terminated).all() and not truncated.any()
        ended += int(terminated.sum())
    assert ended > 16 and observation in envs.observation_space


@pytest.mark.parametrize("game", ["echoes", "blitz"])
def test_openspiel_simulates_the_games(game):
    pyspiel = pytest.importorskip("pyspiel")
    import maproom.openspiel  # noqa: F401

    pyspiel.random_sim_test(pyspiel.load_game(f"maproom_{game}"), num_sims=1, serialize=False, verbose=False)


def test_openspiel_resamples_what_is_hidden():
    pyspiel = pytest.importorskip("pyspiel")
    import maproom.openspiel  # noqa: F401

    game = pyspiel.load_game("maproom_blitz")
    state, random = game.new_initial_state(), np.random.default_rng(1)
    for _ in range(14):
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes())
            assert abs(sum(chances) - 1) < 1e-9
            state.apply_action(int(random.choice(actions, p=chances)))
        else:
            state.apply_action(int(random.choice(state.legal_actions())))
    other = state.resample_from_infostate(0, random.random)
    assert list(other.observation_tensor(0)) == list(state.observation_tensor(0))
    assert other.current_player() == state.current_player()
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert copy.match.steps == state.match.steps + 1
