"""The messages of the queue: jobs to workers, outcomes back."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

BYTES_AS_BASE64 = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")


class Message(BaseModel):
    """A message: immutable, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Clock(Message):
    """A seat's time, in milliseconds: a bank per match, and an increment before each decision."""

    bank_ms: int = Field(default=60_000, ge=0, le=86_400_000)
    increment_ms: int = Field(default=200, ge=0, le=3_600_000)


class Entrant(Message):
    """A participant: a bot by name, and its version by content digest (64 hexadecimal digits).

    `remote`: whether it is reached by its name through the server's gateway.
    """

    bot: str
    version: str
    remote: bool = False


class SignedMessage(Message):
    """A message of its own, signed together with its subject. `about`: that."""

    @property
    def about(self) -> str:
        raise NotImplementedError


class JobMessage(SignedMessage):
    """A message of its own on the queue, about one job."""

    job_id: str

    @property
    def about(self) -> str:
        return self.job_id


class Origin(Message):
    """The match whose deals a job repeats, and the choices taken over from it.

    `digest`: the digest of its record.
    `secret`: the secret of its deals, 64 hexadecimal digits; empty if they followed a seed text.
    `nonces`: the nonces of its deals, as hexadecimal digits, in the order of the entrants.
    `choices`: (seat, action) of its first choices, which are taken over.
    """

    match: str
    digest: str
    secret: str = ""
    nonces: tuple[str, ...] = ()
    choices: tuple[tuple[int, str], ...] = ()


class Job(JobMessage):
    """One deal set to play: the same deals, in one or several seatings; or a match to analyse.

    `competition`: the name of its competition, such as a ladder.
    `entrants`: the bots that the seatings name.
    `seatings`: `seatings[m][seat]` is the index into `entrants` of the bot at that seat in match m.
    `seed_text`: the text from which the deals follow; if empty, the worker draws a secret, commits
      to it and mixes it with the bots' nonces.
    `fresh`: demands processes that have played nothing before.
    `origin`: the match that it repeats, if any.
    `unhurried`: whether a person plays; it mostly waits, and takes none of the worker's slots.
    `record`: of the match that is to be analysed, compressed; empty if the job is to be played.
    `result_token`: used once, with the outcome; the store has its hash.
    """

    model_config = BYTES_AS_BASE64

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
    record: bytes = b""
    result_token: str


class PlayedMatch(Message):
    """A finished match.

    `record`: its canonical form, compressed, exactly as it will be stored.
    `private_log`: the log that only the bots' owners may read, as JSON.
    """

    model_config = BYTES_AS_BASE64

    record: bytes
    private_log: str


class Outcome(JobMessage):
    """The result of a job: its matches, its analysis as JSON or the reason why it failed for good.

    `absent`: whether the reason is that a bot was not connected, for which nobody need be alarmed.
    """

    attempt: int
    worker: str
    result_token: str
    matches: tuple[PlayedMatch, ...] = ()
    analysis: str = ""
    failure: str = ""
    absent: bool = False
