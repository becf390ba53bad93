"""Ladders as people and programs see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.league.ladder.ladders import obstacles
from arena.store import schema
from arena.store.data_folder import Holder, is_run
from arena.store.queries import ENDED
from arena.store.schema import CompetitionState, Entry, EntryState, table_of
from arena.views.competition import leaders_of
from arena.views.ladders.ladder import Ladder, RatedLadder, ladder_counts
from arena.views.ladders.standing import standings
from arena.views.matches.fault import suspensions

LADDERS = table_of(schema.Ladder)
NAME, FOLLOWS = LADDERS.c.name, LADDERS.c.follows


def ladder_views(
    session: Session, holder: Holder | None, ladders: Sequence[schema.Ladder]
) -> tuple[Ladder, ...]:
    """Returns the views of ladders. `holder`: the arena that holds the data folder."""
    names = [ladder.name for ladder in ladders]
    counts, why_not = ladder_counts(session, names), obstacles(session, ladders)
    over = [ladder.name for ladder in ladders if ladder.state in ENDED]
    later = _next_seasons(session, over) if over else {}
    entries, leaders = _entry_counts(session, names), leaders_of(session, names)
    return tuple(
        Ladder(
            **dict(counts[ladder.name]),
            ladder=ladder.name,
            game=ladder.game,
            rules_version=ladder.rules_version,
            options=ladder.options,
            seats=ladder.seats,
            format=ladder.format,
            partners=ladder.partners,
            bank_ms=ladder.bank_ms,
            increment_ms=ladder.increment_ms,
            draw_probability=ladder.draw_probability,
            fault_quota=ladder.fault_quota,
            newest_only=ladder.newest_only,
            live_delay_s=ladder.live_delay_s,
            created_at=ladder.created_at,
            state=ladder.state,
            running_now=is_run_now(holder, ladder),
            obstacle=why_not[ladder.name] or "",
            fitted_jobs=ladder.fitted_jobs,
            versions=sum(entries[ladder.name].values()),
            entrants=entries[ladder.name][EntryState.ACTIVE],
            leaders=tuple(leaders[ladder.name]),
            starts_at=ladder.starts_at,
            submit_until=ladder.submit_until,
            ends_at=ladder.ends_at,
            follows=ladder.follows,
            followed_by=later.get(ladder.name, ""),
        )
        for ladder in ladders
    )


def ladder_view(session: Session, holder: Holder | None, ladder: schema.Ladder) -> Ladder:
    """Returns the same of one ladder."""
    [view] = ladder_views(session, holder, [ladder])
    return view


def rated_ladder(session: Session, holder: Holder | None, ladder: schema.Ladder) -> RatedLadder:
    """Returns the same with its table. The faults have the words of the bots."""
    table = standings(session, ladder.name)
    has_suspended = any(one.state == EntryState.SUSPENDED for one in table)
    return RatedLadder(
        **dict(ladder_view(session, holder, ladder)),
        suspended=tuple(suspensions(session, ladder.name)) if has_suspended else (),
        ratings=table,
    )


def is_run_now(holder: Holder | None, ladder: schema.Ladder) -> bool:
    """Returns whether an arena runs the ladder, and it is not paused."""
    return is_run(holder, ladder.name) and ladder.state is CompetitionState.RUNNING


def _next_seasons(session: Session, ladders: Collection[str]) -> dict[str, str]:
    """Returns the next seasons of ladders, by name. Only one that is over has one."""
    return dict(session.execute(sa.select(FOLLOWS, NAME).where(FOLLOWS.in_(ladders))).all())


def _entry_counts(session: Session, ladders: Collection[str]) -> dict[str, Counter[EntryState]]:
    """Returns the numbers of versions on ladders, by state."""
    counted = sa.select(Entry.ladder, Entry.state, sa.func.count()).where(Entry.ladder.in_(ladders))
    found: dict[str, Counter[EntryState]] = {name: Counter() for name in ladders}
    for name, state, number in session.execute(counted.group_by(Entry.ladder, Entry.state)):
        found[name][state] = number
    return found
