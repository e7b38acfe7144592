"""A batch gives the same positions as single matches, step by step."""

import threading

import numpy as np
import pytest

import maproom


def choose(masks, random):
    """A random open action in every row."""
    return np.where(masks > 0, random.random(masks.shape), -1.0).argmax(axis=1)


@pytest.mark.parametrize("game, steps", [("echoes", 400), ("blitz", 120), ("dday", 40), ("triumph", 40), ("surrender", 20)])
def test_a_batch_equals_matches_step_by_step(game, steps):
    count = 4
    batch = maproom.Batch(game, count, seed=10)
    matches = [maproom.Match(game, seed=10 + at) for at in range(count)]
    for match in matches:
        match.play_forced()
    random = np.random.default_rng(1)
    ended = 0
    for _ in range(steps):
        for at, match in enumerate(matches):
            assert batch.seats[at] == match.seat_to_move
            assert (batch.features[at] == match.features()).all()
            assert (batch.masks[at] == match.mask()).all()
        actions = choose(batch.masks, random)
        batch.step(actions)
        for at, action in enumerate(actions):
            matches[at].step(int(action))
            assert batch.done[at] == matches[at].over
            assert batch.rewards[at].tolist() == matches[at].rewards
            if matches[at].over:
                ended += 1
                matches[at] = maproom.Match(game, seed=int(batch.seeds[at]))
                matches[at].play_forced()
    assert ended > 0 or game in ("dday", "triumph", "surrender")
    assert batch.features.shape == (count, len(batch.feature_names()))
    assert batch.masks.shape == (count, batch.actions)
    assert batch.rewards.shape == (count, len(batch.seat_names))


def test_the_same_seed_gives_the_same_batch():
    digests = []
    for _ in range(2):
        batch, random = maproom.Batch("blitz", 8, seed=5), np.random.default_rng(2)
        total = 0.0
        for _ in range(50):
            batch.step(choose(batch.masks, random))
            total += float(batch.features.sum()) + float(batch.rewards[:, 0].sum())
        digests.append((total, batch.seeds.tolist()))
    assert digests[0] == digests[1]
    batch = maproom.Batch("blitz", 8, seed=5)
    first = batch.features.copy()
    batch.step(choose(batch.masks, np.random.default_rng(2)))
    assert (batch.features != first).any()
    batch.reset()
    assert (batch.features == first).all()


def test_a_bad_action_is_refused_and_nothing_has_happened():
    batch = maproom.Batch("echoes", 3, seed=1)
    before = batch.features.copy()
    actions = batch.masks.argmax(axis=1)
    actions[2] = batch.masks[2].argmin()
    with pytest.raises(maproom.MaproomError, match="match 2: action"):
        batch.step(actions)
    assert (batch.features == before).all()
    with pytest.raises(maproom.MaproomError, match="there are 3 matches, but 2 actions"):
        batch.step(actions[:2].copy())
    with pytest.raises(maproom.MaproomError, match="at least one match"):
        maproom.Batch("echoes", 0)


def test_other_threads_run_while_a_batch_steps():
    """Each thread has a batch of its own; all of them come to what one alone comes to."""

    def total(seed, results):
        batch, random = maproom.Batch("echoes", 64, seed=seed), np.random.default_rng(seed)
        wins = 0.0
        for _ in range(60):
            batch.step(choose(batch.masks, random))
            wins += float(batch.rewards.sum()) + float(batch.features.sum())
        results[seed] = wins

    alone, together = {}, {}
    for seed in range(3):
        total(seed, alone)
    threads = [threading.Thread(target=total, args=(seed, together)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert alone == together
