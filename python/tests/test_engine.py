"""A thousand seeded games of echoes are the engine's games, digest by digest.

`MAPROOM` in the environment names the program; `cargo xtask python` sets it.
"""

import json
import os
import random
import subprocess

import pytest

import maproom

PROGRAM = os.environ.get("MAPROOM")
GAMES = 1_000


@pytest.mark.skipif(not PROGRAM, reason="MAPROOM names no program to compare with")
def test_the_engine_has_the_same_games():
    asked = subprocess.run([PROGRAM, "engine"], input='{"cmd":"games"}\n', capture_output=True, text=True, timeout=60)
    games = json.loads(asked.stdout.splitlines()[0])["games"]
    assert [game["game"] for game in games] == [game["game"] for game in maproom.games()]
    for theirs, ours in zip(games, maproom.games()):
        assert theirs["title"] == ours["title"]
        assert [option["name"] for option in theirs["options"]] == list(ours["options"])
        assert theirs["bots"] == list(ours["bots"])


@pytest.mark.skipif(not PROGRAM, reason="MAPROOM names no program to compare with")
def test_a_thousand_games_equal_the_engines():
    engine = subprocess.Popen([PROGRAM, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def load(text):
        """What the engine makes of a save: every step replayed, every digest compared."""
        engine.stdin.write(json.dumps({"cmd": "load", "save": text}) + "\n")
        engine.stdin.write(json.dumps({"cmd": "log", "from": 0}) + "\n")
        engine.stdin.flush()
        loaded, log = json.loads(engine.stdout.readline()), json.loads(engine.stdout.readline())
        assert loaded.get("ok") and log.get("ok"), (loaded, log)
        return loaded, log["log"]

    def begin(seed):
        """The engine's own match of a seed, up to its first decision."""
        engine.stdin.write(json.dumps({"cmd": "new", "game": "echoes", "seed": seed}) + "\n")
        engine.stdin.flush()
        return json.loads(engine.stdout.readline())

    try:
        for seed in range(GAMES):
            match, dice = maproom.Match("echoes", seed=seed), random.Random(seed)
            match.play_forced()
            begun = begin(seed)
            assert (begun["digest"], begun["step"]) == (match.digest, match.steps)
            while not match.over:
                match.step(dice.choice(match.open_actions()))
            loaded, log = load(match.save())
            assert loaded["result"] == match.result
            assert [step["choice"] for step in log] == match.log()
            assert [step["digest"] for step in log] == match.digests()
        engine.stdin.write('{"cmd":"quit"}\n')
        engine.stdin.flush()
    finally:
        engine.kill()
        engine.wait()
