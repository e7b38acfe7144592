"""The stubs name what the compiled module has, and everything there says what it is for."""

import ast
from pathlib import Path

import maproom
from maproom import _native

STUBS = Path(maproom.__file__).with_name("_native.pyi")
OWN = {"__init__", "__copy__", "__deepcopy__", "__len__"}


def test_stubs_and_module_have_the_same_names():
    written = ast.parse(STUBS.read_text(encoding="utf-8"))
    classes = {node.name: node for node in written.body if isinstance(node, ast.ClassDef)}
    for name in ("Match", "Batch", "Bot"):
        stub = {node.name for node in classes[name].body if isinstance(node, ast.FunctionDef)}
        real = {entry for entry in vars(getattr(_native, name)) if not entry.startswith("_")}
        assert stub - OWN == real, name
        for entry in real:
            assert getattr(_native, name).__dict__[entry].__doc__, f"{name}.{entry} has no docstring"
        assert getattr(_native, name).__doc__
    assert _native.MaproomError.__doc__ and _native.games.__doc__
