"""A ladder in a store, with bots of strange names and many matches that were never played."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy.orm import Session

from arena.league.aggregates import recount
from arena.league.ladder.ladders import enter
from arena.records.thinking import bucket_of
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.queries import ladder_named
from arena.store.schema import Job, JobState, MatchSeat, Rating, RatingChange
from arena.store.versions import add_version
from tests.support.match_rows import match_row
from tests.support.stored_matches import new_ladder

NAME = "crowded"
SCRIPT = "<script>alert(1)</script>"
RIGHT_TO_LEFT = "\u05d1\u05d5\u05d8-\u202e\u05de\u05d4\u05e8"
LONG = "a-very-long-name-" + "x" * 47
TWICE = "two-versions"
VERSIONS = ((SCRIPT, 1), (RIGHT_TO_LEFT, 1), (LONG, 1), (TWICE, 1), (TWICE, 2), ("plain", 1))
MATCHES = 150
START = datetime(2026, 7, 7, tzinfo=UTC)


def digest_of(bot: str, number: int) -> str:
    return f"{VERSIONS.index((bot, number)):x}".rjust(64, "c")


def crowd(data: Path) -> None:
    """Creates the data folder."""
    DataFolder(data).make()
    store = open_store(data, "write")
    with store.writing() as session:
        session.add(new_ladder(NAME))
        session.flush()
        for bot, number in VERSIONS:
            digest = digest_of(bot, number)
            add_version(session, bot=bot, owner=f"{bot}'s owner", version=digest, manifest={})
            enter(session, ladder_named(session, NAME), digest)
        session.flush()
        _add_matches(session)
    recount(store, NAME)
    store.close()


def _add_matches(session: Session) -> None:
    rng = Random(7)
    skills = {digest_of(*version): (25.0, 25 / 3) for version in VERSIONS}
    pairs = list(permutations(VERSIONS, 2))
    for number in range(MATCHES):
        one, other = pairs[number * 7 % len(pairs)]
        add_match(session, number, one, other, rng)
        for version, sign in ((one, 1), (other, -1)):
            digest = digest_of(*version)
            mu, sigma = skills[digest]
            skills[digest] = mu + sign * rng.uniform(-1, 2), max(1.0, sigma * 0.93)
            changed = dict(zip(("mu", "sigma"), skills[digest], strict=True))
            session.add(RatingChange(ladder=NAME, sequence=number + 1, version=digest, **changed))
    for digest, (mu, sigma) in skills.items():
        rating = session.get_one(Rating, (NAME, digest))
        rating.mu, rating.sigma = mu, sigma
        seats = session.query(MatchSeat).filter(MatchSeat.version == digest).all()
        rating.matches = len(seats)
        rating.faults = sum(seat.fault_kind is not None for seat in seats)


def add_match(
    session: Session, number: int, one: tuple[str, int], other: tuple[str, int], rng: Random
) -> None:
    """Adds the match of that number; each tenth has a fault at seat 0."""
    at = START + timedelta(minutes=number)
    job = f"{number:032x}"[::-1]
    session.add(
        Job(
            id=job,
            competition=NAME,
            body="",
            token_hash="",
            state=JobState.RECORDED,
            recorded_at=at,
            sequence=number + 1,
        )
    )
    session.flush()
    margin = rng.randint(-5, 5)
    fault = number % 10 == 0
    seats = [
        _seat(one, 10 + margin, 1 if margin >= 0 else 2, margin, rng, fault),
        _seat(other, 10, 1 if margin <= 0 else 2, -margin, rng, False),
    ]
    session.add(match_row(f"{job}-1", job, NAME, at, seats))
    session.flush()


def _seat(
    version: tuple[str, int], score: int, rank: int, margin: int, rng: Random, fault: bool
) -> dict[str, Any]:
    times = [int(rng.lognormvariate(2, 2)) for _ in range(20)]
    counts = [0] * (bucket_of(max(times)) + 1)
    for time in times:
        counts[bucket_of(time)] += 1
    return {
        "version": digest_of(*version),
        "bot": version[0],
        "score": score,
        "rank": rank,
        "margin": margin,
        "fault_kind": "timeout" if fault else None,
        "fault_decision": 4 if fault else None,
        "fault_sentence": "It took longer than its clock allows." if fault else None,
        "decision_counts": counts,
        "total_ms": sum(times),
        "slowest_ms": max(times),
    }
