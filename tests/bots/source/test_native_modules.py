"""Modules that the Python for bots cannot load are recognised by their names and headers."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from arena.bots.source import PythonBuild, about_foreign_modules, list_content

TAG = "cpython-311-x86_64-linux-gnu"
HEADER = b"\x7fELF\x02\x01\x01" + bytes(11) + b"\x3e\0"  # x86-64
ARM = HEADER[:18] + b"\xb7\0"
MAC = b"\xcf\xfa\xed\xfe" + bytes(16)
PYTHON = PythonBuild("3.11", TAG, HEADER)


def said(folder: Path, files: dict[str, bytes], run: str = "python") -> str:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return about_foreign_modules([run, "bot.py"], list_content(folder), PYTHON)


@pytest.mark.parametrize(
    "files",
    [
        {f"a.{TAG}.so": b""},
        {"a.cpython-312-x86_64-linux-gnu.so": b"", f"a.{TAG}.so": b""},
        {"google/_upb/_message.abi3.so": HEADER},
        {"numpy.libs/libx.so": HEADER},
        {"bot.py": b"", "also": b"", "x.so.1": b""},
    ],
)
def test_what_can_be_loaded(tmp_path: Path, files: dict[str, bytes]) -> None:
    assert said(tmp_path, files) == ""


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            {"grpc/cygrpc.cpython-312-x86_64-linux-gnu.so": b""},
            "grpc/cygrpc.cpython-312-x86_64-linux-gnu.so was built for"
            f" cpython-312-x86_64-linux-gnu, but bots run here on Python 3.11 ({TAG}). Leave out",
        ),
        (
            {"a.cpython-311-darwin.so": MAC},
            "a.cpython-311-darwin.so was built for cpython-311-darw",
        ),
        ({"a.abi3.so": MAC}, "a.abi3.so was built for another system, but"),
        ({"a.abi3.so": ARM, "b.so": ARM}, "a.abi3.so and 1 more were built for another system"),
    ],
)
def test_what_cannot_be_loaded(tmp_path: Path, files: dict[str, bytes], words: str) -> None:
    assert said(tmp_path, files).startswith(words)
    assert said(tmp_path, files, "./bot") == ""  # it may bring its own Python


def test_the_python_for_bots_loads_its_own_modules(tmp_path: Path) -> None:
    shutil.copy(Path(sys.executable).resolve(), tmp_path / "a.abi3.so")
    assert about_foreign_modules(["python"], list_content(tmp_path), PythonBuild.of_bots()) == ""
