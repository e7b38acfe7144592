#!/usr/bin/env python3
"""The reverse of first_bot.py: a program that starts Maproom's engine and plays a game of echoes through it.

    python3 examples/drive_engine.py                 with the maproom on the search path
    python3 examples/drive_engine.py ./maproom       with another one
"""
import json
import subprocess
import sys

program = sys.argv[1] if len(sys.argv) > 1 else "maproom"
engine = subprocess.Popen([program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(cmd, **fields):
    """Sends a request and returns the answer; docs/protocol.md has all of them."""
    print(json.dumps({"cmd": cmd, **fields}), file=engine.stdin, flush=True)
    answer = json.loads(engine.stdout.readline())
    if "error" in answer:
        sys.exit(answer["error"])
    return answer


where = ask("new", game="echoes", seed=3)
decisions = 0
while where["mover"]:
    asked = ask("choices")
    names = [choice["name"] for choice in asked["choices"]]
    attacks = [name for name in names if name.startswith("attack ")]
    # Attack where the engine knows the best odds; else take the default. Change this first.
    chance = lambda name: ask("odds", question=name)["answer"]["results"][0]["probability"]
    where = ask("play", choice=max(attacks, key=chance) if attacks else asked["default"] or names[0])
    decisions += 1
print(f"{where['result']} after {decisions} decisions")
ask("quit")
engine.wait()
