"""The line protocol: a program in a seat."""

import io
import json
import os
import subprocess
import sys
import textwrap

import pytest

import maproom

PROGRAM = os.environ.get("MAPROOM")


def talk(messages, choose, **more):
    out = io.StringIO()
    maproom.bot(choose, lines=[json.dumps(message) for message in messages], out=out, **more)
    return [json.loads(line) for line in out.getvalue().splitlines()]


HELLO = {"cmd": "hello", "protocol": 2, "game": "echoes", "seat": "allies", "seed": 7}
CHOOSE = {"cmd": "choose", "seat": "allies", "step": 2, "turn": 1, "choices": ["a", "b"], "view": {"vp": 3}, "labels": ["A", "B"]}


def test_questions_are_answered_by_name_place_or_with_a_reason():
    seen = []
    answers = iter(["b", 0, ("b", "because")])

    def choose(question):
        seen.append(question)
        return next(answers)

    results = []
    over = {"cmd": "over", "result": "draw", "standing": "draw"}
    said = talk([HELLO, CHOOSE, CHOOSE, CHOOSE, over, {"cmd": "quit"}, HELLO], choose, name="Test", over=results.append)
    assert said[0] == {"ok": True, "protocol": 2, "wants": [], "name": "Test"}
    assert said[1:4] == [
        {"ok": True, "choice": "b"},
        {"ok": True, "choice": "a"},
        {"ok": True, "choice": "b", "why": "because"},
    ]
    assert said[4] == {"ok": True} and len(said) == 5 and results == [over]
    assert (seen[0].game, seen[0].seat, seen[0].view, seen[0].turn) == ("echoes", "allies", {"vp": 3}, 1)
    assert seen[0].more == {"labels": ["A", "B"]} and seen[0].match["seed"] == 7


def test_features_and_actions_come_with_a_question():
    seen = []
    asked = {**CHOOSE, "features": [0.5, 1.0], "actions": [7, None]}
    said = talk([HELLO, asked], lambda question: seen.append(question) or 0, wants=["features", "actions"])
    assert said[0]["wants"] == ["features", "actions"]
    assert seen[0].features == [0.5, 1.0] and seen[0].actions == [7, None]


def test_a_match_can_be_refused():
    def hello(match):
        if match["game"] != "chess":
            raise ValueError(f"I can't play {match['game']}")

    said = talk([HELLO, {**HELLO, "game": "chess"}], lambda question: 0, hello=hello)
    assert said == [{"error": "I can't play echoes"}, {"ok": True, "protocol": 2, "wants": []}]


def test_what_is_unknown_is_answered_with_an_error(capsys):
    said = talk([HELLO, {"error": "no such choice"}, {"cmd": "sing"}], lambda question: 0)
    assert "error" in said[1] and "sing" in said[2]["error"]
    assert "no such choice" in capsys.readouterr().err


@pytest.mark.skipif(not PROGRAM, reason="MAPROOM names no program to play with")
def test_a_program_plays_at_a_table(tmp_path):
    program = tmp_path / "first.py"
    program.write_text(textwrap.dedent("""
        import maproom
        maproom.bot(lambda question: len(question.choices) - 1, name="Last")
    """))
    command = f"Last={sys.executable} {program}"
    done = subprocess.run(
        [PROGRAM, "ladder", "blitz", "--bots", f"greedy,{command}", "--games", "4", "--seed", "1"],
        capture_output=True, text=True, timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "Last" in done.stdout
