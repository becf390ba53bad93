"""The messages that travel through the queue: jobs to workers, outcomes back."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Message(BaseModel):
    """Immutable, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Clock(Message):
    """A seat's time, in milliseconds: a bank per match, and an increment before each decision."""

    bank_ms: int = Field(default=60_000, ge=0, le=86_400_000)
    increment_ms: int = Field(default=200, ge=0, le=3_600_000)


class Entrant(Message):
    """A participant: a bot by name, and its version by content digest (64 hexadecimal digits).

    `remote`: it is reached by its name through the server's gateway.
    """

    bot: str
    version: str
    remote: bool = False


class JobMessage(Message):
    """A message that travels by itself, and is about one job."""

    job_id: str


class Origin(Message):
    """The match whose deals a job repeats, and how much of it stands.

    `digest`: its record's.
    `secret`: from which its deals followed, 64 hexadecimal digits; empty if from a seed text.
    `nonces`: that went into them, as hexadecimal digits, in the order of the entrants.
    `choices`: (seat, action) of its first choices, which stand.
    """

    match: str
    digest: str
    secret: str = ""
    nonces: tuple[str, ...] = ()
    choices: tuple[tuple[int, str], ...] = ()


class Job(JobMessage):
    """One deal set to play: the same deals, in one or several seatings.

    `competition`: the name of the ladder, say, that it is played for.
    `entrants`: the bots that the seatings name.
    `seatings`: `seatings[m][seat]` is the index into `entrants` of the bot at that seat in match m.
    `seed_text`: the text from which the deals follow; empty: the worker draws a secret, commits to
      it, and mixes it with the bots' nonces.
    `fresh`: demands processes that have played nothing before.
    `origin`: the match that it repeats, if it does.
    `unhurried`: a person plays in it; it mostly waits, and takes up no place of the worker's.
    `result_token`: used once, with the outcome; the store keeps its hash.
    """

    competition: str
    game: str
    rules_version: int
    options: dict[str, str]
    clock: Clock
    entrants: tuple[Entrant, ...]
    seatings: tuple[tuple[int, ...], ...]
    seed_text: str = ""
    fresh: bool = False
    origin: Origin | None = None
    unhurried: bool = False
    result_token: str


class PlayedMatch(Message):
    """A finished match.

    `record`: its canonical form, compressed, exactly as the store will keep it.
    `private_log`: what only the bots' owners may read, as JSON.
    """

    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    record: bytes
    private_log: str


class Outcome(JobMessage):
    """The result of a job: its matches or, if there are none, why it failed for good."""

    attempt: int
    worker: str
    result_token: str
    matches: tuple[PlayedMatch, ...] = ()
    failure: str = ""
