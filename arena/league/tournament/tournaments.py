"""Creating tournaments, entering and withdrawing versions, starting and ending them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from math import inf
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind, naming
from arena.league.competitions import (
    check_new,
    checked_terms,
    contestant_of,
    outdated,
    players_by_seat,
)
from arena.league.deal_secret import drawn_digest, lot_text, new_secret, seed_lot
from arena.league.tournament.events import add_event, attempts_before, beacon_value
from arena.league.tournament.rows import history_of
from arena.moment import minute
from arena.protocol import commitment_of
from arena.queue import Clock
from arena.store.notices.news import add_news
from arena.store.queries import ENDED, ladder_named
from arena.store.remote_bots import remote_names
from arena.store.schema import (
    CompetitionState,
    Format,
    Job,
    JobState,
    NewsKind,
    Partners,
    Tournament,
    TournamentEntrant,
    TournamentGroup,
    TournamentRound,
    Version,
)
from arena.store.schema import TournamentEventKind as EventKind
from arena.tournament import (
    TournamentTerms,
    check_libraries,
    fills_a_table,
    format_to_play,
    needs_more,
)
from arena.views.ladders.standing import standings as ladder_standings
from arena.views.tournaments.event import AgreedTerms, TournamentPlan
from arena.views.tournaments.tournament import EnteredVersion, planned
from sevens_games.engine import OptionValue

State = CompetitionState
CHANGES: Mapping[State, tuple[State, ...]] = {
    State.RUNNING: (State.OPEN, State.PAUSED),
    State.PAUSED: (State.RUNNING,),
    State.CANCELLED: (State.OPEN, State.RUNNING, State.PAUSED),
}
"""The states that an organiser may put a tournament in, each with those it may come from."""
CHANGED_TO: Mapping[State, EventKind] = {
    State.PAUSED: EventKind.PAUSED,
    State.CANCELLED: EventKind.CANCELLED,
}


def create_tournament(
    session: Session,
    name: str,
    game: str,
    *,
    terms: TournamentTerms,
    seats: int | None,
    options: Mapping[str, OptionValue],
    clock: Clock,
    format: Format,
    partners: Partners,
    common_deals: bool,
) -> Tournament:
    """Creates a tournament without entrants.

    `terms`: its `per_table` is not used: it follows from seats and partners.
    `seats`: None: as the game suggests.
    Raises ArenaError, UnknownGame and TournamentError.
    """
    shared = checked_terms(
        "tournament",
        name,
        game,
        seats=seats,
        options=options,
        clock=clock,
        format=format,
        partners=partners,
    )
    check_new(session, name)
    _check_ladder(session, terms.seed_from, shared["game"])
    tournament = Tournament(
        **shared,
        state=State.OPEN,
        terms=asdict(terms),
        common_deals=common_deals,
        secret=new_secret(),
    )
    check_libraries(terms_of(tournament))
    session.add(tournament)
    session.flush()
    return tournament


def agreed(tournament: Tournament) -> AgreedTerms:
    """Returns what was fixed when a tournament was created."""
    return AgreedTerms(
        tournament=tournament.name,
        game=tournament.game,
        rules_version=tournament.rules_version,
        options=dict(sorted(tournament.options.items())),
        seats=tournament.seats,
        deals=tournament.format,
        partners=tournament.partners,
        common_deals=tournament.common_deals,
        bank_ms=tournament.bank_ms,
        increment_ms=tournament.increment_ms,
        terms=terms_of(tournament),
        starts_at=tournament.starts_at,
        check_in_minutes=tournament.check_in_minutes,
        commitment=commitment_of(bytes.fromhex(tournament.secret)).hex(),
    )


def terms_of(tournament: Tournament) -> TournamentTerms:
    """Returns the terms of a tournament."""
    stored = tournament.terms | {"tie_breaks": tuple(tournament.terms["tie_breaks"])}
    return TournamentTerms(**stored | {"per_table": per_table(tournament)})


def format_of(session: Session, tournament: Tournament) -> str:
    """Returns the format that is played; "auto" until the field is known."""
    terms = terms_of(tournament)
    if not last_round(session, tournament):
        return terms.format
    first = sum(one.entered_round == 1 for one in session.scalars(_entered(tournament)))
    return format_to_play(terms, first)


def per_table(tournament: Tournament) -> int:
    """Returns how many entrants meet at a table: a team whose seats all belong to one is one."""
    return len(set(players_by_seat(tournament)))


def enter_tournament(
    session: Session, tournament: Tournament, version: Version
) -> TournamentEntrant:
    """Enters a version: from the first round or, in a Swiss that has begun, from the next. The
    caller must have checked that it plays the game. Entering it again changes nothing.

    Raises ArenaError.
    """
    found = session.scalar(_entered(tournament).where(TournamentEntrant.version == version.digest))
    if found is not None and found.withdrawn_round is None:
        return found
    if found is not None:
        raise ArenaError(
            Kind.NOT_NOW,
            f"{version.bot} has left the tournament {tournament.name}, and cannot come back.",
        )
    check_open(tournament)
    _check_drawn(session, tournament)
    rounds = last_round(session, tournament)
    if rounds and format_of(session, tournament) != "swiss":
        raise ArenaError(
            Kind.NOT_NOW,
            f"The tournament {tournament.name} has begun; only a Swiss takes entrants after that.",
        )
    _check_fair(session, tournament, version)
    entrant = TournamentEntrant(
        tournament=tournament.name,
        number=1 + len(session.scalars(_entered(tournament)).all()),
        version=version.digest,
        owner=contestant_of(session, {version.digest: version.bot})[version.digest],
        entered_round=rounds + 1,
    )
    session.add(entrant)
    session.flush()
    add_event(session, tournament, EventKind.ENTERED, round=rounds + 1, entrant=entrant.number)
    return entrant


def leave_tournament(
    session: Session, tournament: Tournament, version: Version, reason: str
) -> TournamentEntrant:
    """Withdraws a version: it forfeits what it has not finished of the round that is being played.
    Withdrawing it again changes nothing. `reason`: a sentence for everybody.

    Raises ArenaError.
    """
    entrant = entrant_of(session, tournament, version)
    check_open(tournament)
    _check_drawn(session, tournament)
    if entrant.withdrawn_round is None:
        leaves = _round_to_leave(session, tournament, entrant.number)
        entrant.withdrawn_round, entrant.reason = leaves, reason
        add_event(
            session,
            tournament,
            EventKind.WITHDRAWN,
            round=leaves,
            entrant=entrant.number,
            sentence=reason,
        )
    return entrant


def entrant_of(session: Session, tournament: Tournament, version: Version) -> TournamentEntrant:
    """Returns the entry of a version. Raises ArenaError."""
    entrant = session.scalar(
        _entered(tournament).where(TournamentEntrant.version == version.digest)
    )
    if entrant is None:
        raise ArenaError(
            Kind.NOT_FOUND, f"{version.bot} is not in the tournament {tournament.name}.", "bot"
        )
    return entrant


def change_state(session: Session, tournament: Tournament, state: State) -> None:
    """Starts, pauses, resumes or cancels a tournament. When it goes on, jobs that were given up are
    played again. Changing it to the state that it has changes nothing.

    Raises ArenaError.
    """
    if state not in CHANGES:
        raise ArenaError(
            Kind.WRONG_INPUT, f"A tournament becomes one of {', '.join(CHANGES)}.", "state"
        )
    if tournament.state == state:
        return
    if tournament.state not in CHANGES[state]:
        raise ArenaError(Kind.NOT_NOW, f"The tournament {tournament.name} is {tournament.state}.")
    if state is State.CANCELLED:
        _give_up_queued(session, tournament)
    if state is not State.RUNNING:
        _change(session, tournament, state, CHANGED_TO[state])
        return
    if tournament.starts_at is not None and not tournament.plan_digest:
        raise ArenaError(
            Kind.NOT_NOW,
            f"The tournament {tournament.name} starts by itself at {minute(tournament.starts_at)},"
            " where an arena is served (arena serve).",
        )
    if why_not := obstacle_to_play(session, tournament):
        raise ArenaError(Kind.NOT_NOW, why_not)
    if not tournament.plan_digest:
        begin(session, tournament)
        return
    _check_drawn(session, tournament)
    _play_parked_again(session, tournament)
    _change(session, tournament, state, EventKind.RESUMED)


def draw(session: Session, tournament: Tournament, value: str) -> None:
    """Takes the value of the beacon, from which the deals follow, and lets the tournament be
    played. The same value again changes nothing.

    Raises ArenaError.
    """
    name, beacon, value = tournament.name, terms_of(tournament).beacon, value.strip()
    if not beacon:
        raise ArenaError(
            Kind.NOT_NOW,
            f"The tournament {name} has no beacon: its deals follow from its secret and its plan.",
        )
    if not value:
        raise ArenaError(Kind.WRONG_INPUT, f"Give the value of its beacon, {beacon}.", "value")
    check_open(tournament)
    if not tournament.plan_digest:
        raise ArenaError(
            Kind.NOT_NOW,
            f"The field of the tournament {name} is still open; start it before the value of its"
            " beacon is known.",
        )
    if drawn := beacon_value(session, tournament):
        if drawn == value:
            return
        raise ArenaError(
            Kind.TAKEN, f"The beacon of the tournament {name} has the value {drawn}.", "value"
        )
    add_event(session, tournament, EventKind.DRAWN, sentence=value)
    _seed_by_lot(session, tournament)
    change_state(session, tournament, State.RUNNING)


def drawn_from(session: Session, tournament: Tournament) -> str:
    """Returns the digest from which, with the secret, deals and lots follow."""
    return drawn_digest(tournament.plan_digest, beacon_value(session, tournament))


def stop(session: Session, tournament: Tournament, problem: str) -> None:
    """Pauses a tournament with the reason, a sentence for everybody."""
    tournament.state, tournament.problem = State.PAUSED, problem
    add_event(session, tournament, EventKind.STOPPED, sentence=problem)


def end(session: Session, tournament: Tournament) -> None:
    """Ends a tournament in which everything has been played."""
    tournament.state = State.OVER
    add_event(session, tournament, EventKind.OVER)
    sentence = f"The tournament {tournament.name} is over."
    add_news(session, NewsKind.TOURNAMENT_OVER, sentence, competition=tournament.name)


def obstacle_to_play(session: Session, tournament: Tournament) -> str:
    """Returns a sentence saying why the tournament cannot be played as it is; empty if it can."""
    if old := outdated(tournament):
        return old
    if last_round(session, tournament):
        return ""
    history = history_of(session, tournament.name)
    entrants = [one for one in history.entrants if one.withdrawn_round is None]
    needed = per_table(tournament)
    if len(entrants) < needed:
        have = "1 entrant" if len(entrants) == 1 else f"{len(entrants)} entrants"
        return f"The tournament {tournament.name} has {have}, and a table needs {needed}."
    if not fills_a_table(entrants, needed):
        return (
            f"The entrants of the tournament {tournament.name} have too few owners: the bots of one"
            f" owner never meet, and a table needs {needed} entrants."
        )
    return ""


def last_round(session: Session, tournament: Tournament) -> int:
    """Returns the number of the last round that has been paired; 0 before the first."""
    numbers = sa.select(sa.func.max(TournamentRound.number))
    return session.scalar(numbers.where(TournamentRound.tournament == tournament.name)) or 0


def _check_ladder(session: Session, ladder: str, game: str) -> None:
    """Raises ArenaError if seeds cannot follow from the ladder of that name; an empty one is
    none."""
    if not ladder:
        return
    with naming("seed_from"):
        found = ladder_named(session, ladder)
    if found.game != game:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"The ladder {ladder} is of {found.game}, and says nothing about {game}; choose a"
            f" ladder of {game}.",
            "seed_from",
        )


def begin(session: Session, tournament: Tournament, left_out: str = "") -> None:
    """Publishes the plan of a tournament that can be played. One with a beacon is stopped until its
    value is drawn. `left_out`: a sentence about those who were left out of the field."""
    _seed(session, tournament)
    tournament.plan_digest = _plan(session, tournament).digest
    said = " ".join(filter(None, (left_out, attempts_before(session, tournament.game))))
    _change(session, tournament, State.RUNNING, EventKind.STARTED, said)
    if beacon := terms_of(tournament).beacon:
        stop(session, tournament, f"Its field is closed. The deals await the value of {beacon}.")
    else:
        _seed_by_lot(session, tournament)


def _change(
    session: Session, tournament: Tournament, state: State, kind: EventKind, sentence: str = ""
) -> None:
    add_event(session, tournament, kind, sentence=sentence)
    tournament.state, tournament.problem = state, ""


def _seed(session: Session, tournament: Tournament) -> None:
    """Numbers the entrants by the ladder that seeds follow from: those who are on it by their
    version's place there or, if that is not on it, their bot's best; then the others as they
    entered."""
    ladder = terms_of(tournament).seed_from
    if not ladder:
        return
    place: dict[str, int] = {}
    for one in ladder_standings(session, ladder):
        if one.place is not None:
            place[one.version] = one.place
            place.setdefault(one.bot, one.place)
    renumber(
        session,
        tournament,
        lambda one: (place.get(one.version, place.get(one.bot, inf)), one.number),
    )


def _seed_by_lot(session: Session, tournament: Tournament) -> None:
    """Numbers the entrants by lot, if the terms say so."""
    if terms_of(tournament).seed_by_lot:
        lots = lot_text(tournament.secret, drawn_from(session, tournament))
        renumber(session, tournament, lambda one: (seed_lot(lots, one.version),))


def renumber(
    session: Session, tournament: Tournament, rank: Callable[[EnteredVersion], tuple[Any, ...]]
) -> None:
    """Numbers the entrants by rank. Those who have left come last, so that they leave no gaps in a
    bracket."""
    entered = history_of(session, tournament.name).entered
    order = sorted(entered, key=lambda one: (one.withdrawn_round is not None, *rank(one)))
    rows = {one.version: one for one in session.scalars(_entered(tournament))}
    for row in rows.values():
        row.number = -row.number  # the new numbers are free only after that
    session.flush()
    for number, one in enumerate(order, 1):
        rows[one.version].number = number
    session.flush()


def _plan(session: Session, tournament: Tournament) -> TournamentPlan:
    """Returns the plan of a tournament that is about to start."""
    entrants = history_of(session, tournament.name).entered
    left = {one.number for one in entrants if one.withdrawn_round is not None}
    return planned(agreed(tournament), entrants, left)


def _entered(tournament: Tournament) -> sa.Select[TournamentEntrant]:
    return sa.select(TournamentEntrant).where(TournamentEntrant.tournament == tournament.name)


def check_open(tournament: Tournament) -> None:
    """Raises ArenaError if a tournament has ended."""
    if tournament.state in ENDED:
        raise ArenaError(Kind.NOT_NOW, f"The tournament {tournament.name} is {tournament.state}.")


def _check_drawn(session: Session, tournament: Tournament) -> None:
    """Raises ArenaError while the field is closed and the value of its beacon is not drawn."""
    beacon = terms_of(tournament).beacon
    if beacon and tournament.plan_digest and not beacon_value(session, tournament):
        raise ArenaError(
            Kind.NOT_NOW,
            f"The field of the tournament {tournament.name} is closed until the value of its beacon"
            f" is drawn ({beacon}).",
        )


def _check_fair(session: Session, tournament: Tournament, version: Version) -> None:
    """Raises ArenaError if the version could see what others at its tables do not."""
    same_deals = tournament.format is Format.DUPLICATE or tournament.common_deals
    if same_deals and version.bot in remote_names(session):
        raise ArenaError(
            Kind.NOT_NOW,
            f"{version.bot} is a remote bot, and would see the same deals again: the tournament"
            f" {tournament.name} plays them in several seatings, or at all tables. Remote bots can"
            " enter one that is created with --single --own-deals.",
        )
    if format_of(session, tournament) == "swiss":
        return  # it never pairs two of one owner
    others = [
        session.get_one(Version, entrant.version)
        for entrant in session.scalars(
            _entered(tournament).where(TournamentEntrant.withdrawn_round.is_(None))
        )
    ]
    owners = contestant_of(session, {one.digest: one.bot for one in (version, *others)})
    owner = owners[version.digest]
    for other in others:
        if owner is not None and owners[other.digest] == owner:
            raise ArenaError(
                Kind.NOT_NOW,
                f"{other.bot}, of the same owner as {version.bot}, is in the tournament"
                f" {tournament.name} already: they would meet, and could let each other win.",
            )


def _round_to_leave(session: Session, tournament: Tournament, entrant: int) -> int:
    """Returns the round that is being played, or the next if the entrant has finished its own
    table."""
    history = history_of(session, tournament.name)
    if not history.rounds:
        return 1
    current = history.rounds[-1]
    table = next((one for one in current.meetings if entrant in one.entrants), None)
    if table is None or not needs_more(history.course(terms_of(tournament)), table):
        return current.round + 1
    return current.round


def _play_parked_again(session: Session, tournament: Tournament) -> None:
    """Puts a new job in the place of each that was given up; it has the same deals."""
    parked = session.scalars(
        sa.select(TournamentGroup)
        .join(Job, Job.id == TournamentGroup.job)
        .where(TournamentGroup.tournament == tournament.name, Job.state == JobState.PARKED)
    ).all()
    for group in parked:
        session.delete(group)
    session.flush()


def _give_up_queued(session: Session, tournament: Tournament) -> None:
    queued = (Job.competition == tournament.name) & (Job.state == JobState.QUEUED)
    session.execute(
        sa.update(Job)
        .where(queued)
        .values(state=JobState.PARKED, reason="The tournament was cancelled.")
    )
