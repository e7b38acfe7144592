"""The notebooks of examples/ run from top to bottom, with small numbers, and draw what they say.

`MAPROOM` in the environment names the program; `cargo xtask python` sets it. `MAPROOM_SHOTS` keeps the plots in a folder.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAM = os.environ.get("MAPROOM")


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Runs a notebook with other parameters; returns what its cells left, and the plots as files."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    plt = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    folder = Path(os.environ.get("MAPROOM_SHOTS", tmp_path))

    def run(name, **parameters):
        plots = []

        def show():
            for number in plt.get_fignums():
                plots.append(folder / f"{name}-{len(plots) + 1}.png")
                plt.figure(number).savefig(plots[-1])
            plt.close("all")

        monkeypatch.setattr(plt, "show", show)
        known, set_up = {}, 0
        with matplotlib.rc_context():
            for at, cell in enumerate(code_cells(name)):
                exec(compile("".join(cell["source"]), f"{name}, code cell {at + 1}", "exec"), known)
                if "parameters" in cell["metadata"].get("tags", []):
                    assert parameters.keys() <= known.keys()
                    known |= parameters
                    set_up += 1
        assert set_up == 1
        return known, plots

    return run


def code_cells(name):
    notebook = json.loads((EXAMPLES / name).read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.ipynb")))
def test_notebooks_are_kept_without_what_they_printed(name):
    for cell in code_cells(name):
        assert cell["outputs"] == [] and cell["execution_count"] is None


@pytest.mark.skipif(not PROGRAM, reason="MAPROOM names no program to make games with")
def test_the_plots_of_a_batch(run, tmp_path):
    polars = pytest.importorskip("polars")
    read = []
    for form in ("csv", "parquet"):
        folder = tmp_path / form
        made = subprocess.run(
            [PROGRAM, "sim", "blitz", "--bot", "greedy", "--games", "300", "--seed", "1", "--out", str(folder), "--format", form],
            capture_output=True, text=True, timeout=600,
        )
        assert made.returncode == 0, made.stderr
        known, plots = run("games.ipynb", folder=str(folder))
        assert known["games"].height == 300 and known["spaces"].height > 20 and known["first"].height > 3
        assert len(plots) == 3 and all(plot.stat().st_size > 5_000 for plot in plots)
        # In Parquet every column has a type, in CSV a whole number is one of 64 bits.
        whole = polars.selectors.integer()
        read.append([known[name].with_columns(whole.cast(polars.Int64)) for name in ("decisions", "draws")])
        read[-1].append(known["games"].drop("seed", "standings").with_columns(whole.cast(polars.Int64)))
    assert all(one.equals(other) for one, other in zip(*read, strict=True)), "both hold the same"


def test_a_player_learns_blitz(run, tmp_path, capsys):
    program = PROGRAM or "no such program"
    known, plots = run(
        "train_blitz.ipynb",
        lessons=100, rounds=4, trial=200, slow_trial=2, file=str(tmp_path / "blitz.npz"), program=program,
    )
    before, after = ([won / n for _, which, won, n in known["curve"] if which == "random"][at] for at in (0, -1))
    assert before < 0.6 and after > 0.75, "it has learned something"
    assert list(known["results"]) == ["random", "greedy", "recruit", "sergeant"]
    assert len(plots) == 2 and all(plot.stat().st_size > 5_000 for plot in plots)
    said = capsys.readouterr().out
    assert "It expects to win" in said
    if PROGRAM:
        assert "pupil" in said.split("of such games")[1], "it has played at a table"
    else:
        assert "is not on the PATH" in said
