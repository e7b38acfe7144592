"""A program in a seat: the line protocol of docs/protocol.md, in nothing but Python."""

import json
import sys
from dataclasses import dataclass, field


@dataclass
class Question:
    """A decision of the program's seat, and what is known about the match."""

    game: str
    """The word of the game."""
    seat: str
    """The seat that the program plays."""
    choices: list
    """The names of the open choices."""
    view: dict
    """What the seat can see."""
    prompt: str
    """The question, in words."""
    turn: int
    """The turn."""
    step: int
    """How many choices were made in the match."""
    time: float
    """Seconds for the answer."""
    features: list = field(default_factory=list)
    """What the seat can see, as numbers, if ``wants`` has "features": those of `Match.features`, in the same order."""
    actions: list = field(default_factory=list)
    """The actions of the choices, in their order, if ``wants`` has "actions"; None for a choice that has no action."""
    match: dict = field(default_factory=dict)
    """How the match was introduced: options, seats, seed and more."""
    more: dict = field(default_factory=dict)
    """What was asked for with ``wants``: "labels", "log", "save"."""


def bot(choose, *, name=None, wants=(), hello=None, over=None, lines=None, out=None):
    """Plays a seat at a table of Maproom until the match is over.

    ``choose(question)`` gets a `Question` and returns one of its choices, by name or place, or a pair of that and a
    sentence that says why. ``hello(match)`` is called before the first question, with the game, options, seat and more; a
    ValueError that it raises refuses the match, in its words. ``over(message)`` is called with the result. Lines come from standard input and go to standard
    output, unless others are given. Your own remarks belong on standard error.

        maproom play blitz --bot "python3 my_bot.py"
    """
    out = sys.stdout if out is None else out
    match = {}
    question = None
    for line in sys.stdin if lines is None else lines:
        message = json.loads(line)
        command = message.get("cmd")
        if command == "quit":
            return
        if command == "hello":
            match = message
            answer = _greeting(match, name, wants, hello)
        elif command == "choose":
            question = _question(match, message)
            answer = _answer(choose(question), question)
        elif command == "over":
            if over:
                over(message)
            answer = {"ok": True}
        elif "error" in message:
            print(message["error"], file=sys.stderr)
            answer = {"error": "I have no better idea"}
        else:
            answer = {"error": f"unknown command {command!r}"}
        print(json.dumps(answer), file=out, flush=True)


def _greeting(match, name, wants, hello):
    try:
        if hello:
            hello(match)
    except ValueError as why:
        return {"error": str(why)}
    answer = {"ok": True, "protocol": 2, "wants": list(wants)}
    if name:
        answer["name"] = name
    return answer


def _question(match, message):
    known = ("choices", "view", "prompt", "turn", "step", "time", "features", "actions", "seat", "cmd", "rule")
    return Question(
        game=match.get("game", ""),
        seat=message.get("seat", ""),
        choices=message["choices"],
        view=message.get("view", {}),
        prompt=message.get("prompt", ""),
        turn=message.get("turn", 0),
        step=message.get("step", 0),
        time=message.get("time", 0.0),
        features=message.get("features", []),
        actions=message.get("actions", []),
        match=match,
        more={key: value for key, value in message.items() if key not in known},
    )


def _answer(chosen, question):
    why = None
    if isinstance(chosen, tuple):
        chosen, why = chosen
    if not isinstance(chosen, str):
        chosen = question.choices[chosen]
    answer = {"ok": True, "choice": chosen}
    if why:
        answer["why"] = why
    return answer
