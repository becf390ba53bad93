"""Conversion of the store's rows into messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from google.protobuf.timestamp_pb2 import Timestamp
from sqlalchemy.orm import Session

from arena.protocol import commitment_of
from arena.ratings import ExplainedJob, JobOpponent, OpponentRecord, Skill
from arena.records import private_log
from arena.server.auth import Caller
from arena.server.status import sendable
from arena.store import schema
from arena.store.faults import FaultRow
from arena.store.matches import MatchRow, SeatRow
from arena.store.queries import OFFLINE, Placing, SkillChange
from arena.store.schema import (
    Bot,
    CompetitionState,
    Entry,
    EntryState,
    Format,
    Partners,
    Role,
    VersionState,
)
from sevens.league.v1 import (
    comparison_pb2,
    ladder_pb2,
    match_pb2,
    token_pb2,
    tournament_pb2,
    version_pb2,
)

ROLES = {
    Role.ORGANISER: token_pb2.ROLE_ORGANISER,
    Role.OWNER: token_pb2.ROLE_OWNER,
    Role.READER: token_pb2.ROLE_READER,
    Role.WORKER: token_pb2.ROLE_WORKER,
}
STATES = {
    VersionState.ACTIVE: version_pb2.VERSION_STATE_ACTIVE,
    VersionState.RETIRED: version_pb2.VERSION_STATE_RETIRED,
}
ENTRY_STATES = {
    EntryState.ACTIVE: version_pb2.ENTRY_STATE_ACTIVE,
    EntryState.SUSPENDED: version_pb2.ENTRY_STATE_SUSPENDED,
    EntryState.WITHDRAWN: version_pb2.ENTRY_STATE_WITHDRAWN,
}
LADDER_STATES = {
    CompetitionState.RUNNING: ladder_pb2.LADDER_STATE_RUNNING,
    CompetitionState.PAUSED: ladder_pb2.LADDER_STATE_PAUSED,
}
TOURNAMENT_STATES = {
    CompetitionState.OPEN: tournament_pb2.TOURNAMENT_STATE_OPEN,
    CompetitionState.RUNNING: tournament_pb2.TOURNAMENT_STATE_RUNNING,
    CompetitionState.PAUSED: tournament_pb2.TOURNAMENT_STATE_PAUSED,
    CompetitionState.OVER: tournament_pb2.TOURNAMENT_STATE_OVER,
    CompetitionState.CANCELLED: tournament_pb2.TOURNAMENT_STATE_CANCELLED,
}
COMPARISON_STATES = {
    CompetitionState.RUNNING: comparison_pb2.COMPARISON_STATE_RUNNING,
    CompetitionState.PAUSED: comparison_pb2.COMPARISON_STATE_PAUSED,
    CompetitionState.OVER: comparison_pb2.COMPARISON_STATE_OVER,
    CompetitionState.CANCELLED: comparison_pb2.COMPARISON_STATE_CANCELLED,
}
FORMATS = {
    Format.SINGLE: ladder_pb2.LADDER_FORMAT_SINGLE,
    Format.DUPLICATE: ladder_pb2.LADDER_FORMAT_DUPLICATE,
}
PARTNERS = {
    Partners.SAME: ladder_pb2.LADDER_PARTNERS_SAME,
    Partners.ANY: ladder_pb2.LADDER_PARTNERS_ANY,
}
STANDING_STATES = {
    str(EntryState.ACTIVE): ladder_pb2.STANDING_STATE_ACTIVE,
    str(EntryState.SUSPENDED): ladder_pb2.STANDING_STATE_SUSPENDED,
    str(EntryState.WITHDRAWN): ladder_pb2.STANDING_STATE_WITHDRAWN,
    str(VersionState.RETIRED): ladder_pb2.STANDING_STATE_RETIRED,
    OFFLINE: ladder_pb2.STANDING_STATE_OFFLINE,
}


def token_message(token: schema.Token) -> token_pb2.Token:
    return token_pb2.Token(
        id=token.id,
        owner=token.owner,
        role=ROLES[token.role],
        created_at=_timestamp(token.created_at),
        revoked_at=token.revoked_at and _timestamp(token.revoked_at),
    )


def version_message(session: Session, version: schema.Version) -> version_pb2.Version:
    entered = sa.select(Entry).where(Entry.version == version.digest).order_by(Entry.ladder)
    return version_pb2.Version(
        bot=version.bot,
        owner=session.get_one(Bot, version.bot).owner,
        number=version.number,
        digest=version.digest,
        state=STATES[version.state],
        entries=[
            version_pb2.Entry(ladder=entry.ladder, state=ENTRY_STATES[entry.state])
            for entry in session.scalars(entered)
        ],
        created_at=_timestamp(version.created_at),
    )


def fault_message(fault: FaultRow, reader: Caller) -> match_pb2.Fault:
    """Returns a fault, with the bot's own words if the reader may see them."""
    return match_pb2.Fault(
        match=fault.match,
        **{fault.competition_kind: fault.competition},
        finished_at=_timestamp(fault.finished_at),
        seat=fault.seat,
        bot=fault.bot,
        number=fault.number,
        version=fault.version,
        kind=fault.kind,
        decision=fault.decision,
        sentence=sendable(fault.sentence),
        words=sendable(fault.words) if reader.may_read_private(fault.owner) else "",
    )


def ladder_message(ladder: schema.Ladder, matches: int, *, is_run: bool) -> ladder_pb2.Ladder:
    return ladder_pb2.Ladder(
        name=ladder.name,
        game=ladder.game,
        rules_version=ladder.rules_version,
        options=ladder.options,
        seats=ladder.seats,
        format=FORMATS[ladder.format],
        partners=PARTNERS[ladder.partners],
        bank_ms=ladder.bank_ms,
        increment_ms=ladder.increment_ms,
        draw_probability=ladder.draw_probability,
        fault_quota=ladder.fault_quota,
        state=LADDER_STATES[ladder.state],
        running_now=is_run and ladder.state == CompetitionState.RUNNING,
        matches=matches,
    )


def tournament_message(
    session: Session, tournament: schema.Tournament, *, is_run: bool
) -> tournament_pb2.Tournament:
    of_it = schema.TournamentEntrant.tournament == tournament.name
    entrants = sa.select(sa.func.count()).select_from(schema.TournamentEntrant).where(of_it)
    rounds = sa.select(sa.func.max(schema.TournamentRound.number)).where(
        schema.TournamentRound.tournament == tournament.name
    )
    matches = sa.select(sa.func.count()).where(schema.Match.competition == tournament.name)
    terms = tournament.terms
    return tournament_pb2.Tournament(
        name=tournament.name,
        game=tournament.game,
        rules_version=tournament.rules_version,
        options=tournament.options,
        seats=tournament.seats,
        deals=FORMATS[tournament.format],
        partners=PARTNERS[tournament.partners],
        bank_ms=tournament.bank_ms,
        increment_ms=tournament.increment_ms,
        format=terms["format"],
        rounds=terms["rounds"],
        groups=terms["groups"],
        tie_breaks=terms["tie_breaks"],
        common_deals=tournament.common_deals,
        commitment=commitment_of(bytes.fromhex(tournament.secret)).hex(),
        state=TOURNAMENT_STATES[tournament.state],
        running_now=is_run and tournament.state == CompetitionState.RUNNING,
        entrants=session.scalar(entrants) or 0,
        round=session.scalar(rounds) or 0,
        matches=session.scalar(matches) or 0,
        obstacle=tournament.problem,
    )


def comparison_message(
    comparison: schema.Comparison, document: Mapping[str, Any], *, is_run: bool
) -> comparison_pb2.Comparison:
    """`document`: its public document."""
    plan, findings = document["plan"], document["findings"]
    return comparison_pb2.Comparison(
        name=comparison.name,
        game=comparison.game,
        owner=comparison.owner,
        new=_compared(plan["new"]),
        old=_compared(plan["old"]),
        state=COMPARISON_STATES[comparison.state],
        running_now=is_run and comparison.state == CompetitionState.RUNNING,
        verdict=findings["verdict"],
        sentence=document["sentence"],
        started=document["started"],
        counted=findings["groups"],
        matches=document["matches"],
        obstacle=comparison.problem,
    )


def _compared(participant: Mapping[str, Any]) -> comparison_pb2.ComparedVersion:
    return comparison_pb2.ComparedVersion(bot=participant["bot"], number=participant["number"])


def standing_message(
    placing: Placing, suspended_for: FaultRow | None, reader: Caller
) -> ladder_pb2.Standing:
    entry = placing.entry
    return ladder_pb2.Standing(
        place=placing.place,
        bot=entry.bot,
        number=entry.number,
        version=entry.version,
        owner=entry.owner,
        mu=entry.mu,
        sigma=entry.sigma,
        rating=placing.rating,
        matches=entry.matches,
        faults=entry.faults,
        state=STANDING_STATES[entry.state],
        suspended_for=None if suspended_for is None else fault_message(suspended_for, reader),
        fit=None if entry.fit is None else _fit(Skill(*entry.fit)),
    )


def change_message(change: SkillChange, matches: Sequence[MatchRow]) -> ladder_pb2.RatingChange:
    """`matches`: those of the job that changed the rating."""
    before = Skill() if change.before is None else Skill(*change.before)
    after = Skill(change.mu, change.sigma)
    return ladder_pb2.RatingChange(
        sequence=change.sequence,
        number=change.number,
        version=change.version,
        mu_before=before.mu,
        sigma_before=before.sigma,
        mu=after.mu,
        sigma=after.sigma,
        rating=after.rating,
        matches=map(match_message, matches),
    )


def explained_job_message(
    explained: ExplainedJob, matches: Sequence[MatchRow]
) -> ladder_pb2.ExplainedJob:
    """`matches`: those of the job."""
    seats = {seat.version: seat for match in matches for seat in match.seats}
    job, version = explained.job, explained.version
    change = SkillChange(
        sequence=job.sequence,
        job=job.job,
        version=version,
        number=seats[version].number,
        before=(explained.before.mu, explained.before.sigma),
        mu=explained.after.mu,
        sigma=explained.after.sigma,
    )
    return ladder_pb2.ExplainedJob(
        change=change_message(change, matches),
        partners=[seats[partner].bot for partner in explained.partners],
        meetings=[_meeting(meeting, seats[meeting.version]) for meeting in explained.meetings],
        expected=explained.expected,
        actual=explained.actual,
    )


def opponent_message(bot: str, record: OpponentRecord) -> ladder_pb2.OpponentRecord:
    return ladder_pb2.OpponentRecord(
        bot=bot,
        jobs=record.jobs,
        matches=record.matches,
        expected=record.expected,
        actual=record.actual,
    )


def match_message(match: MatchRow) -> match_pb2.Match:
    return match_pb2.Match(
        match=match.match,
        job=match.job,
        attempt=match.attempt,
        **{match.competition_kind: match.competition},
        game=match.game,
        seats=map(_match_seat, match.seats),
        reason=match.reason,
        finished_at=_timestamp(match.finished_at),
    )


def seat_log_message(seat: int, log: private_log.SeatLog) -> match_pb2.SeatLog:
    return match_pb2.SeatLog(
        seat=seat,
        notes=[match_pb2.Note(decision=n.decision, text=sendable(n.text)) for n in log.notes],
        stderr=sendable(log.stderr),
        stale_answers=log.stale_answers,
        start_ms=log.start_ms,
        fault_words=sendable(log.fault_words),
    )


def _meeting(meeting: JobOpponent, seat: SeatRow) -> ladder_pb2.Meeting:
    """`seat`: one that the met version took."""
    skill, odds = meeting.skill, meeting.odds
    return ladder_pb2.Meeting(
        bot=seat.bot,
        number=seat.number,
        version=seat.version,
        mu=skill.mu,
        sigma=skill.sigma,
        rating=skill.rating,
        win=odds.win,
        tie=odds.tie,
        loss=odds.loss,
        points=meeting.points,
    )


def _fit(skill: Skill) -> ladder_pb2.Fit:
    return ladder_pb2.Fit(mu=skill.mu, sigma=skill.sigma, rating=skill.rating)


def _match_seat(seat: SeatRow) -> match_pb2.MatchSeat:
    return match_pb2.MatchSeat(
        seat=seat.seat,
        bot=seat.bot,
        version=seat.version,
        team=seat.team,
        score=seat.score,
        rank=seat.rank,
        faults=[
            match_pb2.SeatFault(
                kind=fault.kind, decision=fault.decision, sentence=sendable(fault.sentence)
            )
            for fault in seat.faults
        ],
    )


def _timestamp(moment: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp
