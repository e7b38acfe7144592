"""A batch gives the same positions as single matches, step by step."""

import re
import threading
from pathlib import Path

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


def test_a_bot_suggests_actions():
    batch = maproom.Batch("blitz", 6, seed=3)
    every = np.ones(6, bool)
    for _ in range(30):
        suggested = batch.suggest("greedy")
        assert batch.masks[np.arange(6), suggested].all()
        some = every.copy()
        some[::2] = False
        assert (batch.suggest("greedy", some) == np.where(some, suggested, -1)).all()
        batch.step(suggested)
    assert (batch.suggest("random", seed=1) == batch.suggest("random", seed=1)).all()
    assert any((batch.suggest("random", seed=1) != batch.suggest("random", seed=seed)).any() for seed in range(2, 9))
    assert batch.masks[np.arange(6), batch.suggest("recruit")].all()
    with pytest.raises(maproom.MaproomError, match="unknown bot"):
        batch.suggest("capitan")
    with pytest.raises(maproom.MaproomError, match="there are 6 matches, but `where` has 5"):
        batch.suggest("greedy", every[:5].copy())


def test_a_suggestion_is_what_the_bot_chooses():
    batch, match = maproom.Batch("blitz", 1, seed=8), maproom.Match("blitz", seed=8)
    greedy = maproom.Bot("blitz", "greedy")
    match.play_forced()
    while not match.over:
        action = int(batch.suggest("greedy")[0])
        assert match.choices()[match.open_actions().index(action)] == greedy.choose(match)
        match.step(action)
        batch.step(np.array([action]))
    assert batch.done[0]


def crowded():
    """A scenario of one's own where everybody arrives at once, anywhere in the west: more choices than there are actions."""
    scenario = Path(__file__).parents[2] / "crates" / "dday" / "data" / "scenarios" / "09_remagen.toml"
    zones = ", ".join(f'"{column:02}{row:02}"' for column in range(1, 7) for row in range(1, 11))
    text = scenario.read_text(encoding="utf-8")
    return re.sub(r'(id = "us-[^\n]*)arrive = {[^}]*}', rf"\1arrive = {{ turn = 1, zones = [{zones}] }}", text)


def test_a_list_that_is_too_long_is_cut_off_and_does_no_harm():
    options = {"scenario": crowded()}
    batch, match = maproom.Batch("dday", 2, options, seed=1), maproom.Match("dday", options, seed=1)
    match.play_forced()
    longest = 0
    for _ in range(60):
        names, opened = match.choices(), match.open_actions()
        longest = max(longest, len(names))
        assert opened == list(range(min(len(names), match.actions)))
        assert (batch.masks[0] == match.mask()).all() and batch.masks[0].sum() == len(opened)
        if len(names) > match.actions:
            with pytest.raises(maproom.MaproomError):
                match.step(match.actions)
            with pytest.raises(maproom.MaproomError, match="match 0: action 1024 is not possible"):
                batch.step(np.array([match.actions, 0]))
            # By name and by place all of them can be chosen.
            for last in (names[-1], len(names) - 1):
                match.clone().choose(last)
        actions = np.array([batch.masks[at].nonzero()[0][-1] for at in range(2)])
        match.step(int(actions[0]))
        batch.step(actions)
    assert longest > match.actions == 1_024
