"""The plan of a comparison: all that is agreed, and hashed, before the first group."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from hashlib import sha256
from typing import Annotated, Any

import sqlalchemy as sa
from pydantic import Field, model_validator
from sqlalchemy.orm import Session

from arena.match import FIRST_HOUSE, NEW, OLD, Seating
from arena.statistics import Design, PointScale, Side, StrictModel
from arena.store import schema
from arena.views.view import canonical_json

MOST_SEATS = 64
MOST_MATCHES = 24
"""The matches of a group."""
WIDEST_BY_RANKS = 1.0
"""The largest difference of a group by ranks: NEW has outranked all others, and OLD nobody."""

Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Name = Annotated[str, Field(min_length=1, max_length=200)]


class Mode(StrEnum):
    """The question that is asked.

    `HEAD_TO_HEAD`: NEW and OLD sit at one table.
    `REPLACEMENT`: NEW plays among house bots, and OLD the same deals in its stead.
    """

    HEAD_TO_HEAD = "head-to-head"
    REPLACEMENT = "replacement"


class Participant(StrictModel):
    """A version of a bot: the bot's name, the version's number and its content digest."""

    bot: Name
    number: int = Field(ge=1)
    version: Digest

    def __str__(self) -> str:
        return f"{self.bot}@{self.number}"


class ComparisonPlan(StrictModel):
    """The versions under comparison, the rules they play by, and the test that decides.

    `options`: all options of the game, as texts.
    `bank_ms`, `increment_ms`: the time of each seat, in milliseconds.
    `seatings`: `[m][seat]` is the participant in match m of each group: 0 is NEW, 1 is OLD, from 2
      on the house bots. Exchanging NEW and OLD gives the same seatings.
    """

    game: Name
    rules_version: int = Field(ge=1)
    options: dict[Name, Annotated[str, Field(max_length=200)]] = Field(max_length=50)
    bank_ms: int = Field(ge=0)
    increment_ms: int = Field(ge=0)
    new: Participant
    old: Participant
    house: tuple[Participant, ...] = Field(max_length=MOST_SEATS)
    mode: Mode
    scale: PointScale
    seatings: tuple[Annotated[tuple[int, ...], Field(min_length=1, max_length=MOST_SEATS)], ...] = (
        Field(min_length=1, max_length=MOST_MATCHES)
    )
    terms: Design

    @model_validator(mode="after")
    def _compares_two(self) -> ComparisonPlan:
        if self.new.version == self.old.version:
            raise ValueError("NEW and OLD are the same version.")
        return self

    @model_validator(mode="after")
    def _knows_the_widest_rank_difference(self) -> ComparisonPlan:
        if self.scale is PointScale.RANKS and self.terms.widest != WIDEST_BY_RANKS:
            raise ValueError("By ranks, the largest difference of a group is 1.")
        return self

    @model_validator(mode="after")
    def _is_balanced(self) -> ComparisonPlan:
        known = range(FIRST_HOUSE + len(self.house))
        if any(one not in known for seating in self.seatings for one in seating):
            raise ValueError("The seatings name a participant that the plan does not have.")
        sizes = {len(seating) for seating in self.seatings}
        swapped = Counter(map(_swapped, self.seatings))
        if len(sizes) != 1 or swapped != Counter(self.seatings):
            raise ValueError("The seatings change when NEW and OLD are exchanged.")
        wanted = {NEW, OLD} if self.mode is Mode.HEAD_TO_HEAD else None
        if any(not _fits(seating, wanted) for seating in self.seatings):
            raise ValueError(f"The seatings do not fit the mode {self.mode}.")
        return self

    @property
    def digest(self) -> str:
        """The SHA-256 of the plan's canonical JSON: keys sorted, no spaces, UTF-8."""
        return sha256(canonical_json(self).encode()).hexdigest()

    def participant(self, number: int) -> Participant:
        """Returns the participant of that number in the seatings."""
        return (self.new, self.old, *self.house)[number]

    def halves(self) -> tuple[tuple[Seating, ...], ...]:
        """Returns the seatings by jobs: all in one where NEW and OLD sit at one table, else those
        with NEW and those with OLD. All seatings of a job have the same participants."""
        if self.mode is Mode.HEAD_TO_HEAD:
            return (self.seatings,)
        return tuple(
            tuple(seating for seating in self.seatings if one in seating) for one in (NEW, OLD)
        )

    @property
    def group_seatings(self) -> tuple[Seating, ...]:
        """The seatings of a group's matches, in the order of their jobs."""
        return tuple(seating for half in self.halves() for seating in half)


def plan_of(comparison: schema.Comparison) -> ComparisonPlan:
    """Returns the plan of a comparison."""
    return ComparisonPlan.model_validate_json(json.dumps(comparison.plan))


def earlier_comparisons(session: Session, comparison: schema.Comparison) -> int:
    """Returns how many comparisons of the same two versions, either way, were created before."""
    pair = _pair(comparison.plan)
    earlier = session.scalars(
        sa.select(schema.Comparison).where(schema.Comparison.created_at < comparison.created_at)
    )
    return sum(_pair(one.plan) == pair for one in earlier)


def replayed_jobs(session: Session, comparison: str) -> int:
    """Returns how many jobs of a comparison were given up and played again: those that no group
    has."""
    has_group = sa.exists().where(schema.ComparisonJob.job == schema.Job.id)
    given_up = sa.select(sa.func.count()).where(
        schema.Job.competition == comparison,
        schema.Job.state == schema.JobState.PARKED,
        ~has_group,
    )
    return session.scalar(given_up) or 0


def _pair(plan: Mapping[str, Any]) -> set[str]:
    return {plan["new"]["version"], plan["old"]["version"]}


def side_of(participant: int) -> Side:
    """Returns the side of a participant in the seatings."""
    return {NEW: Side.NEW, OLD: Side.OLD}.get(participant, Side.HOUSE)


def _swapped(seating: Seating) -> Seating:
    exchanged = {NEW: OLD, OLD: NEW}
    return tuple(exchanged.get(one, one) for one in seating)


def _fits(seating: Seating, wanted: set[int] | None) -> bool:
    """Returns True if a seating has NEW and OLD as wanted; None: exactly one of them."""
    compared = {NEW, OLD} & set(seating)
    return len(compared) == 1 if wanted is None else compared == wanted
