"""The plan of a comparison: all that is agreed, and hashed, before the first group."""

from __future__ import annotations

import json
from enum import StrEnum
from hashlib import sha256
from typing import Annotated

from pydantic import Field

from arena.statistics.difference import Scale
from arena.statistics.terms import Document, Terms

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class Mode(StrEnum):
    """Which question is asked.

    `HEAD_TO_HEAD`: NEW and OLD sit at one table.
    `REPLACEMENT`: NEW plays among house bots, and OLD the same deals in its stead.
    """

    HEAD_TO_HEAD = "head-to-head"
    REPLACEMENT = "replacement"


class Participant(Document):
    """A bot by name, and its version by content digest."""

    bot: Name
    version: Digest


class Plan(Document):
    """What is compared, under which rules, and how it is decided.

    `options`: all options of the game, as texts.
    `bank_ms`, `increment_ms`: the time of each seat, in milliseconds.
    `seatings`: `[m][seat]` is the participant in match m of each group: 0 is NEW, 1 is OLD, from 2
      on the house bots.
    """

    game: Name
    rules_version: int = Field(ge=1)
    options: dict[Name, Annotated[str, Field(max_length=200)]] = Field(max_length=50)
    bank_ms: int = Field(ge=0)
    increment_ms: int = Field(ge=0)
    new: Participant
    old: Participant
    house: tuple[Participant, ...] = Field(max_length=64)
    mode: Mode
    scale: Scale
    seatings: tuple[Annotated[tuple[int, ...], Field(min_length=1, max_length=64)], ...] = Field(
        min_length=1, max_length=120
    )
    terms: Terms

    @property
    def digest(self) -> str:
        """The SHA-256 of the plan's canonical JSON: keys sorted, no spaces, UTF-8."""
        return sha256(canonical_json(self).encode()).hexdigest()


def canonical_json(document: Document) -> str:
    """Returns the one JSON text of a document: keys sorted, no spaces, every field written."""
    fields = document.model_dump(mode="json")
    return json.dumps(
        fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
