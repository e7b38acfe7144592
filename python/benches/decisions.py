"""Decisions per second of processor time, with masks and features: `cargo xtask python bench`.

Small games of PettingZoo and OpenSpiel are measured in the same run, as those libraries are used: with observations and masks.
Everything runs in one thread, and the processor's time is counted, not the clock's, so that a busy machine does no harm.
"""

import random
import sys
import time

import numpy as np

import maproom

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0


def measure(name, run):
    """The best of three rounds: `run(until)` makes decisions until the processor time `until` and says how many."""
    run(time.process_time() + SECONDS / 10)
    best = 0.0
    for _ in range(3):
        begin = time.process_time()
        decisions = run(begin + SECONDS / 3)
        best = max(best, decisions / (time.process_time() - begin))
    print(f"{name:58} {best:12,.0f} decisions/s", flush=True)


def match(game, into_buffers):
    """A match at a time, each decision with its mask and features, and an action that is drawn from the open ones."""
    names, actions = maproom.Match(game, seed=0).feature_names(), maproom.Match(game, seed=0).actions
    features, mask = np.zeros(len(names), np.float32), np.zeros(actions, np.int8)
    draw = random.Random(1).random

    def run(until):
        decisions, seed = 0, 0
        while True:
            table, seed = maproom.Match(game, seed=seed), seed + 1
            table.play_forced()
            while not table.over:
                if into_buffers:
                    table.features(out=features)
                    table.mask(out=mask)
                else:
                    table.features()
                    table.mask()
                opened = table.open_actions()
                table.step(opened[int(draw() * len(opened))])
                decisions += 1
            if time.process_time() >= until:
                return decisions

    return run


def batch(game, count):
    """A batch, with an action for every match that is drawn from the mask in numpy before the clock counts."""
    matches = maproom.Batch(game, count, seed=1)
    noise = np.random.default_rng(1).random((count, matches.actions), np.float32) + 1

    def run(until):
        decisions = 0
        while time.process_time() < until:
            matches.step((matches.masks * np.roll(noise, decisions // count % 97, axis=1)).argmax(axis=1))
            decisions += count
        return decisions

    return run


def batch_alone(game, count):
    """The same without drawing: the time of `step` alone, which fills features, masks, seats and rewards."""
    matches = maproom.Batch(game, count, seed=1)
    random_numbers = np.random.default_rng(1)
    spent = [0.0]

    def run(until):
        decisions, spent[0] = 0, 0.0
        begin = time.process_time()
        while spent[0] < until - begin:
            actions = (matches.masks * random_numbers.random(matches.masks.shape, np.float32)).argmax(axis=1)
            before = time.process_time()
            matches.step(actions)
            spent[0] += time.process_time() - before
            decisions += count
        return decisions

    def only_steps(name):
        run(time.process_time() + SECONDS / 10)
        best = 0.0
        for _ in range(3):
            decisions = run(time.process_time() + SECONDS / 3)
            best = max(best, decisions / spent[0])
        print(f"{name:58} {best:12,.0f} decisions/s", flush=True)

    return only_steps


def pettingzoo(make):
    env = make()
    choose = np.random.default_rng(1)

    def run(until):
        decisions, seed = 0, 0
        while time.process_time() < until:
            env.reset(seed=seed)
            seed += 1
            for _ in env.agent_iter():
                observation, _, termination, truncation, _ = env.last()
                if termination or truncation:
                    env.step(None)
                    continue
                opened = np.flatnonzero(observation["action_mask"])
                env.step(int(opened[int(choose.random() * len(opened))]))
                decisions += 1
        return decisions

    return run


def openspiel(name):
    import pyspiel

    game = pyspiel.load_game(name)
    draw = random.Random(1).random

    def run(until):
        decisions = 0
        while time.process_time() < until:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(state.chance_outcomes()[0][0])
                    continue
                state.observation_tensor()
                state.legal_actions_mask()
                opened = state.legal_actions()
                state.apply_action(opened[int(draw() * len(opened))])
                decisions += 1
        return decisions

    return run


def pgx(name, count):
    """Games of pgx in a batch that is compiled as one, as it is meant to be used: random open actions, drawn inside."""
    import jax
    import jax.numpy as jnp
    import pgx as games

    env = games.make(name)

    def decide(state, key):
        wish = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(key, wish, axis=1)
        keys = jax.random.split(key, count)
        following = jax.vmap(env.step)(state, actions, keys)
        ended = following.terminated | following.truncated
        begun = jax.vmap(env.init)(keys)
        pick = lambda new, old: jnp.where(ended.reshape((-1,) + (1,) * (old.ndim - 1)), new, old)
        return jax.tree_util.tree_map(pick, begun, following)

    @jax.jit
    def round_of(state, key):
        keys = jax.random.split(key, 50)
        last, _ = jax.lax.scan(lambda state, key: (decide(state, key), None), state, keys)
        return last

    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), count))
    round_of(start, jax.random.PRNGKey(1)).observation.block_until_ready()

    def run(until):
        decisions, state = 0, start
        while time.process_time() < until:
            state = round_of(state, jax.random.PRNGKey(decisions))
            state.observation.block_until_ready()
            decisions += 50 * count
        return decisions

    return run


def main():
    measure("echoes, Match, features and mask into buffers", match("echoes", True))
    measure("echoes, Match, features and mask as new arrays", match("echoes", False))
    for count in (64, 1024):
        batch_alone("echoes", count)(f"echoes, Batch of {count}, step alone")
        measure(f"echoes, Batch of {count}, random actions drawn in numpy", batch("echoes", count))
    batch_alone("blitz", 256)("blitz, Batch of 256, step alone")
    try:
        from pettingzoo.classic import tictactoe_v3

        measure("echoes, PettingZoo AEC of this package", pettingzoo(lambda: maproom.aec("echoes")))
        measure("tic-tac-toe of PettingZoo", pettingzoo(tictactoe_v3.env))
    except ImportError as why:
        print(f"PettingZoo is not measured: {why}")
    try:
        measure("tic-tac-toe of OpenSpiel (C++)", openspiel("tic_tac_toe"))
        measure("Kuhn poker of OpenSpiel (C++)", openspiel("kuhn_poker"))
    except ImportError as why:
        print(f"OpenSpiel is not measured: {why}")
    try:
        for name in ("tic_tac_toe", "kuhn_poker"):
            measure(f"{name} of pgx (JAX), batch of 1024, random actions inside", pgx(name, 1024))
    except ImportError as why:
        print(f"pgx is not measured: {why}")


main()
