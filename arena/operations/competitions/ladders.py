"""Ladders: created, entered and left, paused and deleted; their terms and tables, how ratings
changed, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.league import (
    check_schedule,
    close_ladder,
    explained_rating,
    is_over,
    is_run_now,
    ladder_views,
    rated_ladder,
)
from arena.league import ladder as league
from arena.nearest import no_such
from arena.operations.caller import ORGANISERS, READERS
from arena.operations.competitions.versions_to_enter import VersionsToEnter, version_to_enter
from arena.operations.operation import Changing, Number, Reading, Text, changes, reads
from arena.operations.readable import readable_faults
from arena.operations.requested_terms import (
    BANK_MS,
    INCREMENT_MS,
    NO_OPTIONS,
    Options,
    clock_of,
    options_of,
)
from arena.store.queries import bot_named, ladder_named, ladders
from arena.store.schema import (
    FAULT_QUOTA,
    LONGEST_LIVE_DELAY_S,
    CompetitionState,
    EntryState,
    Format,
    Ladder,
    Partners,
    Version,
)
from arena.views.ladders.ladder import DeletedLadder, Ladders, RatedLadder, ladder_stamp
from arena.views.ladders.rating_curve import Curve, Curves, rating_curves
from arena.views.ladders.rating_explanation import RatingExplanation
from arena.views.ladders.rating_history import BotHistory, ladders_of, rating_history
from arena.views.ladders.standing import standings
from arena.views.matches.match_query import since_of, until_of
from arena.views.results import Crosstable, Pair, crosstable
from sevens_games import load

BEST = 12
Few = Annotated[int, Field(ge=1, le=200, description="At most so many.")]
"""The length of a list whose items take long to find: jobs, each of perhaps two dozen matches, or
versions with their curves."""


LiveDelay = Annotated[
    Annotated[int, Field(ge=0, le=LONGEST_LIVE_DELAY_S)] | None,
    Field(description="The delay of matches in play; empty: the arena's."),
]


def _stamp(asked: Reading, ladder: str, **_: Any) -> str:
    """Returns a text that changes with every answer about a ladder. Raises ArenaError."""
    stamp = ladder_stamp(asked.session, ladder)
    is_run = is_run_now(asked.folder.holder(), ladder_named(asked.session, ladder))
    return f"{stamp}.{is_run}"


@changes("POST", "/ladders", ORGANISERS)
def create_ladder(
    call: Changing,
    name: Text,
    game: Text,
    options: Options = NO_OPTIONS,
    seats: Number = 0,
    deals: Format = Format.SINGLE,
    partners: Partners | None = None,
    draw_probability: float | None = None,
    fault_quota: Number = FAULT_QUOTA,
    newest_only: bool = True,
    live_delay_s: LiveDelay = None,
    bank_ms: Number = BANK_MS,
    increment_ms: Number = INCREMENT_MS,
    entrants: VersionsToEnter = (),
) -> RatedLadder:
    """Create a ladder and enter versions, or do neither. Seats 0: as the game suggests. In a team
    game a version is its own partner unless `partners` says otherwise. A version that enters takes
    the place of the bot's others, unless `newest_only` is false. Without `draw_probability` it is
    estimated from random play."""
    rules = load(game)
    teams = rules.teams(seats or rules.ladder_players)
    if partners is None:
        partners = Partners.SAME if len(set(teams)) < len(teams) else Partners.ANY
    fewest = len(set(teams)) if partners is Partners.SAME else len(teams)
    if 0 < len(entrants) < fewest:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"A ladder in {rules.title} with {len(teams)} seats needs at least {fewest} bots, not"
            f" {len(entrants)}. Give more bots, or none and enter them later.",
            "bot",
        )
    with call.store.reading() as session:
        versions = [
            version_to_enter(session, call.caller, one, rules.slug, f"the ladder {name}")
            for one in entrants
        ]
    if newest_only:
        _check_once(versions)
    league.create_ladder(
        call.store,
        name,
        rules.slug,
        seats=seats or None,
        options=options_of(rules, options),
        clock=clock_of(bank_ms, increment_ms),
        format=deals,
        partners=partners,
        draw_probability=draw_probability,
        fault_quota=fault_quota,
        newest_only=newest_only,
        live_delay_s=live_delay_s,
        versions=[version.digest for version in versions],
    )
    return _shown(call, name)


@changes("POST", "/ladders/{ladder}/entrants", ORGANISERS)
def enter_ladder(call: Changing, ladder: Text, entrants: VersionsToEnter) -> RatedLadder:
    """Enter versions into a ladder, or let them back in: all, or none."""
    with call.store.writing() as session:
        row = _going_on(session, ladder)
        versions = [
            version_to_enter(session, call.caller, one, row.game, f"the ladder {ladder}")
            for one in entrants
        ]
        if row.newest_only:
            _check_once(versions)
        for version in versions:
            league.enter(session, row, version.digest)
    return _shown(call, ladder)


def _check_once(versions: Sequence[Version]) -> None:
    """Raises ArenaError if two of the versions are of one bot."""
    for bot, times in Counter(version.bot for version in versions).items():
        if times > 1:
            raise ArenaError(
                Kind.WRONG_INPUT,
                f"{bot} is given {times} times, but of each bot one version plays on this ladder."
                " Give one, or create a ladder with --all-versions.",
                "bot",
            )


@changes("POST", "/ladders/{ladder}/entrants/{bot}/withdrawal", ORGANISERS)
def leave_ladder(call: Changing, ladder: Text, bot: Text) -> RatedLadder:
    """Take a bot off a ladder, in all its versions. Its matches stay."""
    with call.store.writing() as session:
        row = _going_on(session, ladder)
        entries = [one for one in standings(session, ladder) if one.state == EntryState.ACTIVE]
        if bot not in {one.bot for one in entries}:
            names = sorted({one.bot for one in entries})
            raise ArenaError(
                Kind.NOT_FOUND, no_such("bot", bot, names, f"on the ladder {ladder}"), "bot"
            )
        for one in entries:
            if one.bot == bot:
                league.withdraw(session, row, one.version)
    return _shown(call, ladder)


LadderState: TypeAlias = Literal[
    CompetitionState.RUNNING, CompetitionState.PAUSED, CompetitionState.OVER
]
When = Annotated[
    Text | None,
    Field(description="A moment, or a day with its end; empty: at any time; none: as it is."),
]


@changes("PUT", "/ladders/{ladder}/state", ORGANISERS)
def change_ladder(call: Changing, ladder: Text, state: LadderState) -> RatedLadder:
    """Pause or resume a ladder: matches in play are played to their end. Or close it for good: they
    are given up, and its standings are final."""
    with call.store.writing() as session:
        row = _going_on(session, ladder)
        if state is CompetitionState.OVER:
            close_ladder(session, row)
        else:
            row.state = state
    return _shown(call, ladder)


@changes("PUT", "/ladders/{ladder}/schedule", ORGANISERS)
def schedule_ladder(
    call: Changing,
    ladder: Text,
    starts_at: When = None,
    submit_until: When = None,
    ends_at: When = None,
) -> RatedLadder:
    """Set when a ladder begins to play, takes the last submission, and is over."""
    with call.store.writing() as session:
        _schedule(_going_on(session, ladder), starts_at, submit_until, ends_at)
    return _shown(call, ladder)


@changes("PUT", "/ladders/{ladder}/live-delay", ORGANISERS)
def delay_ladder(call: Changing, ladder: Text, live_delay_s: LiveDelay = None) -> RatedLadder:
    """Set the delay of a ladder's matches in play, or leave it to the arena.
    0 is only safe if no bot on it can read the pages."""
    with call.store.writing() as session:
        _going_on(session, ladder).live_delay_s = live_delay_s
    return _shown(call, ladder)


@changes("POST", "/ladders/{ladder}/seasons", ORGANISERS)
def begin_season(
    call: Changing,
    ladder: Text,
    name: Text = "",
    starts_at: When = None,
    submit_until: When = None,
    ends_at: When = None,
) -> RatedLadder:
    """Close a ladder, and create its next season: a ladder on the same terms with the versions that
    play, and new ratings. Without a name it is the ladder's with the next number."""
    with call.store.writing() as session:
        row = ladder_named(session, ladder)
        season = league.next_season(session, row, name or _next_name(ladder))
        _schedule(season, starts_at, submit_until, ends_at)
        name = season.name
    return _shown(call, name)


def _next_name(ladder: str) -> str:
    stem, _, number = ladder.rpartition("-")
    return f"{stem}-{int(number) + 1}" if stem and number.isdecimal() else f"{ladder}-2"


def _going_on(session: Session, name: str) -> Ladder:
    """Returns a ladder that is not over. Raises ArenaError."""
    row = ladder_named(session, name)
    if is_over(row):
        raise ArenaError(
            Kind.NOT_NOW,
            f"The ladder {name} is over. Begin its next season: arena ladder reset {name}",
            "ladder",
        )
    return row


def _schedule(
    row: Ladder, starts_at: str | None, submit_until: str | None, ends_at: str | None
) -> None:
    """Sets those that are given. Raises ArenaError."""
    for field, text in (
        ("starts_at", starts_at),
        ("submit_until", submit_until),
        ("ends_at", ends_at),
    ):
        if text is not None:
            read = since_of if field == "starts_at" else until_of
            setattr(row, field, read(field, text) if text else None)
    check_schedule(row.starts_at, row.submit_until, row.ends_at)


@changes("DELETE", "/ladders/{ladder}", ORGANISERS)
def delete_ladder(call: Changing, ladder: Text) -> DeletedLadder:
    """Delete a ladder on which nothing has been played."""
    with call.store.writing() as session:
        league.delete_ladder(session, ladder_named(session, ladder))
    return DeletedLadder(ladder=ladder)


def _shown(call: Changing, ladder: str) -> RatedLadder:
    with call.store.reading() as session:
        return rated_ladder(session, call.folder.holder(), ladder_named(session, ladder))


@reads("/ladders")
def list_ladders(asked: Reading) -> Ladders:
    """All ladders, by name."""
    found = ladder_views(asked.session, asked.folder.holder(), ladders(asked.session))
    return Ladders(ladders=found)


@reads("/ladders/{ladder}", stamp=_stamp)
def read_ladder(asked: Reading, ladder: Text) -> RatedLadder:
    """A ladder: its terms, what is going on, its table, and the faults for which versions are
    suspended. Their words are there for the owner of the bot."""
    row = ladder_named(asked.session, ladder)
    found = rated_ladder(asked.session, asked.folder.holder(), row)
    told = readable_faults(found.suspended, asked.caller)
    return found.model_copy(update={"suspended": told})


@reads("/ladders/{ladder}/curves", stamp=_stamp)
def read_curves(asked: Reading, ladder: Text, limit: Few = BEST) -> Curves:
    """The rating curves of the best versions on a ladder, each of at most 300 points."""
    best = standings(asked.session, ladder, limit=limit)
    points = rating_curves(asked.session, ladder, [one.version for one in best])
    return Curves(
        curves=tuple(
            Curve(
                bot=one.bot,
                number=one.number,
                version=one.version,
                points=points.get(one.version, ()),
            )
            for one in best
        )
    )


@reads("/ladders/{ladder}/crosstable", stamp=_stamp)
def read_crosstable(asked: Reading, ladder: Text, limit: Few = BEST) -> Crosstable:
    """The results of the best versions on a ladder against each other."""
    best = [one.version for one in standings(asked.session, ladder, limit=limit)]
    found = crosstable(asked.session, ladder, best)
    return Crosstable(
        pairs=tuple(
            Pair(version=version, opponent=opponent, results=results)
            for (version, opponent), results in found.items()
        )
    )


@reads("/ladders/{ladder}/explanation", READERS)
def explain_rating(
    asked: Reading,
    ladder: Text,
    bot: Text,
    number: Number = 0,
    limit: Few = 50,
    moved_most: bool = False,
) -> RatingExplanation:
    """The reasons for the rating of a bot's version, the latest on the ladder if no number is
    given. The jobs are the latest, or those that moved mu most."""
    row = ladder_named(asked.session, ladder)
    return explained_rating(asked.session, row, bot, number, limit=limit, moved_most=moved_most)


@reads("/bots/{bot}/history", READERS)
def read_history(
    asked: Reading, bot: Text, ladder: Text = "", after: Number = 0, limit: Few = 50
) -> BotHistory:
    """The history of a bot's ratings, job by job, on a ladder or on all, the latest first.
    `after`, the `next` of the page before, continues the history on one ladder."""
    bot_named(asked.session, bot)
    if after and not ladder:
        raise ArenaError(
            Kind.WRONG_INPUT,
            "`after` continues the history on one ladder: give `ladder` as well.",
            "ladder",
        )
    names = [ladder] if ladder else ladders_of(asked.session, bot)
    return BotHistory(
        bot=bot,
        ladders=tuple(
            rating_history(asked.session, name, bot, after=after or None, limit=limit)
            for name in names
        ),
    )
