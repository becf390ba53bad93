"""`bot.toml`: a bot's name, the games it plays, how to start it, and its limits."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError
from pydantic_core import ErrorDetails

from arena.bots.source.tree import open_file
from arena.errors import ArenaError, Kind
from arena.foreign_text import NotUtf8, decoded
from arena.nearest import nearest

MANIFEST = "bot.toml"
MANIFEST_LIMIT_BYTES = 16 * 1024
# The parser takes time in proportion to the square of the length of a dotted key.
DOTS_IN_A_LINE = 100
# Of the mistakes in a file, and of the characters of each name or value.
MISTAKES_SHOWN, SHOWN = 10, 200

# Programs and their arguments cannot contain NUL.
Word = Annotated[StrictStr, Field(min_length=1, max_length=4096, pattern=r"^[^\x00]*$")]
SLUG_PATTERN = r"^[a-z0-9][a-z0-9-]{0,39}$"
Slug = Annotated[StrictStr, Field(pattern=SLUG_PATTERN)]


class ManifestError(ValueError):
    """A `bot.toml` that cannot be used. Its text has one sentence a mistake, one a line."""


class Limits(BaseModel):
    """Limits on one process of a bot, with everything that it starts.

    `memory_mb`: MiB of resident memory.
    `matches_at_once`: how many matches it is offered at the same time; None leaves that to the bot,
    which asks for a number in its hello.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    memory_mb: Annotated[StrictInt, Field(ge=16, le=65_536)] = 512
    processes: Annotated[StrictInt, Field(ge=1, le=4096)] = 64
    matches_at_once: Annotated[StrictInt, Field(ge=1, le=1024)] | None = None


class Manifest(BaseModel):
    """The contents of `bot.toml`.

    `games`: slugs; none means every game.
    `run`, `build`: a program and its arguments, run without a shell in the bot's folder.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Slug
    run: Annotated[tuple[Word, ...], Field(min_length=1)]
    games: tuple[Slug, ...] = ()
    build: Annotated[tuple[Word, ...], Field(min_length=1)] | None = None
    language: Annotated[StrictStr, Field(max_length=40)] = ""
    limits: Limits = Limits()


# In the location of a mistake, pydantic's mark for the key of a table.
KEY = "[key]"
# The advice for mistakes that pydantic's own messages do not explain well enough.
EXAMPLES = {
    "name": 'lower-case letters, digits and hyphens, such as name = "my-bot"',
    "run": 'a list of words, such as run = ["python", "bot.py"]',
    "games": 'a list of slugs, such as games = ["xeri"]',
    "build": 'a list of words, such as build = ["make", "bot"]',
    "language": 'a text, such as language = "python"',
    "limits": "a table, such as [limits] with memory_mb = 512",
}


def read_manifest(folder: Path) -> Manifest:
    """Reads the manifest of a bot's folder. Raises ManifestError, ContentError if it is not a file,
    and OSError."""
    path = folder / MANIFEST
    with open_file(path) as file:
        content = file.read(MANIFEST_LIMIT_BYTES + 1)
    try:
        return Manifest.model_validate(_parsed(content, path))
    except ValidationError as mistakes:
        raise ManifestError(in_sentences(mistakes, path, _advice)) from None


def plays(games: Collection[str], game: str) -> bool:
    """True if a bot whose manifest names these games plays that one. None stand for all."""
    return not games or game in games


def check_plays(bot: str, games: Collection[str], game: str, of: str = "") -> None:
    """Raises ArenaError if a bot whose manifest names these games does not play that one. `of`: the
    competition whose game it is, such as "the ladder xeri"."""
    if not plays(games, game):
        which = f"{game}, the game of {of}, but" if of else f"{game},"
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{bot} does not play {which} only {', '.join(games)}; add it to `games` in bot.toml.",
            "bot",
        )


def _parsed(content: bytes, path: Path) -> dict[str, Any]:
    """Parses TOML that a stranger wrote, in milliseconds. Raises ManifestError."""
    if len(content) > MANIFEST_LIMIT_BYTES:
        raise ManifestError(f"{path} is larger than {MANIFEST_LIMIT_BYTES // 1024} KiB.")
    for number, line in enumerate(content.splitlines(), 1):
        if line.count(b".") > DOTS_IN_A_LINE:
            raise ManifestError(f"{path} has more than {DOTS_IN_A_LINE} dots in line {number}.")
    try:
        return tomllib.loads(decoded(content))
    except NotUtf8 as mistake:
        raise ManifestError(f"{path} {mistake}") from None
    except ValueError as mistake:
        raise ManifestError(f"{path} is not valid TOML: {mistake}.") from None
    except RecursionError:
        raise ManifestError(f"{path} nests arrays or tables too deeply.") from None


def in_sentences(
    mistakes: ValidationError, file: Path, advice: Callable[[ErrorDetails], str]
) -> str:
    """Returns a sentence for each of the first mistakes in a file, one a line: which field, what is
    wrong, what to do. `advice` returns the last part, up to the full stop."""
    return "\n".join(
        f"{file}: `{_field(mistake)}` {_problem(mistake)}; {advice(mistake)}"
        for mistake in mistakes.errors()[:MISTAKES_SHOWN]
    )


def _field(mistake: ErrorDetails) -> str:
    return _cut(".".join(str(part) for part in mistake["loc"] if part != KEY))


def _problem(mistake: ErrorDetails) -> str:
    if mistake["loc"][-1] == KEY:
        return "cannot be a name"
    match mistake["type"]:
        case "missing":
            return "is missing"
        case "extra_forbidden":
            return "is not a field"
        case _:
            return f"is {_shown(mistake['input'])}"


def _shown(value: object) -> str:
    try:
        return _cut(repr(value))
    except ValueError:  # Python converts no integer of more than 4,300 digits
        return "or holds a number that is too large"


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _advice(mistake: ErrorDetails) -> str:
    field = _field(mistake)
    table, _, name = field.rpartition(".")
    if mistake["type"] == "extra_forbidden":
        names = list(Limits.model_fields if table else Manifest.model_fields)
        near = nearest(name, names, most=1)
        return f"did you mean `{near[0]}`?" if near else f"the fields are {', '.join(names)}."
    if table == "limits":
        return f"it should be {mistake['msg'].removeprefix('Input should be ')}."
    return f"write {EXAMPLES[str(mistake['loc'][0])]}."
