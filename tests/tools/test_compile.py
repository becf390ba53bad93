"""The conversion of the rules' modules for mypyc; `make compiled` tests the rest."""

import ast
import shutil
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

import pytest

from tools import compile as compiling
from tools.compile import (
    ARENA,
    INTERPRETED,
    RULES,
    compilable,
    rules,
    what_is_lacking,
    writer_of_decisions,
)

MODULES = [*rules(RULES), writer_of_decisions(ARENA)]

SOURCE = '''"""A game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

V = TypeVar("V")
DECK = tuple("ABC")
PLACES: dict[str, int] = {}
LEFT = RIGHT = 1
pairs = ()


@dataclass(slots=True, kw_only=True)
class Taking(State):
    """It takes seat: int."""

    hand: int = 0


@dataclass(frozen=True, slots=True)
class Trick:
    seat: int
'''


def run(source: str) -> ModuleType:
    """Runs the module without compiling it."""
    module = ModuleType("rules")
    sys.modules["rules"] = module  # where dataclasses look for their fields' types
    module.__dict__["State"] = object
    exec(compile(source, "rules.py", "exec"), module.__dict__)
    return module


def test_what_is_compiled_runs_uncompiled_too() -> None:
    module = run(compilable(SOURCE))
    assert module.__doc__ == "A game."
    assert module.DECK == ("A", "B", "C")
    assert module.Taking(hand=3).hand == 3
    assert module.Trick(2) == module.Trick(2)


def test_constants_are_final() -> None:
    lines = compilable(SOURCE).splitlines()
    assert 'DECK: _Final = tuple("ABC")' in lines
    # The name of a type, one that has a type already, two at once, one not in capitals.
    for line in SOURCE.splitlines()[7:12]:
        assert (line in lines) == (not line.startswith("DECK"))


def test_classes_are_without_slots() -> None:
    assert "slots" in SOURCE
    assert "slots" not in compilable(SOURCE)


def test_a_base_names_its_attributes_though_they_are_not_slots() -> None:
    source = SOURCE.replace("class Taking(State)", "class State")
    changed = compilable(source)
    assert "@mypyc_attr(allow_interpreted_subclasses=True)\n@dataclass(kw_only=True)" in changed
    footer = changed[changed.index("setattr(") :]
    module = run(SOURCE + footer.replace("State", "Taking"))
    assert tuple(module.Taking.__slots__) == ("hand",)
    assert not module.Taking.__slots__


def test_slots_written_out_are_named_too() -> None:
    source = 'class Deals:\n    __slots__ = ("_a", "_b")\n'
    assert "('_a', '_b')" in compilable(source)


def test_what_checks_its_arguments_itself_takes_any() -> None:
    source = (
        "class Match:\n    def apply(self, seat: int | None, action: str, n: int) -> int: ...\n"
    )
    assert "(self, seat: _Any, action: _Any, n: int) -> int" in compilable(source)
    assert "seat: int" in compilable(source.replace("Match", "Other"))


def test_every_game_is_compiled_and_nothing_that_cannot_be() -> None:
    names = {str(path.relative_to(RULES)) for path in rules(RULES)}
    assert {"xeri.py", "seven7s/rules.py", "engine/match.py", "cards/hands.py"} <= names
    assert not names & (INTERPRETED | {"__init__.py", "seven7s/__init__.py"})
    assert all(path.exists() for path in [*MODULES, *(RULES / name for name in INTERPRETED)])


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_the_modules_become_is_python_without_slots(path: Path) -> None:
    changed = compilable(path.read_text())
    assert ast.get_docstring(ast.parse(changed)) == ast.get_docstring(ast.parse(path.read_text()))
    assert "slots=True" not in changed


def test_nothing_lacks_where_everything_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "find_spec", lambda _: object())
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(sysconfig, "get_path", lambda _: Path(__file__).parent)
    monkeypatch.setattr(compiling, "HEADER", Path(__file__).name)
    assert what_is_lacking() == ""


def test_without_mypyc_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "find_spec", lambda _: None)
    assert "pip install --editable '.[compiled]'" in what_is_lacking()


def test_without_a_compiler_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "find_spec", lambda _: object())
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    assert what_is_lacking().endswith("install a C compiler: there is no 'no-such-compiler'.")


def test_without_pythons_headers_their_place_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "find_spec", lambda _: object())
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(compiling, "HEADER", "no-such-header.h")
    assert "install Python's headers" in what_is_lacking()
    assert "no-such-header.h" in what_is_lacking()
