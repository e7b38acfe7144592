"""The games of Maproom in process: matches, batches, bots, and environments for learning programs.

* ``Match`` is one match, with names, undo, saves and everything else that the kernel has.
* ``Batch`` is many matches at once, with arrays in and out.
* ``Bot`` plays a seat; ``games()`` lists the games, their options and their bots.
* ``aec(...)`` is a PettingZoo environment; ``gymnasium.make("maproom/echoes")`` a gymnasium one; ``maproom.openspiel`` has
  the games for OpenSpiel. Each needs its library, and nothing else does.
* ``bot(choose)`` makes your program a player at a table of Maproom.
"""

from importlib.util import find_spec as _find_spec

from ._native import Batch, Bot, MaproomError, Match, __version__, games
from ._seat import Question, bot

__all__ = ["Batch", "Bot", "MaproomError", "Match", "Question", "__version__", "aec", "bot", "games"]


def aec(game, options=None, *, render_mode=None):
    """A PettingZoo AEC environment with one agent for each seat. Needs ``pettingzoo``."""
    from ._pettingzoo import SeatsEnv

    return SeatsEnv(game, options, render_mode=render_mode)


if _find_spec("gymnasium"):
    from ._gymnasium import register as _register

    _register()
