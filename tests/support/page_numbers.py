"""The numbers that pages show, counted once more and in another way: from the records alone."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.records.record import read_compressed
from arena.records.setup import recorded_deals, started
from arena.records.timeline import ChosenBy, Step, moments
from arena.store.schema import DecisionTimes, Match, MeetingResults, Record, SeatResults, table_of

Numbers = dict[str, dict[tuple[Any, ...], tuple[int, ...]]]


def stored(session: Session, competition: str) -> Numbers:
    """Returns the numbers in the store, by table and key."""
    found: Numbers = {}
    for kind in (SeatResults, MeetingResults, DecisionTimes):
        table = table_of(kind)
        rows = session.execute(sa.select(table).where(table.c.competition == competition))
        found[table.name] = {tuple(row[1:3]): tuple(row[3:]) for row in rows}
    return found


def counted(session: Session, competition: str) -> Numbers:
    """Returns the same from the records of the matches."""
    seats: dict[tuple[str, int], list[int]] = {}
    meetings: dict[tuple[str, str], list[int]] = {}
    ahead: Counter[tuple[str, str, str]] = Counter()
    met: set[tuple[str, str, str]] = set()
    times: Counter[tuple[str, int]] = Counter()
    bodies = sa.select(Match.job, Record.body).join(Record, Record.match == Match.id)
    for job, body in session.execute(bodies.where(Match.competition == competition)):
        record = read_compressed(body).record
        ranks, teams = record.result.ranks, [seat.team for seat in record.seats]
        at_fault = {fault.seat for fault in record.faults}
        spent: list[list[int]] = [[] for _ in teams]
        for step in moments(record, started(record, recorded_deals(record))):
            if isinstance(step, Step) and step.chosen_by is ChosenBy.BOT:
                spent[step.seat].append(step.milliseconds)
        for seat, own in enumerate(record.seats):
            shared = any(r == 1 and t != own.team for r, t in zip(ranks, teams, strict=True))
            row = (
                1,
                ranks[seat] == 1 and not shared,
                ranks[seat] == 1 and shared,
                ranks[seat],
                record.result.scores[seat],
                seat in at_fault,
                sum(spent[seat]),
            )
            before = seats.setdefault((own.version, seat), [0] * 8)
            seats[own.version, seat] = [
                *(old + new for old, new in zip(before, row, strict=False)),
                max(before[7], *spent[seat], 0),
            ]
            for milliseconds in spent[seat]:
                bucket = 0 if milliseconds == 0 else len(f"{milliseconds:b}")
                times[own.version, bucket] += 1
        versions = {seat.version for seat in record.seats}
        for one, other in product(versions, versions):
            mine = [seat for seat, own in enumerate(record.seats) if own.version == one]
            theirs = [seat for seat, own in enumerate(record.seats) if own.version == other]
            if one == other or {teams[s] for s in mine} == {teams[s] for s in theirs}:
                continue
            best, their_best = (min(ranks[seat] for seat in of) for of in (mine, theirs))
            row_of = meetings.setdefault((one, other), [0] * 5)
            for place, more in enumerate(
                (1, best < their_best, best == their_best, best == 1, bool(at_fault & {*mine}))
            ):
                row_of[place] += more
            met.add((one, other, job))
            ahead[one, other, job] += (best < their_best) - (best > their_best)
    return {
        "seat_results": {key: tuple(row) for key, row in seats.items()},
        "meeting_results": {
            (one, other): (
                sum((one, other) == pair[:2] for pair in met),
                *row[:3],
                sum(wins**2 for pair, wins in ahead.items() if pair[:2] == (one, other)),
                *row[3:],
            )
            for (one, other), row in meetings.items()
        },
        "decision_times": {key: (decisions,) for key, decisions in times.items()},
    }
