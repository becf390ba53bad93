"""Faces of packages that load their modules on demand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import arena
from arena import queue
from arena.lazy_face import GUARD

ROOT = Path(arena.__file__).parent
LAZY = [face for face in ROOT.rglob("__init__.py") if "on_demand(__name__)" in face.read_text()]


def test_a_name_is_loaded_when_it_is_first_used() -> None:
    program = (
        "import sys, arena.queue; assert 'redis' not in sys.modules;"
        "arena.queue.Queue; assert 'redis' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_name_that_a_face_does_not_have_is_missing() -> None:
    with pytest.raises(AttributeError, match=r"'arena.queue' has no attribute 'Nothing'"):
        queue.Nothing  # noqa: B018  # the attribute itself is what is asked for


@pytest.mark.parametrize("face", LAZY, ids=lambda face: face.parent.relative_to(ROOT).as_posix())
def test_no_name_of_a_face_is_one_of_its_modules(face: Path) -> None:
    package = ".".join(face.parent.relative_to(ROOT.parent).parts)
    module = __import__(package, fromlist=["__all__"])
    guarded = face.read_text().partition(f"if {GUARD}:")[2]
    for name in module.__all__:
        here = face.parent / name
        if f"{name}," in guarded or f"import {name}" in guarded:
            assert not here.is_dir()
            assert not here.with_suffix(".py").exists()
        assert getattr(module, name) is not None
