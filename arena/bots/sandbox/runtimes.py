"""What of this machine bots and builds may read: the Python for bots, and the folders that the
organiser names in `runtimes.toml` (compilers, interpreters, caches)."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictStr, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

RUNTIMES = "ARENA_RUNTIMES"
USUAL_FILE = Path("/etc/sevens-arena/runtimes.toml")
# In a value of the environment: where the bot sees the folder.
FOLDER = "{folder}"

PYTHON = "python"
# What the arena itself gives every bot, beside all that begins with ARENA_.
TAKEN = ("PATH", "HOME", "LANG", "PWD", "TMPDIR")

# Of these nothing may be seen; nor of the arena's data, its own files and its environment.
CLOSED = tuple(map(Path, ("/boot", "/dev", "/etc", "/proc", "/run", "/sys")))
# In these there may be a runtime, but none may be one of them, or hold it.
SHARED = tuple(map(Path, ("/home", "/root", "/tmp", "/var/lib", "/var/log", "/var/tmp")))
# Where tools keep passwords in a folder that looks like a cache: Cargo, Maven, npm, Git, pip, SSH.
SECRETS = (
    *("credentials", "credentials.toml", "settings.xml", "settings-security.xml", ".npmrc"),
    *(".netrc", ".git-credentials", ".pypirc", ".ssh", ".gnupg"),
)


class WrongRuntimes(Exception):
    """Runtimes that cannot be used. Its text has a sentence for each mistake."""


@dataclass(frozen=True)
class Runtime:
    """A folder that bots may read. `environment`: what they get with it, FOLDER for its place."""

    name: str
    folder: Path
    environment: Mapping[str, str]

    @property
    def has_programs(self) -> bool:
        return (self.folder / "bin").is_dir()


@dataclass(frozen=True)
class Runtimes:
    """All that bots find beside the system's programs. `python`: the folder of theirs."""

    python: Path
    named: Sequence[Runtime] = ()

    def environment(
        self, python: str, place_of: Callable[[Runtime], str], path: str
    ) -> dict[str, str]:
        """What a bot finds them by that sees them at such places. `path`: where it looks for
        programs after that."""
        places = [python, *(place_of(runtime) for runtime in self.named if runtime.has_programs)]
        environment = {"PATH": ":".join([*(f"{place}/bin" for place in places), path])}
        for runtime in self.named:
            place = place_of(runtime)
            environment |= {
                name: text.replace(FOLDER, place) for name, text in runtime.environment.items()
            }
        return environment

    def told(self) -> str:
        """A sentence for the author of a bot that did not find what it needs."""
        names = ", ".join([PYTHON, *(runtime.name for runtime in self.named)])
        return f"Beside what the system has in /usr, bots find these runtimes here: {names}."


Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
Text = Annotated[StrictStr, Field(pattern=r"^[^\x00]*$")]


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    folder: Text
    environment: dict[Variable, Text] = {}


_ENTRIES = TypeAdapter(dict[Name, _Entry])
EXAMPLE = '[rust] with folder = "/srv/rust", and perhaps environment = { NAME = "{folder}/x" }'


def named_runtimes(hidden: Sequence[Path] = ()) -> tuple[Runtime, ...]:
    """Returns what the organiser names, in the order of the file that ARENA_RUNTIMES says, or the
    usual one; nothing if there is none. `hidden`: of what bots are to see nothing, the arena's
    data. Raises WrongRuntimes."""
    said = os.environ.get(RUNTIMES)
    file = Path(said) if said else USUAL_FILE
    try:
        entries = _ENTRIES.validate_python(tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        if not said and isinstance(error, FileNotFoundError):
            return ()
        whence = f"{RUNTIMES} names {file}" if said else f"There is {file}"
        raise WrongRuntimes(f"{whence}, which cannot be read: {error.strerror}.") from None
    except ValidationError as mistakes:
        sentences = "\n".join(f"{file}: {_sentence(mistake)}" for mistake in mistakes.errors())
        raise WrongRuntimes(sentences) from None
    except ValueError as mistake:  # bad TOML as well as bad UTF-8
        raise WrongRuntimes(f"{file} is not valid TOML: {mistake}.") from None
    if wrong := [*_wrong_folders(entries, hidden), *_wrong_names(entries)]:
        raise WrongRuntimes("\n".join(f"{file}: {sentence}" for sentence in wrong))
    return tuple(
        Runtime(name, Path(entry.folder).resolve(), entry.environment)
        for name, entry in entries.items()
    )


def _sentence(mistake: ErrorDetails) -> str:
    """Which field, what was wrong, what to do."""
    field = ".".join(str(part) for part in mistake["loc"] if part != "[key]")
    if mistake["loc"][-1] == "[key]":
        wrong = "cannot be a name"
    elif mistake["type"] == "missing":
        wrong = "is missing"
    elif mistake["type"] == "extra_forbidden":
        wrong = "is not a field"
    else:
        wrong = f"is {mistake['input']!r}"
    return f"`{field}` {wrong}; write {EXAMPLE}."


def _wrong_names(entries: Mapping[str, _Entry]) -> Iterator[str]:
    givers: dict[str, str] = {}
    for name, entry in entries.items():
        if name == PYTHON:
            yield f"`{PYTHON}` is the arena's own Python for bots; choose another name."
        for variable in entry.environment:
            field = f"{name}.environment.{variable}"
            if variable in TAKEN or variable.startswith("ARENA_"):
                yield f"`{field}` is for the arena to give; leave it out."
            elif variable in givers:
                yield f"`{field}` is given by `{givers[variable]}` too; leave one of them out."
            givers[variable] = name


def _wrong_folders(entries: Mapping[str, _Entry], hidden: Sequence[Path]) -> Iterator[str]:
    for name, entry in entries.items():
        folder = Path(entry.folder)
        if wrong := _unreadable(folder) or _leak(folder.resolve(), hidden):
            yield f"`{name}.folder` is {entry.folder!r}, {wrong}"


def _unreadable(folder: Path) -> str:
    if not folder.is_absolute():
        return "which is not an absolute path; write it from / on."
    if not os.access(folder, os.R_OK | os.X_OK) or not folder.is_dir():
        return "where there is no folder that the arena may read; name one."
    return ""


def _leak(folder: Path, hidden: Sequence[Path]) -> str:
    """What bots would see in the folder that is not for them; empty if nothing."""
    for place in (*CLOSED, *(path.resolve() for path in (*hidden, *_of_the_arena()))):
        if folder.is_relative_to(place) or place.is_relative_to(folder):
            return f"which would show bots what is in {place}; name a folder elsewhere."
    for place in (*SHARED, *_homes()):
        if place.is_relative_to(folder):
            return f"which would show bots all of {place}; name a folder of the runtime alone."
    for name in SECRETS:
        if (folder / name).exists():
            return f"where {name} may hold passwords; name a folder that bots may read wholly."
    return ""


def _of_the_arena() -> Iterator[Path]:
    """The arena's environment and its own files. What is below /usr, bots see anyway."""
    for place in (Path(sys.prefix), Path(__file__).parents[2]):
        if not place.is_relative_to("/usr"):
            yield place


def _homes() -> Iterator[Path]:
    with suppress(RuntimeError):  # not everybody has one
        yield Path.home()
    yield from Path("/home").glob("*")
