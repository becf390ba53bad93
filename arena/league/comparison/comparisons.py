"""Creating comparisons, pausing and ending them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from pydantic import ValidationError
from sqlalchemy.orm import Session

from arena.bots.source import check_plays
from arena.errors import ArenaError, Kind
from arena.league.competitions import CompetitionTerms, check_new, checked_terms, outdated
from arena.league.deal_secret import new_secret
from arena.match import Seating, head_to_head_seatings, replacement_seatings
from arena.queue import Clock
from arena.statistics import Design, PointScale
from arena.store.remote_bots import remote_names
from arena.store.schema import (
    Comparison,
    ComparisonJob,
    CompetitionState,
    Format,
    Job,
    JobState,
    Partners,
    Version,
    VersionState,
)
from arena.views.comparisons.plan import (
    WIDEST_BY_RANKS,
    ComparisonPlan,
    Mode,
    Participant,
    plan_of,
)
from sevens_games import load
from sevens_games.engine import GameOf, OptionValue

State = CompetitionState
CHANGES: Mapping[State, tuple[State, ...]] = {
    State.RUNNING: (State.PAUSED,),
    State.PAUSED: (State.RUNNING,),
    State.CANCELLED: (State.RUNNING, State.PAUSED),
}
"""The states that a comparison can be given, and those from which."""
NAMED_BY = 8  # digits of the plan's digest


def create_comparison(
    session: Session,
    owner: str,
    game: str,
    new: Version,
    old: Version,
    house: Sequence[Version] = (),
    *,
    name: str = "",
    mode: Mode = Mode.HEAD_TO_HEAD,
    scale: PointScale = PointScale.RANKS,
    seats: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    clock: Clock | None = None,
    t0: float = 0.0,
    t1: float = 0.2,
    alpha: float = 0.05,
    beta: float = 0.05,
    most_groups: int = 1500,
) -> Comparison:
    """Creates a comparison that is running, or returns the one of the same plan and name: asked
    again, it goes on.

    `name`: empty: it follows from the plan. `t0` to `most_groups`: see `arena.statistics.Design`.
    Raises ArenaError and UnknownGame.
    """
    _check_versions(session, game, new, old, house)
    rules = load(game)
    if seats is None and mode is Mode.HEAD_TO_HEAD and not house:
        seats = _seats_for_two(rules)
    shared = checked_terms(
        "comparison",
        name or "unnamed",
        game,
        seats=seats,
        options=options,
        clock=clock,
        format=Format.DUPLICATE,
        partners=Partners.SAME,
    )
    try:
        plan = ComparisonPlan(
            game=shared["game"],
            rules_version=shared["rules_version"],
            options=shared["options"],
            bank_ms=shared["bank_ms"],
            increment_ms=shared["increment_ms"],
            new=_participant(new),
            old=_participant(old),
            house=tuple(map(_participant, house)),
            mode=mode,
            scale=scale,
            seatings=_seatings(rules.teams(shared["seats"]), len(house), mode),
            terms=Design(
                t0=t0,
                t1=t1,
                alpha=alpha,
                beta=beta,
                most_groups=most_groups,
                widest=WIDEST_BY_RANKS if scale is PointScale.RANKS else None,
            ),
        )
    except ValidationError as error:
        raise _wrong(error) from None
    shared["name"] = name or f"compare-{plan.digest[:NAMED_BY]}"
    return _existing(session, shared["name"], plan) or _created(session, owner, shared, plan)


def change_state(session: Session, comparison: Comparison, state: State) -> None:
    """Pauses, resumes or cancels a comparison. When it goes on, jobs that were given up are played
    again. Changing it to the state that it has changes nothing. Raises ArenaError."""
    if comparison.state == state:
        return
    if comparison.state not in CHANGES.get(state, ()):
        raise ArenaError(Kind.NOT_NOW, f"The comparison {comparison.name} is {comparison.state}.")
    if state is State.RUNNING:
        if why_not := obstacle_to_play(session, comparison):
            raise ArenaError(Kind.NOT_NOW, why_not)
        _play_parked_again(session, comparison)
    if state is State.CANCELLED:
        give_up_queued(session, comparison, "The comparison was cancelled.")
    comparison.state, comparison.problem = state, ""


def obstacle_to_play(session: Session, comparison: Comparison) -> str:
    """Returns a sentence saying why the comparison cannot go on; empty if it can."""
    if old := outdated(comparison):
        return old
    plan = plan_of(comparison)
    for participant in (plan.new, plan.old, *plan.house):
        if session.get_one(Version, participant.version).state is not VersionState.ACTIVE:
            return (
                f"The comparison {comparison.name} cannot go on: {participant} has been retired or"
                " deleted."
            )
    return ""


def give_up_queued(session: Session, comparison: Comparison, reason: str) -> None:
    """Gives up the jobs that have no result yet. `reason`: a sentence."""
    queued = (Job.competition == comparison.name) & (Job.state == JobState.QUEUED)
    session.execute(sa.update(Job).where(queued).values(state=JobState.PARKED, reason=reason))


def _check_versions(
    session: Session, game: str, new: Version, old: Version, house: Sequence[Version]
) -> None:
    if new.digest == old.digest:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{_participant(new)} and {_participant(old)} are the same version: there is nothing to"
            " compare.",
            "old",
        )
    seen = {new.digest, old.digest}
    for version in house:
        if version.digest in seen:
            raise ArenaError(
                Kind.WRONG_INPUT,
                f"{_participant(version)} is compared, or named twice: a house bot is another"
                " version, named once.",
                "house",
            )
        seen.add(version.digest)
    remote = remote_names(session)
    for version in (new, old, *house):
        if version.bot in remote:
            raise ArenaError(
                Kind.WRONG_INPUT,
                f"{version.bot} is a remote bot, and would see the same deals again: a comparison"
                " plays them in several seatings. Submit the bot itself.",
                "bot",
            )
        check_plays(version.bot, version.games, game)


def _participant(version: Version) -> Participant:
    return Participant(bot=version.bot, number=version.number, version=version.digest)


def _seats_for_two(rules: GameOf) -> int | None:
    """Returns the fewest seats at which two bots fill the table; None if there are none."""
    fit = [seats for seats in rules.players if len(set(rules.teams(seats))) == 2]
    return min(fit, default=None)


def _seatings(teams: Sequence[int], house: int, mode: Mode) -> tuple[Seating, ...]:
    seatings = head_to_head_seatings if mode is Mode.HEAD_TO_HEAD else replacement_seatings
    try:
        return seatings(teams, house)
    except ValueError as error:
        raise ArenaError(Kind.WRONG_INPUT, str(error), "house") from None


def _wrong(error: ValidationError) -> ArenaError:
    """Returns the failure that names the wrong term of the test."""
    mistake = error.errors()[0]
    field = str(mistake["loc"][-1]) if mistake["loc"] else "terms"
    return ArenaError(
        Kind.WRONG_INPUT, f"`{field}`: {mistake['msg'].removeprefix('Value error, ')}.", field
    )


def _existing(session: Session, name: str, plan: ComparisonPlan) -> Comparison | None:
    """Returns the comparison of that name if it has this plan. Raises ArenaError if it has
    another."""
    comparison = session.get(Comparison, name)
    if comparison is None:
        return None
    if plan_of(comparison) != plan:
        raise ArenaError(
            Kind.TAKEN,
            f"There is a comparison {name!r} already, with another plan. Choose another name.",
            "name",
        )
    return comparison


def _created(
    session: Session, owner: str, shared: CompetitionTerms, plan: ComparisonPlan
) -> Comparison:
    check_new(session, shared["name"])
    comparison = Comparison(
        **shared,
        state=State.RUNNING,
        owner=owner,
        plan=plan.model_dump(mode="json"),
        secret=new_secret(),
    )
    session.add(comparison)
    session.flush()
    return comparison


def _play_parked_again(session: Session, comparison: Comparison) -> None:
    """Lets new jobs take the places of those that were given up; they have the same deals."""
    parked = session.scalars(
        sa.select(ComparisonJob)
        .join(Job, Job.id == ComparisonJob.job)
        .where(ComparisonJob.comparison == comparison.name, Job.state == JobState.PARKED)
    ).all()
    for row in parked:
        session.delete(row)
    session.flush()
