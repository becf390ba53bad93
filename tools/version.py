"""Prints the version of the arena and all its packages, or sets it: `tools/version.py 0.2.0`.

`arena/__init__.py` defines it. The other files repeat it because each is read without the
repository; a test compares them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
NUMBER = r"\d+\.\d+\.\d+"
# Files below the root, and the text before each occurrence of the version in them.
SOURCE = ("arena/__init__.py", '__version__ = "')
PLACES = (
    SOURCE,
    ("rules/pyproject.toml", '\nversion = "'),
    ("pyproject.toml", '"sevens-games=='),
    ("pyproject.toml", '"sevens-sdk=='),
    ("sdk/cpp/CMakeLists.txt", "project(sevens_sdk VERSION "),
    ("sdk/cpp/src/run.cpp", 'sdk_version = "cpp '),
    ("sdk/go/examples/*/go.mod", "sevens-arena.dev/sdk v"),
    ("sdk/go/session.go", 'Version = "'),
    ("sdk/java/examples/*/pom.xml", "<artifactId>sevens-sdk</artifactId>\n      <version>"),
    ("sdk/java/library/pom.xml", "<artifactId>sevens-sdk</artifactId>\n  <version>"),
    ("sdk/java/library/src/main/java/sevens/sdk/Runner.java", 'VERSION = "'),
    ("sdk/java/pom.xml", "<artifactId>sevens-java</artifactId>\n  <version>"),
    ("sdk/python/pyproject.toml", '\nversion = "'),
    ("sdk/python/src/sevens_sdk/session.py", '\nVERSION = "'),
    ("sdk/rust/Cargo.toml", '\nversion = "'),
    ("sdk/typescript/package-lock.json", '"name": "sevens-sdk",\n *"version": "'),
    ("sdk/typescript/package.json", '"name": "sevens-sdk",\n  "version": "'),
    ("sdk/typescript/src/session.ts", 'VERSION = "'),
)


def version() -> str:
    """Returns the version that `arena/__init__.py` defines."""
    file, before = SOURCE
    return versions(ROOT / file, before)[0]


def places() -> Iterator[tuple[Path, str]]:
    """Yields the files that repeat the version, each with the text before it."""
    for pattern, before in PLACES:
        for path in sorted(ROOT.glob(pattern)):
            yield path, before


def versions(path: Path, before: str) -> list[str]:
    """Returns the versions that follow a text in a file."""
    return re.findall(f"{_expression(before)}({NUMBER})", path.read_text())


def set_version(number: str) -> None:
    """Writes the version into all files."""
    for path, before in places():
        changed = re.sub(f"({_expression(before)}){NUMBER}", rf"\g<1>{number}", path.read_text())
        path.write_text(changed)


def _expression(before: str) -> str:
    return re.escape(before).replace(r"\ \*", " *")


def main(arguments: list[str]) -> None:
    if not arguments:
        print(version())
    elif re.fullmatch(NUMBER, arguments[0]):
        set_version(arguments[0])
    else:
        sys.exit(f"A version is three numbers such as 0.2.0, not {arguments[0]!r}.")


if __name__ == "__main__":
    main(sys.argv[1:])
