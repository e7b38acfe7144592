"""A match: names, dice, undo, saves, views, features, errors."""

import copy

import numpy as np
import pytest

import maproom


def test_the_games_are_listed_with_options_and_bots():
    words = [game["game"] for game in maproom.games()]
    assert words == ["echoes", "blitz", "dday", "triumph", "surrender"]
    echoes = maproom.games()[0]
    assert echoes["title"] == "Echoes of War"
    assert "edition" in echoes["options"]
    assert {"greedy", "captain"} <= echoes["bots"].keys()


def test_a_match_is_opened_and_played_by_name_and_number():
    match = maproom.Match("echoes", {"ask": "always"}, seed=3)
    assert match.mover == "fate" and match.steps == 0
    match.play_forced()
    assert (match.mover, match.steps, match.turn) == ("allies", 2, 1)
    assert match.prompt.startswith("Guadalcanal")
    names = match.choices()
    assert "no" in names and len(match.labels()) == len(names)
    other = match.clone()
    match.choose("no")
    other.choose(names.index("no"))
    assert match.log() == other.log() == ["die 3", "die 4", "no"]
    assert match.digest == other.digest


def test_errors_are_the_kernels_sentences():
    match = maproom.Match("echoes", seed=3)
    match.play_forced()
    with pytest.raises(maproom.MaproomError, match="is not a choice of this game"):
        match.choose("attack MOON")
    with pytest.raises(maproom.MaproomError, match="it is a player's turn, not Fate's"):
        match.fate()
    with pytest.raises(maproom.MaproomError, match="did you mean echoes"):
        maproom.Match("echos")
    with pytest.raises(maproom.MaproomError, match="spread \"99\": there are 24"):
        maproom.Match("echoes", {"spread": 99})
    with pytest.raises(maproom.MaproomError, match="unknown option"):
        maproom.Match("echoes", {"sprad": 2})
    with pytest.raises(maproom.MaproomError, match="not a Maproom match"):
        maproom.Match.load("hello")
    with pytest.raises(maproom.MaproomError, match="there is no seat 4"):
        match.view(4)
    assert issubclass(maproom.MaproomError, ValueError)


def test_with_own_dice_tickets_and_results_are_entered():
    match = maproom.Match("echoes", own_dice=True)
    assert match.tickets == 6 and match.weights() == [1] * 6
    with pytest.raises(maproom.MaproomError, match="your own dice"):
        match.fate()
    with pytest.raises(maproom.MaproomError, match="ticket 6"):
        match.fate(6)
    match.fate(2)
    match.choose("die 4")
    assert match.log() == ["die 3", "die 4"]
    assert match.weights() == [] or match.mover == "fate"


def test_undo_leads_back_and_the_same_choices_meet_the_same_dice(played):
    match = played(maproom.Match("echoes", seed=5), 6)
    before, log = match.digest, match.log()
    assert match.undo() >= 1
    assert match.digest != before
    for name in log[match.steps :]:
        match.fate() if match.mover == "fate" else match.choose(name)
    assert match.digest == before
    assert match.undo(turn=True) >= 1


def test_a_save_loads_to_the_same_match(game, played):
    match = played(maproom.Match(game, seed=7), 12)
    loaded = maproom.Match.load(match.save())
    assert loaded.log() == match.log()
    assert loaded.options == match.options
    for viewer in [*match.seats, "spectator"]:
        assert loaded.view(viewer) == match.view(viewer)
        assert (loaded.features(viewer) == match.features(viewer)).all()


def test_copies_go_their_own_way(game, played):
    match = played(maproom.Match(game, seed=2), 3)
    steps = match.steps
    for other in [match.clone(), copy.copy(match), copy.deepcopy(match)]:
        played(other, 3)
        assert other.steps > steps
    assert match.steps == steps


def test_features_and_masks_fit_their_names(game, played):
    match = maproom.Match(game, seed=4)
    names = match.feature_names()
    assert len(set(names)) == len(names) > 100
    values, mask = np.zeros(len(names), np.float32), np.zeros(match.actions, np.int8)
    for _ in range(30):
        played(match, 1)
        if match.over:
            break
        assert match.features(out=values) is None and match.mask(out=mask) is None
        assert (values == match.features(match.mover)).all() and np.isfinite(values).all()
        assert mask.sum() == len(match.choices()) == len(match.open_actions())
        assert mask[match.open_actions()].all()
    with pytest.raises(maproom.MaproomError, match="features, not 3"):
        match.features(out=np.zeros(3, np.float32))


def test_features_are_a_function_of_the_view(game, played):
    """An imagined match has other hidden things, but the viewer sees the same view and the same features."""
    match = maproom.Match(game, seed=9)
    for round in range(6):
        played(match, 4, seed=round)
        if match.over:
            break
        for viewer in [*match.seats, "spectator"]:
            imagined = match.imagine(viewer, seed=round)
            assert imagined.view(viewer) == match.view(viewer)
            assert (imagined.features(viewer) == match.features(viewer)).all()
            assert imagined.mover == match.mover


def test_what_is_hidden_is_imagined_differently(played):
    match = played(maproom.Match("blitz", seed=1), 4)
    hands = {str(match.imagine("axis", seed=seed).view("allies")["sides"][1]["reserve"]) for seed in range(20)}
    assert len(hands) > 3


def test_bots_play_a_game_to_its_end():
    bots = {"axis": maproom.Bot("blitz", "greedy"), "allies": maproom.Bot("blitz", "recruit", seed=3)}
    match = maproom.Match("blitz", seed=6)
    match.play_forced()
    while not match.over:
        match.choose(bots[match.mover].choose(match))
        match.play_forced()
    assert match.result and sorted(match.rewards) == [-1.0, 1.0]
    with pytest.raises(maproom.MaproomError, match="a bot chooses for a seat"):
        bots["axis"].choose(match)
    with pytest.raises(maproom.MaproomError, match="unknown bot"):
        maproom.Bot("blitz", "admiral-in-chief")
