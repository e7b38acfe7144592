"""What several tests use."""

import random

import pytest

import maproom


@pytest.fixture(params=[game["game"] for game in maproom.games()])
def game(request):
    """Every game."""
    return request.param


@pytest.fixture
def played():
    """Plays a match for some decisions at random, with a seed."""

    def play(match, decisions, seed=1):
        dice = random.Random(seed)
        match.play_forced()
        for _ in range(decisions):
            if match.over:
                break
            match.step(dice.choice(match.open_actions()))
        return match

    return play
