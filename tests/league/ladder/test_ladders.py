"""Setting up, entering and stopping ladders."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from arena.errors import ArenaError, Exit
from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.ladder.ladders import (
    create_ladder,
    enter,
    next_season,
    obstacle,
    playing_versions,
    withdraw,
)
from arena.queue.job import Clock, Job
from arena.store import schema
from arena.store.faults import suspend
from arena.store.queries import ladder_named
from arena.store.schema import (
    Bot,
    CompetitionState,
    Entry,
    EntryState,
    Format,
    JobState,
    Ladder,
    Partners,
    Remote,
    Role,
)
from arena.store.session import Store
from arena.store.tokens import create_token
from arena.store.versions import add_version
from arena.views.bot import bot_card
from arena.views.competition import leaders_of
from arena.views.ladders.standing import standings

NewLadder = Callable[..., Ladder]
JobsOf = Callable[..., list[Job]]


def test_what_is_not_said_is_as_the_game_has_it(store: Store) -> None:
    create_ladder(store, "main", "xeri")
    with store.reading() as session:
        ladder = ladder_named(session, "main")
    assert (ladder.seats, ladder.rules_version, ladder.options) == (2, 1, {"deals": "5"})
    assert (ladder.bank_ms, ladder.increment_ms) == (60_000, 200)
    assert (ladder.format, ladder.partners) == (Format.SINGLE, Partners.ANY)
    assert 0.005 <= ladder.draw_probability < 0.1


WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"name": "My Ladder"}, "name", "lower-case letters, digits and hyphens.*'My Ladder'"),
    ({"name": "main"}, "name", "There is a ladder 'main' already"),
    ({"seats": 3}, "seats", "A ladder in Xeri has 2 seats, not 3"),
    ({"options": {"deals": 0}}, "options", "Option deals must be an integer from 1 to 100, not 0"),
    ({"draw_probability": 1.5}, "draw_probability", "must be from 0.005 to 0.9, not 1.5"),
]


@pytest.mark.parametrize(("terms", "field", "sentence"), WRONG)
def test_what_cannot_be_is_refused_and_named(
    store: Store, terms: dict[str, Any], field: str, sentence: str
) -> None:
    create_ladder(store, "main", "xeri", draw_probability=0.05)
    given: dict[str, Any] = {"name": "other", "game": "xeri", "draw_probability": 0.05, **terms}
    with pytest.raises(ArenaError, match=sentence) as refused:
        create_ladder(store, **given)
    assert (refused.value.field, refused.value.kind.exit) == (field, Exit.WRONG_INPUT)


def test_a_job_says_all_that_a_worker_must_know(new_ladder: NewLadder, jobs_of: JobsOf) -> None:
    clock = Clock(bank_ms=7_000, increment_ms=70)
    [job] = jobs_of(new_ladder("insidious-sevens", options={"piiko": True}, clock=clock), 1)
    assert (job.game, job.options, job.clock) == ("insidious-sevens", {"piiko": "true"}, clock)
    assert len({entrant.bot for entrant in job.entrants}) == 4
    assert (job.seatings, job.fresh) == (((0, 1, 2, 3),), False)
    assert len(job.result_token) == 64


def test_partners_may_be_the_same(new_ladder: NewLadder, jobs_of: JobsOf) -> None:
    [job] = jobs_of(new_ladder("seven-euchre", partners=Partners.SAME), 1)
    one, other, *partners = job.entrants
    assert (partners, one != other) == ([one, other], True)


def why_idle(store: Store) -> str | None:
    with store.reading() as session:
        return obstacle(session, ladder_named(session, "main"))


def test_a_paused_ladder_makes_no_jobs(
    store: Store, new_ladder: NewLadder, jobs_of: JobsOf
) -> None:
    ladder = new_ladder()
    assert why_idle(store) is None
    with store.writing() as session:
        ladder_named(session, "main").state = CompetitionState.PAUSED
    assert jobs_of(ladder, 1) == []
    assert why_idle(store) == "The ladder main is paused."


def test_ratings_never_mix_versions_of_the_rules(
    store: Store, new_ladder: NewLadder, jobs_of: JobsOf
) -> None:
    ladder = new_ladder()
    with store.writing() as session:
        session.get_one(Ladder, "main").rules_version = 7
    assert jobs_of(ladder, 1) == []
    assert "for version 7 of the rules of Xeri, and this arena plays version 1" in str(
        why_idle(store)
    )


def test_who_has_withdrawn_plays_no_more_and_keeps_the_rating(
    store: Store, new_ladder: NewLadder, jobs_of: JobsOf
) -> None:
    ladder = new_ladder()
    with store.writing() as session:
        versions = [placing.version for placing in standings(session, "main")]
        for version in versions[:3]:
            withdraw(session, ladder, version)
    for job in jobs_of(ladder, 5):
        assert {entrant.version for entrant in job.entrants} == set(versions[3:])
    with store.writing() as session:
        withdraw(session, ladder, versions[3])
        table = standings(session, "main")
        states = {p.version: p.state for p in table}
        [own] = bot_card(session, table[-1].bot).versions[0].ladders
        leading = leaders_of(session, ["main"])["main"]
    assert [states[version] for version in versions] == ["withdrawn"] * 4 + ["active"]
    assert (table[0].version, table[0].place) == (versions[4], 1)
    assert [p.place for p in table[1:]] == [None] * 4
    assert (own.place, own.of) == (None, 1)
    assert {one.bot for one in leading} <= {table[0].bot}
    assert why_idle(store) == "The ladder main has 1 bot that can play, and needs 2."
    with store.writing() as session:
        enter(session, ladder, versions[0])
    assert why_idle(store) is None


def test_a_ladder_waits_for_other_contestants_rather_than_seat_two_bots_of_one(
    store: Store, new_ladder: NewLadder, jobs_of: JobsOf
) -> None:
    ladder = new_ladder()
    with store.writing() as session:
        session.execute(sa.update(Bot).values(owner="Ann"))
    assert why_idle(store) is None, "nobody has a token, so all are the organiser's"
    assert len(jobs_of(ladder, 3)) == 3
    with store.writing() as session:
        session.execute(sa.update(schema.Job).values(state=JobState.PARKED))
        for owner, role in (("Fleet", Role.WORKER), ("Ann", Role.OWNER)):
            create_token(session, owner, role)
    assert jobs_of(ladder, 3) == []
    assert why_idle(store) == (
        "A match on the ladder main needs 2 bots, and never has two of one contestant, so only 1 of"
        " those that are entered can meet: it waits for other contestants, or for bots that the"
        " organiser enters."
    )
    with store.writing() as session:
        session.execute(sa.update(Bot).where(Bot.name == "eve").values(owner="root"))
    for job in jobs_of(ladder, 12):
        assert "eve" in {entrant.bot for entrant in job.entrants}


def test_remote_bots_of_one_owner_never_meet_whoever_that_is(
    store: Store, new_ladder: NewLadder, jobs_of: JobsOf
) -> None:
    """A program that plays several remote bots would see all their hands."""
    ladder = new_ladder("seven-euchre")
    with store.writing() as session:
        session.execute(sa.update(Bot).where(Bot.name < "cz").values(owner="Ann"))
        for bot in ("ann", "bob", "cy"):
            session.add(Remote(bot=bot, token_hash=bot))
    assert "so only 3 of those" in str(why_idle(store))
    with store.writing() as session:
        session.execute(sa.delete(Remote).where(Remote.bot == "cy"))
    assert why_idle(store) is None
    with store.writing() as session:
        jobs = LadderJobs(session, ladder, Random(1)).make(session, 12, lambda *_: 99)
    assert len(jobs) == 12
    for job in jobs:
        assert len({entrant.bot for entrant in job.entrants} & {"ann", "bob"}) == 1


def test_the_pairing_looks_back_on_earlier_jobs(
    store: Store, new_ladder: NewLadder, jobs_of: JobsOf, rng: Random
) -> None:
    ladder = new_ladder()
    met = [
        frozenset(entrant.bot for entrant in jobs_of(ladder, number)[-1].entrants)
        for number in range(1, 11)  # reads the store again each time
    ]
    assert len(set(met)) == 10
    with store.reading() as session:
        assert LadderJobs(session, ladder, rng).matches == 10


def test_a_version_that_enters_takes_the_place_of_its_bots_others_where_only_the_newest_play(
    store: Store,
) -> None:
    with store.writing() as session:
        for bot, text in (("ann", "1"), ("ann", "2"), ("ann", "3"), ("bob", "4")):
            add_version(session, bot=bot, owner=bot, version=text * 64, manifest={})
    for name, newest_only in (("all", False), ("newest", True)):
        create_ladder(store, name, "xeri", draw_probability=0.05, newest_only=newest_only)

    def entered(name: str, *texts: str) -> str:
        with store.writing() as session:
            ladder = ladder_named(session, name)
            for text in texts:
                enter(session, ladder, text * 64)
            session.flush()
            return "".join(one.digest[0] for one in playing_versions(session, ladder))

    assert entered("all", "4", "1", "2") == "124"
    assert entered("newest", "4", "1", "2") == "24"
    with store.writing() as session:
        suspend(session.get_one(Entry, ("newest", "2" * 64)), "m-7")
    assert entered("newest", "3") == "34"
    with store.reading() as session:
        states = [session.get_one(Entry, ("newest", text * 64)).state for text in "123"]
        assert states == [EntryState.WITHDRAWN, EntryState.SUSPENDED, EntryState.ACTIVE]
    assert entered("newest", "1") == "14"
    with store.writing() as session:
        assert next_season(session, ladder_named(session, "newest"), "newest-2").newest_only
