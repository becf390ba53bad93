"""Folders of this machine that bots and builds may read: the Python for bots, and those that the
organiser names in `runtimes.toml` (compilers, interpreters, caches)."""

from __future__ import annotations

import os
import re
import stat
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictStr, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from arena.bots.source import in_sentences
from arena.foreign_text import NotUtf8, decoded

RUNTIMES_VARIABLE = "ARENA_RUNTIMES"
USUAL_FILE = Path("/etc/sevens-arena/runtimes.toml")
# The Python for bots, which python_runtime.py builds. STAMP is written last, so that an interrupted
# build does not count.
RUNTIME_FOLDER = Path(sys.prefix, "share", "sevens-arena", "runtimes", "python")
STAMP = RUNTIME_FOLDER / "built-from"
# A line about a package; the others are Python's own version.
PACKAGE = re.compile(r"([A-Za-z][\w.-]*) (\d\S*)")

# Replaced in the value of a variable by the path at which the bot sees the folder.
FOLDER = "{folder}"

PYTHON = "python"
# Variables that the arena itself sets for every bot, besides those whose names begin with ARENA_.
TAKEN = ("PATH", "HOME", "LANG", "PWD", "TMPDIR")

# The user without rights, and the user of every process in some containers.
NOBODY = 65534


class WrongRuntimes(Exception):
    """The runtimes cannot be used. Its text has one sentence a mistake, one a line."""


@dataclass(frozen=True)
class Runtime:
    """A folder that bots may read. `environment`: the variables that bots get with it; FOLDER in a
    value is replaced by its path."""

    name: str
    folder: Path
    environment: Mapping[str, str]

    @property
    def has_programs(self) -> bool:
        return (self.folder / "bin").is_dir()


@dataclass(frozen=True)
class Runtimes:
    """Everything that bots find besides the system's programs. `python`: the folder of the Python
    for bots."""

    python: Path
    named: Sequence[Runtime] = ()

    def environment(
        self, python: str, place_of: Callable[[Runtime], str], path: str
    ) -> dict[str, str]:
        """Returns the variables by which a bot finds the runtimes.

        `python`, `place_of`: the paths at which the bot sees them.
        `path`: the rest of its PATH, which is searched last.
        """
        places = [python, *(place_of(runtime) for runtime in self.named if runtime.has_programs)]
        environment = {"PATH": ":".join([*(f"{place}/bin" for place in places), path])}
        for runtime in self.named:
            place = place_of(runtime)
            environment |= {
                name: text.replace(FOLDER, place) for name, text in runtime.environment.items()
            }
        return environment

    def advice(self) -> str:
        """Returns a sentence for the author of a bot that lacks something it needs."""
        names = ", ".join([PYTHON, *(runtime.name for runtime in self.named)])
        return f"Besides the system's programs in /usr, bots find these runtimes here: {names}."


def python_folder() -> Path:
    """Returns the folder of the Python for bots, a virtual environment. Raises
    FileNotFoundError."""
    if not STAMP.exists():
        raise FileNotFoundError(
            "The Python runtime for bots is not built yet;"
            f" `{sys.executable} -m arena.bots.sandbox` builds it."
        )
    return RUNTIME_FOLDER


def python_packages() -> dict[str, str]:
    """Returns the packages in the Python for bots, with their versions; none if it is not built."""
    lines = STAMP.read_text().splitlines() if STAMP.exists() else []
    return {match[1]: match[2] for line in lines if (match := PACKAGE.match(line))}


Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Text = Annotated[StrictStr, Field(pattern=r"^[^\x00]*$")]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    folder: Text
    environment: dict[Variable, Text] = {}


class _Below(BaseModel):
    below: Annotated[tuple[Annotated[Text, Field(pattern="^/")], ...], Field(min_length=1)]


BELOW = "below"
_ENTRIES = TypeAdapter(dict[Name, _Entry])
ADVICE = '[rust] with folder = "/srv/rust", and optionally environment = { NAME = "{folder}/x" }'
ADVICE_ON_BELOW = 'below = ["/srv"] at the top of the file: the folders that runtimes may be in'


def named_runtimes() -> tuple[Runtime, ...]:
    """Returns the runtimes that the organiser names, in the order of the file: the one that
    ARENA_RUNTIMES names, or else the usual one, which need not exist. Raises WrongRuntimes."""
    chosen = os.environ.get(RUNTIMES_VARIABLE)
    file = Path(chosen) if chosen else USUAL_FILE
    try:
        content = file.read_bytes()
    except OSError as error:
        if not chosen and isinstance(error, FileNotFoundError):
            return ()
        named = f", which {RUNTIMES_VARIABLE} names," if chosen else ""
        raise WrongRuntimes(f"{file}{named} cannot be read: {error.strerror}.") from None
    entries, below = _parsed(file, content)
    if wrong := [*_wrong_folders(entries, below), *_wrong_names(entries)]:
        raise WrongRuntimes("\n".join(f"{file}: {sentence}" for sentence in wrong))
    return tuple(
        Runtime(name, Path(entry.folder).resolve(), entry.environment)
        for name, entry in entries.items()
    )


def _parsed(file: Path, content: bytes) -> tuple[dict[str, _Entry], list[Path]]:
    """Returns the entries of a file, and the places that their folders must be below. Raises
    WrongRuntimes."""
    try:
        fields = tomllib.loads(decoded(content))
        places = {BELOW: fields.pop(BELOW)} if BELOW in fields else {}
        entries = _ENTRIES.validate_python(fields)
        below = _Below.model_validate(places).below if entries else ()
    except ValidationError as mistakes:
        raise WrongRuntimes(in_sentences(mistakes, file, _advice)) from None
    except NotUtf8 as mistake:
        raise WrongRuntimes(f"{file} {mistake}") from None
    except ValueError as mistake:
        raise WrongRuntimes(f"{file} is not valid TOML: {mistake}.") from None
    return entries, [Path(place).resolve() for place in below]


def _advice(mistake: ErrorDetails) -> str:
    return f"write {ADVICE_ON_BELOW if mistake['loc'][0] == BELOW else ADVICE}."


def _wrong_names(entries: Mapping[str, _Entry]) -> Iterator[str]:
    setters: dict[str, str] = {}
    for name, entry in entries.items():
        if name == PYTHON:
            yield f"`{PYTHON}` is the arena's own Python for bots; choose another name."
        for variable in entry.environment:
            field = f"{name}.environment.{variable}"
            if variable in TAKEN or variable.startswith("ARENA_"):
                yield f"`{field}` is set by the arena; leave it out."
            elif variable in setters:
                yield f"`{field}` is set by `{setters[variable]}` too; leave one of them out."
            setters[variable] = name


def _wrong_folders(entries: Mapping[str, _Entry], below: Sequence[Path]) -> Iterator[str]:
    for name, entry in entries.items():
        folder = Path(entry.folder)
        if wrong := _unreadable(folder) or _unsafe(folder.resolve(), below):
            yield f"`{name}.folder` is {entry.folder!r}, {wrong}"


def _unreadable(folder: Path) -> str:
    if not folder.is_absolute():
        return "which is not an absolute path; begin it with /."
    if not os.access(folder, os.R_OK | os.X_OK) or not folder.is_dir():
        return "which is not a folder that the arena may read; name one."
    return ""


def _unsafe(folder: Path, below: Sequence[Path]) -> str:
    """Returns why bots must not be given a folder, as the end of a sentence; empty if they may be.
    It has to be below a place that the organiser names, and others must not be able to replace what
    is on the way there."""
    place = next((place for place in below if place in folder.parents), None)
    if place is None:
        places = " or ".join(map(str, below))
        return f"which is {folder}, not below {places}; move it there, or add a folder to `below`."
    for part in (folder, *folder.parents):
        status = part.stat()
        if status.st_mode & stat.S_IWOTH:
            return f"but every user may write to {part}; run `chmod o-w {part}`."
        if status.st_uid == NOBODY:
            return f"but {part} belongs to the user nobody; run `chown root {part}`."
        if part == place:
            break
    return ""
