"""The examples of docs/python.md run, in order."""

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_guide_runs(capsys):
    pytest.importorskip("pettingzoo")
    pytest.importorskip("gymnasium")
    examples = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.M | re.S)
    assert len(examples) >= 7
    known = {}
    for example in examples:
        exec(compile(example, str(GUIDE), "exec"), known)
    said = capsys.readouterr().out
    assert '"attack MOON" is not a choice of this game' in said
