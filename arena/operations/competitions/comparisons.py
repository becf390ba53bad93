"""Comparisons: created, changed, listed, and single ones with their groups and certificates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind, naming
from arena.league.comparison import change_state
from arena.league.comparison import create_comparison as create
from arena.operations.caller import CONTESTANTS, Caller
from arena.operations.named import playing_version
from arena.operations.operation import Changing, Limit, Number, Reading, Text, changes, reads
from arena.operations.requested_terms import (
    BANK_MS,
    INCREMENT_MS,
    NO_OPTIONS,
    Options,
    clock_of,
    options_of,
)
from arena.statistics import PointScale
from arena.store.queries import bot_named, comparison_named, comparisons
from arena.store.schema import CompetitionState, Role, Version
from arena.store.tokens import contestants
from arena.views.comparisons.certificate import Certificate, certificate_of
from arena.views.comparisons.comparison import (
    Comparison,
    Comparisons,
    all_comparisons,
    comparison_of,
)
from arena.views.comparisons.group import CountedGroups, group_page
from arena.views.comparisons.plan import MOST_SEATS, Mode
from sevens_games import load

MOST_RUNNING = 2
"""The comparisons of one owner that may run at once: they share the workers with the ladders."""

Finite = Annotated[float, Field(allow_inf_nan=False)]


@dataclass(frozen=True)
class ComparedVersion:
    """A version of a bot. `number`: 0: the latest."""

    bot: Text
    number: Number = 0


House = Annotated[tuple[ComparedVersion, ...], Field(max_length=MOST_SEATS)]


@changes("POST", "/comparisons", CONTESTANTS)
def create_comparison(
    call: Changing,
    game: Text,
    new: ComparedVersion,
    old: ComparedVersion,
    house: House = (),
    name: Text = "",
    options: Options = NO_OPTIONS,
    seats: Number = 0,
    bank_ms: Number = BANK_MS,
    increment_ms: Number = INCREMENT_MS,
    mode: Mode = Mode.HEAD_TO_HEAD,
    scale: PointScale = PointScale.RANKS,
    t0: Finite = 0.0,
    t1: Finite = 0.2,
    alpha: Finite = 0.05,
    beta: Finite = 0.05,
    most_groups: Number = 1500,
) -> Comparison:
    """Create a comparison, which then runs; asked again with the same terms, the answer is the one
    that is there. Without a name, it is named by its terms. Seats 0: as few as the two can fill, or
    as the game suggests. In the mode replacement, the house bots fill the other seats, and NEW and
    OLD each play the same deals among them; head to head, they sit at one table with both."""
    rules = load(game)
    with call.store.writing() as session:
        _check_room(session, call.caller)
        newer = _version(session, call.caller, new, "new")
        call.caller.check_may_change(f"The bot {new.bot}", bot_named(session, new.bot).owner)
        row = create(
            session,
            call.caller.owner,
            rules.slug,
            newer,
            _version(session, call.caller, old, "old"),
            [_version(session, call.caller, one, "house") for one in house],
            name=name,
            mode=mode,
            scale=scale,
            seats=seats or None,
            options=options_of(rules, options),
            clock=clock_of(bank_ms, increment_ms),
            t0=t0,
            t1=t1,
            alpha=alpha,
            beta=beta,
            most_groups=most_groups,
        )
        return comparison_of(session, row, is_run=call.folder.running()(row.name))


@changes("PUT", "/comparisons/{comparison}/state", CONTESTANTS)
def change_comparison(call: Changing, comparison: Text, state: CompetitionState) -> Comparison:
    """Pause, resume or cancel a comparison."""
    if state in (CompetitionState.OPEN, CompetitionState.OVER):
        raise ArenaError(
            Kind.WRONG_INPUT, "A comparison becomes one of running, paused, cancelled.", "state"
        )
    with call.store.writing() as session:
        row = comparison_named(session, comparison)
        call.caller.check_may_change(f"The comparison {row.name}", row.owner)
        if state is CompetitionState.RUNNING:
            _check_room(session, call.caller)
        change_state(session, row, state)
        return comparison_of(session, row, is_run=call.folder.running()(row.name))


@reads("/comparisons")
def list_comparisons(asked: Reading) -> Comparisons:
    """All comparisons, by name."""
    return all_comparisons(asked.session, asked.folder.running())


@reads("/comparisons/{comparison}")
def read_comparison(asked: Reading, comparison: Text) -> Comparison:
    """A comparison: its plan, its figures and its verdict."""
    row = comparison_named(asked.session, comparison)
    return comparison_of(asked.session, row, is_run=asked.folder.running()(row.name))


@reads("/comparisons/{comparison}/groups")
def list_comparison_groups(
    asked: Reading, comparison: Text, after: Number = 0, limit: Limit = 50
) -> CountedGroups:
    """The groups of a comparison that count, in the order of their start."""
    return group_page(asked.session, comparison_named(asked.session, comparison).name, after, limit)


@reads("/comparisons/{comparison}/certificate")
def read_certificate(asked: Reading, comparison: Text) -> Certificate:
    """A comparison that has its verdict, with all from which its figures can be recomputed. With
    the records of its matches it is the file that `arena compare verify` reads."""
    return certificate_of(asked.session, comparison_named(asked.session, comparison))


def _check_room(session: Session, caller: Caller) -> None:
    """Raises ArenaError if the caller has as many comparisons running as a contestant may have."""
    if caller.role is Role.ORGANISER:
        return
    names = [
        one.name
        for one in comparisons(session)
        if one.owner == caller.owner and one.state is CompetitionState.RUNNING
    ]
    if len(names) >= MOST_RUNNING:
        raise ArenaError(
            Kind.NOT_NOW,
            f"{MOST_RUNNING} comparisons of yours are running ({', '.join(names)}), and no more"
            " may at once. Wait for one, or pause or cancel it.",
        )


def _version(session: Session, caller: Caller, wanted: ComparedVersion, field: str) -> Version:
    """Returns the version of that number, or the latest, if the caller may have it play. Raises
    ArenaError."""
    with naming(field):
        owner = bot_named(session, wanted.bot).owner
    if owner in contestants(session):
        caller.check_may_change(f"The bot {wanted.bot}", owner)
    return playing_version(session, wanted.bot, wanted.number, field)
