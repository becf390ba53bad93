"""`bot.toml`: what a bot is called, what it plays, how it is started, and what it may use."""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StrictInt, StrictStr, ValidationError
from pydantic_core import ErrorDetails

MANIFEST = "bot.toml"
MANIFEST_LIMIT_BYTES = 64 * 1024

Word = Annotated[StrictStr, Field(min_length=1, max_length=4096)]
NAME = r"^[a-z0-9][a-z0-9-]{0,39}$"
Slug = Annotated[StrictStr, Field(pattern=NAME)]


class ManifestError(ValueError):
    """A `bot.toml` that cannot be used. Its text has a sentence for each mistake."""


class Limits(BaseModel):
    """What one process of a bot, with all that it starts, may use. `memory_mb`: MiB of resident
    memory. `matches_at_once`: how many matches it is offered at the same time; None leaves that to
    the bot itself, which says so in its hello."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    memory_mb: Annotated[StrictInt, Field(ge=16, le=65_536)] = 512
    processes: Annotated[StrictInt, Field(ge=1, le=4096)] = 64
    matches_at_once: Annotated[StrictInt, Field(ge=1, le=1024)] | None = None


class Manifest(BaseModel):
    """The contents of `bot.toml`. `games`: slugs, none for every game. `run` and `build`: a program
    and its arguments, without a shell, in the bot's folder."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Slug
    run: Annotated[tuple[Word, ...], Field(min_length=1)]
    games: tuple[Slug, ...] = ()
    build: Annotated[tuple[Word, ...], Field(min_length=1)] | None = None
    language: StrictStr = ""
    limits: Limits = Limits()


# What to write, for the fields whose mistakes pydantic cannot name in our words.
EXAMPLES = {
    "name": 'lower-case letters, digits and hyphens, such as name = "my-bot"',
    "run": 'a list of words, such as run = ["python", "bot.py"]',
    "games": 'a list of slugs, such as games = ["xeri"]',
    "build": 'a list of words, such as build = ["make", "bot"]',
    "language": 'a text, such as language = "python"',
    "limits": "a table, such as [limits] with memory_mb = 512",
}


def read_manifest(folder: Path) -> Manifest:
    """Reads the manifest of a bot's folder. Raises ManifestError; OSError if there is none."""
    path = folder / MANIFEST
    if path.stat().st_size > MANIFEST_LIMIT_BYTES:
        raise ManifestError(f"{path} is larger than {MANIFEST_LIMIT_BYTES // 1024} KiB.")
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as mistake:  # bad TOML as well as bad UTF-8
        raise ManifestError(f"{path} is not valid TOML: {mistake}.") from None
    try:
        return Manifest.model_validate(fields)
    except ValidationError as mistakes:
        sentences = (_sentence(mistake) for mistake in mistakes.errors())
        raise ManifestError("\n".join(f"{path}: {sentence}" for sentence in sentences)) from None


def _sentence(mistake: ErrorDetails) -> str:
    """Which field, what was wrong, what to do."""
    field = ".".join(str(part) for part in mistake["loc"])
    top = str(mistake["loc"][0])
    if mistake["type"] == "missing":
        return f"`{field}` is missing; write {EXAMPLES[field]}."
    if mistake["type"] == "extra_forbidden":
        return _unknown_field(field)
    if "." in field and top == "limits":
        wanted = mistake["msg"].removeprefix("Input should be ")
        return f"`{field}` is {mistake['input']!r}; it should be {wanted}."
    return f"`{field}` is {mistake['input']!r}; write {EXAMPLES[top]}."


def _unknown_field(field: str) -> str:
    table, _, name = field.rpartition(".")
    names = list(Limits.model_fields if table else Manifest.model_fields)
    near = get_close_matches(name, names, n=1)
    advice = f"did you mean `{near[0]}`?" if near else f"known are {', '.join(names)}."
    return f"`{field}` is not a field; {advice}"
