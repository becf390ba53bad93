"""Matches in a server's store that were never played: Ann's bot crashes against Bob's."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy.orm import Session

from arena.league.ladder.ladders import enter
from arena.records.private_log import Note, PrivateLog, SeatLog
from arena.store import schema
from arena.store.queries import ladder_named
from arena.store.schema import Job, JobState, Record
from arena.store.texts import packed
from arena.store.versions import add_version
from tests.support.match_rows import match_row

BOTS = {"ann-bot": "Ann", "bob-bot": "Bob"}
MATCH = "m-7"
WORDS = "Traceback: a secret of Ann's"
AT = datetime(2026, 7, 7, tzinfo=UTC)


def digest_of(bot: str) -> str:
    return sha256(bot.encode()).hexdigest()


def new_ladder(name: str) -> schema.Ladder:
    """A ladder that nobody has played on."""
    return schema.Ladder(
        name=name,
        game="xeri",
        rules_version=1,
        options={},
        bank_ms=60_000,
        increment_ms=200,
        seats=2,
        format=schema.Format.SINGLE,
        partners=schema.Partners.ANY,
        state=schema.CompetitionState.RUNNING,
        draw_probability=0.05,
    )


def add_bots(session: Session) -> None:
    """Both enter the ladder main."""
    for bot, owner in BOTS.items():
        version = add_version(session, bot=bot, owner=owner, version=digest_of(bot), manifest={})
        enter(session, ladder_named(session, "main"), version.digest)
    session.flush()


def add_match(session: Session, match: str, ladder: str, minute: int = 0) -> None:
    job = Job(
        id=f"job of {match}", competition=ladder, body="", token_hash="", state=JobState.RECORDED
    )
    session.add(job)
    session.flush()
    finished_at = AT + timedelta(minutes=minute)
    seats = map(_seat, range(len(BOTS)), BOTS)
    session.add(match_row(match, job.id, ladder, finished_at, seats, started_at=AT))
    session.flush()
    session.add(Record(match=match, digest="d" * 64, body=packed("{}")))
    logs = [
        SeatLog(bot=bot, notes=[Note(decision=3, text="why")], stderr=f"words of {bot}")
        for bot in BOTS
    ]
    log = PrivateLog(match_id=match, seats=logs).to_json()
    session.add(schema.PrivateLog(match=match, body=packed(log)))


def _seat(seat: int, bot: str) -> dict[str, Any]:
    fault = ("crashed", 3, "It ended.", WORDS) if seat == 0 else (None,) * 4
    names = ("fault_kind", "fault_decision", "fault_sentence", "fault_words")
    result = {"score": 1 - 2 * seat, "rank": 2 - seat, "margin": 4 * seat - 2}
    return {"version": digest_of(bot), "bot": bot} | result | dict(zip(names, fault, strict=True))
