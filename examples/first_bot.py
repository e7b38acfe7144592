#!/usr/bin/env python3
"""A first bot for Maproom; it needs nothing but Python 3.

    maproom play blitz --bot "python3 examples/first_bot.py"
    maproom ladder blitz --bots random,greedy,"python3 examples/first_bot.py" --games 100

Maproom starts this program for a match and writes it a line of JSON for every decision of its seat; the program answers
each line with one of its own. docs/protocol.md has all of them. (examples/drive_engine.py shows the reverse: a program that
starts Maproom and plays through it.) Remarks go to standard error, never to standard output: print(..., file=sys.stderr).
"""
import json
import random
import sys


def choose(game, choices, view):
    """Returns one of the choices, which are names such as "place army2 WE.1.3". Change this first."""
    if game == "blitz":
        return max(choices, key=lambda name: worth(name.split(), view))
    return random.choice(choices)  # any other game: leave it to chance, until you know better


def worth(words, view):
    """How good a choice of blitz looks: a strong unit where it gives us the lead in its theatre."""
    if words[0] != "place":
        return random.random()
    unit, theatre = words[1], words[2].split(".")[0]
    strength = int("".join(letter for letter in unit if letter.isdigit()) or 1)  # generals and admirals count 1
    marker = next(one["marker"] for one in view["theatres"] if one["id"] == theatre)
    lead = marker if view["to_move"] == "first" else -marker  # a marker above 0 is on the first side's half
    gains_lead = lead <= 0 < lead + strength
    return strength + 2 * gains_lead + random.random()  # chance decides between equals


game = None
for line in sys.stdin:
    message = json.loads(line)
    answer = {"ok": True}
    if message.get("cmd") == "hello":  # which match, which seat: said once, before the first question
        game = message["game"]
        random.seed(message["seed"])  # the same match again brings the same choices
        answer["name"] = "First Bot"
    elif message.get("cmd") == "choose":  # a decision: the only question that matters
        answer["choice"] = choose(game, message["choices"], message["view"])
    elif message.get("cmd") == "quit":
        break
    elif "error" in message:  # the last answer could not be used, and this says why; there is one more chance
        print(message["error"], file=sys.stderr)
        answer = {"error": "I have no better idea"}
    print(json.dumps(answer), flush=True)  # without flush the line would wait in a buffer, and Maproom for the line
