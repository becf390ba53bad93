"""Matches: lists, single ones, what was played and logged there, its analysis, and faults."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind, naming
from arena.league.analyses import ask_for
from arena.operations.caller import CONTESTANTS, READERS
from arena.operations.named import check_filter, check_named, spelt
from arena.operations.operation import After, Changing, Limit, Reading, Text, changes, reads
from arena.operations.readable import readable_faults, readable_match, readable_seats
from arena.records import SeatLog, game_of, read
from arena.store.schema import Bot, Role
from arena.store.texts import LostText, record_text
from arena.views.matches.analysis import StoredAnalysis, stored_analysis
from arena.views.matches.deal_group import DealGroup, group_of
from arena.views.matches.fault import Faults, find_faults
from arena.views.matches.match import Match, match_named
from arena.views.matches.match_filter import EVERY_MATCH, MatchFilter
from arena.views.matches.match_list import Matches, count_matches, find_matches
from arena.views.matches.played import PlayedMatch, SeatLogs, seat_logs


@reads("/matches")
def list_matches(
    asked: Reading, wanted: MatchFilter = EVERY_MATCH, after: After = "", limit: Limit = 50
) -> Matches:
    """Finished matches, by the same filter as on the page of matches."""
    check_filter(asked.session, wanted)
    with naming("after"):
        page = find_matches(asked.session, wanted, after=after or None, limit=limit)
    count = count_matches(asked.session, wanted)
    return Matches(
        matches=page.matches,
        next=page.next,
        count=count.number,
        counted_to_the_end=not count.more,
    )


@reads("/matches/{match}")
def read_match(asked: Reading, match: Text) -> Match:
    """A finished match with its result, but not how it was played."""
    return match_named(asked.session, match)


@reads("/matches/{match}/group")
def read_deal_group(asked: Reading, match: Text) -> DealGroup:
    """All matches with the deals of this one, once the last of them is over."""
    return group_of(asked.session, readable_match(asked.session, match, asked.caller).match)


@reads("/matches/{match}/played")
def read_played(asked: Reading, match: Text) -> PlayedMatch:
    """A match with its record, and the private logs of those seats that you may read."""
    row = readable_match(asked.session, match, asked.caller)
    record = record_text(asked.session, row.match)
    warning, logs = "", dict[int, SeatLog]()
    try:
        logs = _visible_logs(asked, row)
    except LostText as lost:  # the record can be shown all the same
        warning = lost.sentence if lost.kind is Kind.UNUSABLE else ""
    own = _own_seats(asked.session, row, asked.caller.owner)
    return PlayedMatch(match=row, record=record, logs=logs, own_seats=own, warning=warning)


@reads("/matches/{match}/logs", roles=READERS)
def read_logs(asked: Reading, match: Text) -> SeatLogs:
    """The private logs of your own seats in a match, by seat: notes, stderr, words at a fault."""
    return SeatLogs(logs=_visible_logs(asked, match_named(asked.session, match)))


@reads("/matches/{match}/analysis")
def show_analysis(asked: Reading, match: Text) -> StoredAnalysis:
    """The analysis of a match by the arena, or its state: none until it is requested."""
    row = readable_match(asked.session, match, asked.caller)
    return stored_analysis(asked.session, row.match)


@changes("POST", "/matches/{match}/analysis", CONTESTANTS)
def request_analysis(call: Changing, match: Text) -> StoredAnalysis:
    """Have a match analysed by a worker, at the default budget, when no match waits for one. An
    analysis that is there, or on its way, is not made again."""
    with call.store.writing() as session:
        row = readable_match(session, match, call.caller)
        if row.void is not None:
            raise ArenaError(
                Kind.NOT_NOW, f"Match {row.match} is void, and is not analysed: {row.void}", "match"
            )
        game_of(read(record_text(session, row.match)))
        bounded = call.caller.role is not Role.ORGANISER
        ask_for(session, row.match, call.caller.owner, bounded=bounded)
        session.flush()
        return stored_analysis(session, row.match)


@reads("/faults")
def list_faults(
    asked: Reading,
    bot: Text = "",
    owner: Text = "",
    ladder: Text = "",
    after: After = "",
    limit: Limit = 50,
) -> Faults:
    """Faults, the latest first: of a bot, an owner or a ladder, if given. Their words are there for
    the owner of the bot."""
    check_named(asked.session, ladder=ladder, bot=bot)
    owner = spelt(asked.session, owner)
    page = find_faults(
        asked.session, owner=owner, bot=bot, competition=ladder, after=after, limit=limit
    )
    return Faults(faults=readable_faults(page.faults, asked.caller), next=page.next)


def _visible_logs(asked: Reading, match: Match) -> dict[int, SeatLog]:
    """Returns the logs that the caller may read, by seat. Raises LostText."""
    seats = readable_seats(asked.session, match, asked.caller)
    logs = dict(enumerate(seat_logs(asked.session, match.match))) if seats else {}
    return {seat: logs[seat] for seat in seats if seat in logs}


def _own_seats(session: Session, match: Match, owner: str) -> tuple[int, ...]:
    bots = set(session.scalars(sa.select(Bot.name).where(Bot.owner == owner)))
    return tuple(seat.seat for seat in match.seats if seat.bot in bots)
