"""What travels through the queue: jobs to workers, outcomes back."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Message(BaseModel):
    """Immutable, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Clock(Message):
    """A seat's time: a bank a match, and an increment before each decision, in milliseconds."""

    bank_ms: int = Field(default=60_000, ge=0, le=86_400_000)
    increment_ms: int = Field(default=200, ge=0, le=3_600_000)


class Entrant(Message):
    """Who plays: a bot by name, and its version by content digest (64 hexadecimal digits).
    `remote`: it is reached by its name, at the server's gateway."""

    bot: str
    version: str
    remote: bool = False


class Job(Message):
    """One deal set to be played: the same deals, in one or several seatings.

    `entrants` are in the seat order of the first seating. `seatings[m][seat]` is the entrant (its
    place in `entrants`) at that seat in match m. `fresh` demands processes that have played nothing
    before. `result_token` is used once, with the outcome; the store keeps its hash.
    """

    job_id: str
    ladder: str
    game: str
    rules_version: int
    options: dict[str, str]
    clock: Clock
    entrants: tuple[Entrant, ...]
    seatings: tuple[tuple[int, ...], ...]
    fresh: bool = False
    result_token: str


class PlayedMatch(Message):
    """A finished match: the record in its canonical text, and its owner's private log as JSON."""

    record: str
    private_log: str


class Outcome(Message):
    """What became of a job: its matches, or, with none of them, why it failed for good."""

    job_id: str
    attempt: int
    worker: str
    result_token: str
    matches: tuple[PlayedMatch, ...] = ()
    failure: str = ""
