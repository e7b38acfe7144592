#!/usr/bin/env python3
"""A learned player of Blitzkrieg! in a seat. The notebook train_blitz.ipynb makes the file that it plays from.

    maproom play blitz --bot "python3 examples/learned_bot.py examples/blitz.npz"
    maproom serve --bot "Pupil=python3 examples/learned_bot.py examples/blitz.npz"

It needs numpy and the package `maproom` (pip install ./python).
"""
import sys

import maproom
import numpy as np


class Policy:
    """A small network: what a side sees goes in, a preference for every action and the expected reward come out.

    It always sees the board as the first side does. For the second side the two sides change places in its features, and
    the markers their sign; so both sides learn from every game.
    """

    def __init__(self, names, actions, hidden=192, seed=0):
        random = np.random.default_rng(seed)
        layer = lambda rows, columns, gain: (random.normal(size=(rows, columns)) * gain / rows**0.5).astype(np.float32)
        self.names = list(names)
        self.weights = {
            "in": layer(len(names), hidden, 1.4), "in0": np.zeros(hidden, np.float32),
            "mid": layer(hidden, hidden, 1.4), "mid0": np.zeros(hidden, np.float32),
            "act": layer(hidden, actions, 0.1), "act0": np.zeros(actions, np.float32),
            "worth": layer(hidden, 1, 0.1), "worth0": np.zeros(1, np.float32),
        }
        self._prepare()

    def _prepare(self):
        change = {"Axis": "Allies", "Allies": "Axis"}
        other = [" ".join(change.get(word, word) for word in name.split(" ")) for name in self.names]
        self.order = np.array([self.names.index(name) for name in other])
        self.sign = np.array([-1 if name.endswith(" marker") else 1 for name in self.names], np.float32)
        self.first = self.names.index("Axis to move")

    def see(self, features):
        """Features as the side to move sees them. Whether it is the first side stays in them: that side loses ties."""
        turned = features[:, self.order] * self.sign
        seen = np.where(features[:, [self.first]] > 0, features, turned)
        seen[:, self.first] = features[:, self.first]
        return seen

    def think(self, seen, masks):
        """The layers between, the logarithms of the chances of the actions, and the expected reward."""
        w = self.weights
        one = np.maximum(seen @ w["in"] + w["in0"], 0)
        two = np.maximum(one @ w["mid"] + w["mid0"], 0)
        wish = np.where(masks > 0, two @ w["act"] + w["act0"], np.float32(-1e9))
        wish -= wish.max(axis=1, keepdims=True)
        logs = wish - np.log(np.exp(wish).sum(axis=1, keepdims=True))
        return one, two, logs, np.tanh(two @ w["worth"] + w["worth0"])[:, 0]

    def best(self, features, masks):
        """The action that it likes best."""
        return self.think(self.see(features), masks)[2].argmax(axis=1)

    def save(self, file):
        np.savez_compressed(file, names=self.names, **self.weights)

    @classmethod
    def load(cls, file):
        kept = dict(np.load(file))
        policy = cls.__new__(cls)
        policy.names = kept.pop("names").tolist()
        policy.weights = kept
        policy._prepare()
        return policy


def play(policy):
    """Plays a seat at a table."""
    count = 0

    def hello(match):
        nonlocal count
        board = maproom.Match(match["game"], match["options"])
        if board.feature_names() != policy.names:
            raise ValueError("this player has learned another game, or another board")
        count = board.actions

    def choose(question):
        mask = np.zeros((1, count), np.int8)
        mask[0, question.actions] = 1
        seen = policy.see(np.array([question.features], np.float32))
        _, _, logs, worth = policy.think(seen, mask)
        best = question.actions.index(int(logs.argmax()))
        return best, f"{np.exp(logs.max()):.0%} sure of it; expects to win {(1 + worth[0]) / 2:.0%}."

    maproom.bot(choose, name="Pupil", wants=["features", "actions"], hello=hello)


if __name__ == "__main__":
    play(Policy.load(sys.argv[1] if len(sys.argv) > 1 else "blitz.npz"))
