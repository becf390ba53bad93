"""A data folder on one of whose ladders a league has played for long.

SQLite copies the rows of one real match under other names, a million in two minutes. Only the
records and private logs of the copies are cut short.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from arena.league.aggregates import recount
from arena.league.ladder import create_ladder, enter
from arena.store import tokens
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.store.schema import Base, Bot, Format, Role, Version
from arena.store.session import Store

GAME = "xeri"  # its matches are all equally long
SINGLE, DUPLICATE = "single", "duplicate"
BODY_BYTES = 64

COPIES = f"""
CREATE TEMP TABLE original AS
    SELECT matches.id, matches.job, one.version AS one, one.bot AS one_bot,
        other.version AS other, other.bot AS other_bot
    FROM matches
    JOIN match_seats AS one ON one.match = matches.id AND one.seat = 0
    JOIN match_seats AS other ON other.match = matches.id AND other.seat = 1
    WHERE matches.competition = '{SINGLE}';
CREATE TEMP TABLE players AS
    SELECT row_number() OVER (ORDER BY digest) - 1 AS place, digest, bot FROM versions;
CREATE UNIQUE INDEX temp.ix_players_place ON players (place);
CREATE TEMP TABLE copies AS
    WITH RECURSIVE numbers (number) AS (
        SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < :matches
    )
    SELECT number, lower(hex(randomblob(16))) AS job, one.digest AS one, one.bot AS one_bot,
        other.digest AS other, other.bot AS other_bot,
        strftime('%Y-%m-%d %H:%M:%S.000000', 1767225600 + number, 'unixepoch') AS moment
    FROM numbers
    JOIN players AS one ON one.place = number % :players
    JOIN players AS other
        ON other.place = (number + 1 + number / :players % (:players - 1)) % :players
"""
"""The original match, and the order in which the pairs play its copies."""

COUNTS = f"""
UPDATE ratings SET matches = found.matches FROM (
    SELECT version, count(*) AS matches FROM match_seats WHERE competition = '{SINGLE}' GROUP BY 1
) AS found
WHERE ratings.version = found.version AND ratings.ladder = '{SINGLE}';
DELETE FROM ladder_seats WHERE ladder = '{SINGLE}';
INSERT INTO ladder_seats (ladder, version, seat, jobs)
    SELECT competition, version, seat, count(*) FROM match_seats
    WHERE competition = '{SINGLE}' GROUP BY version, seat;
DELETE FROM ladder_meetings WHERE ladder = '{SINGLE}';
INSERT INTO ladder_meetings (ladder, one, other, jobs, partnered)
    SELECT one.competition, min(one.version, other.version), max(one.version, other.version),
        count(*), 0
    FROM match_seats AS one
    JOIN match_seats AS other ON other.match = one.match AND other.seat = 1
    WHERE one.competition = '{SINGLE}' AND one.seat = 0 GROUP BY 2, 3
"""

VARIETY = f"""
UPDATE match_seats SET rank = 3 - rank, margin = -margin
WHERE margin != 0 AND match IN (SELECT id FROM matches WHERE rowid % 3 = 0);
UPDATE match_seats SET fault_kind = 'timeout', fault_decision = 7,
    fault_sentence = 'It did not answer in time.'
WHERE seat = 0 AND match IN (SELECT id FROM matches WHERE rowid % 50 = 0);
UPDATE match_seats SET slowest_ms = abs(random()) % 5000 WHERE competition = '{SINGLE}';
UPDATE rating_changes SET mu = mu + (sequence * 7 % 100) / 20.0;
UPDATE ratings SET mu = mu + (rowid * 7 % 100) / 20.0
"""
"""The columns in which copies differ where pages show them; their records contradict these."""

MOMENTS = dict.fromkeys(("created_at", "started_at", "finished_at"), "copy.moment")
PLAYER = "CASE row.version WHEN original.one THEN copy.one ELSE copy.other END"
BOT = "CASE row.version WHEN original.one THEN copy.one_bot ELSE copy.other_bot END"
MATCH, SEQUENCE, SHORT = "copy.job || '-1'", "copy.number + 1", f"randomblob({BODY_BYTES})"
JOB_BODY = "row.body"
for name in ("one", "one_bot", "other", "other_bot"):
    JOB_BODY = f"replace({JOB_BODY}, '\"' || original.{name} || '\"', '\"' || copy.{name} || '\"')"

COPIED: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "jobs": ("row.id = original.job", {"id": "copy.job", "body": JOB_BODY, "sequence": SEQUENCE}),
    "matches": ("row.job = original.job", {"id": MATCH, "job": "copy.job"}),
    "match_seats": ("row.match = original.id", {"match": MATCH, "version": PLAYER, "bot": BOT}),
    "records": ("row.match = original.id", {"match": MATCH, "body": SHORT}),
    "private_logs": ("row.match = original.id", {"match": MATCH, "body": SHORT}),
    "rating_changes": (
        f"row.ladder = '{SINGLE}' AND row.sequence = 1",
        {"sequence": SEQUENCE, "version": PLAYER},
    ),
}
"""By table: the original's rows, and the columns in which a copy differs from its row."""


def new_store(folder: Path, entrants: int) -> Store:
    """Creates a data folder with a ladder of single matches and one of duplicate groups, which the
    bots of as many contestants have entered."""
    store = open_store(folder, "write")
    ladders = [
        create_ladder(store, name, GAME, format=format, draw_probability=0.05)
        for name, format in ((SINGLE, Format.SINGLE), (DUPLICATE, Format.DUPLICATE))
    ]
    with store.writing() as session:
        for number in range(entrants):
            bot, owner = f"bot-{number:04}", f"owner-{number:04}"
            digest = sha256(bot.encode()).hexdigest()
            tokens.create_token(session, owner, Role.OWNER)
            session.add(Bot(name=bot, owner=owner))
            session.flush()
            session.add(Version(digest=digest, bot=bot, number=1, manifest={"name": bot}))
            session.flush()
            for ladder in ladders:
                enter(session, ladder, digest)
    return store


def fill(folder: Path, matches: int, *, varied: bool = False) -> None:
    """Adds copies of the only match on the ladder of single ones, and counts them.

    `varied`: they differ in results, faults and times.
    """
    with closing(sqlite3.connect(DataFolder(folder).database)) as database:
        database.executescript("PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000;")
        (players,) = database.execute("SELECT count(*) FROM versions").fetchone()
        numbers = {"matches": matches, "players": players}
        variety = VARIETY.split(";") if varied else ()
        for statement in (*COPIES.split(";"), *_insertions(), *COUNTS.split(";"), *variety):
            used = {name: number for name, number in numbers.items() if f":{name}" in statement}
            database.execute(statement, used)
            database.commit()
    store = open_store(folder, "write")
    recount(store, SINGLE)
    store.close()
    with closing(sqlite3.connect(DataFolder(folder).database)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _insertions() -> Iterator[str]:
    for name, (rows, changes) in COPIED.items():
        columns = Base.metadata.tables[name].columns.keys()
        values = [{**MOMENTS, **changes}.get(column, f"row.{column}") for column in columns]
        yield (
            f"INSERT INTO {name} ({', '.join(columns)}) SELECT {', '.join(values)}"
            f" FROM temp.copies AS copy, temp.original AS original, {name} AS row WHERE {rows}"
        )
