"""Matches and faults: lists, and who may read which part of a match."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from arena.errors import ArenaError, Kind
from arena.moment import rfc3339
from arena.operations.matches import list_faults, list_matches, read_logs, read_match, read_played
from arena.operations.versions import delete_bot, list_versions
from arena.store import schema
from arena.store.schema import MatchSeat, Role
from arena.store.session import Store
from arena.store.texts import packed
from arena.views.matches.match import SeatFault
from arena.views.matches.match_query import from_query
from tests.support.asked import Asked
from tests.support.stored_matches import AT, BOTS, MATCH, WORDS, add_match, digest_of


async def listed(arena: Asked, after: str = "", limit: int = 50, **wanted: Any) -> list[str]:
    filter_ = from_query((name, str(value)) for name, value in wanted.items())
    page = await arena.asker().ask(list_matches, filter_, after, limit)
    return [match.match for match in page.matches]


@pytest.fixture
def more(arena: Asked) -> Asked:
    """The same arena with two matches more: Ann loses them by 9 and wins them by 4 points, and
    thinks long in the second."""
    with arena.store.writing() as session:
        add_match(session, "m-8", "main", minute=1)
        add_match(session, "m-9", "other", minute=2)
        for match, margin, slowest_ms in (("m-8", -9, 10), ("m-9", 4, 7_000)):
            seat = session.get_one(MatchSeat, (match, 0))
            seat.margin, seat.slowest_ms = margin, slowest_ms
    return arena


async def test_matches_are_listed_in_pages_by_ladder_and_bot(more: Asked) -> None:
    assert await listed(more) == ["m-9", "m-8", "m-7"]
    assert await listed(more, ladder="main", bot="ann-bot") == ["m-8", "m-7"]
    page = await more.asker().ask(list_matches, limit=2)
    assert ([match.match for match in page.matches], page.next) == (["m-9", "m-8"], "m-8")
    assert (page.count, page.counted_to_the_end) == (3, True)
    last = await more.asker().ask(list_matches, limit=2, after="m-8")
    assert ([match.match for match in last.matches], last.next) == (["m-7"], None)


async def test_a_match_tells_its_result(arena: Asked) -> None:
    match = await arena.asker().ask(read_match, "m-")
    assert (match.match, match.job, match.attempt, match.game) == (MATCH, "job of m-7", 1, "xeri")
    assert (match.ladder, match.tournament, match.reason) == ("main", None, "played-out")
    assert (match.digest, match.finished_at) == ("d" * 64, AT)
    ann, bob = match.seats
    assert (ann.bot, ann.version, ann.number) == ("ann-bot", digest_of("ann-bot"), 1)
    assert (ann.team, ann.score, ann.rank) == (0, 1, 2)
    assert ann.faults == (SeatFault(kind="crashed", decision=3, sentence="It ended."),)
    assert (bob.bot, bob.rank, bob.faults) == ("bob-bot", 1, ())


async def test_matches_are_chosen_by_all_that_the_pages_know(more: Asked) -> None:
    later = rfc3339(AT + timedelta(minutes=1))
    assert await listed(more, since=later) == ["m-9", "m-8"]
    assert await listed(more, until=later) == ["m-7"]
    assert await listed(more, game="xeri") == ["m-9", "m-8", "m-7"]
    assert await listed(more, game="oh-seven") == []
    assert await listed(more, seats=2) == ["m-9", "m-8", "m-7"]
    assert await listed(more, seats=4) == []
    assert await listed(more, bot="ann-bot", seat=1) == []
    assert await listed(more, bot="bob-bot@1", seat=1) == ["m-9", "m-8", "m-7"]
    assert await listed(more, bot="bob-bot@1", against="ann-bot", result="lost") == []
    assert set(await listed(more, fault="crashed")) >= {"m-7"}
    assert await listed(more, fault="timeout") == []
    assert await listed(more, bot="ann-bot", slowest=6_000) == ["m-9"]
    worst = await listed(more, bot="ann-bot", order="worst")
    best = await listed(more, bot="ann-bot", order="best")
    assert (worst[0], best[0]) == ("m-8", "m-9")
    assert worst == best[::-1]


@pytest.mark.parametrize(
    ("wanted", "field", "words"),
    [
        ({"ladder": "mine"}, "ladder", "There is no ladder 'mine'"),
        ({"competition": "mine"}, "competition", "There is no competition 'mine'"),
        ({"bot": "ann"}, "bot", "Did you mean ann-bot?"),
        ({"game": "xery"}, "game", "Did you mean xeri?"),
        ({"bot": "ann-bot", "against": "bob"}, "against", "Did you mean bob-bot?"),
    ],
)
async def test_names_that_nothing_has_are_mistakes(
    arena: Asked, wanted: dict[str, Any], field: str, words: str
) -> None:
    with pytest.raises(ArenaError, match=words.replace("?", r"\?")) as refused:
        await listed(arena, **wanted)
    assert (refused.value.kind, refused.value.field) == (Kind.NOT_FOUND, field)


async def test_a_page_begins_after_a_match(arena: Asked) -> None:
    refused = await arena.asker().refused(list_matches, after="x")
    assert (refused.kind, refused.field) == (Kind.NOT_FOUND, "after")
    assert "No match begins with 'x'" in refused.sentence


async def test_everybody_reads_the_record_and_each_owner_their_own_private_log(
    arena: Asked,
) -> None:
    for owner, role, seen, own in [
        ("Ann", Role.OWNER, [0], (0,)),
        ("Bob", Role.OWNER, [1], (1,)),
        ("Ann", Role.READER, [], (0,)),
        ("Eve", Role.OWNER, [], ()),
        ("", Role.READER, [], ()),
        ("Eve", Role.ORGANISER, [0, 1], ()),
        ("Bob", Role.ORGANISER, [0, 1], (1,)),
    ]:
        asker = arena.asker(owner, role)
        played = await asker.ask(read_played, "m-")
        assert (played.record, played.match.digest, played.warning) == ("{}", "d" * 64, "")
        assert (list(played.logs), played.own_seats) == (seen, own)
        for seat, log in played.logs.items():
            assert log.stderr == f"words of {list(BOTS)[seat]}"
            assert (log.notes[0].decision, log.notes[0].text) == (3, "why")
            assert log.start_ms is None
        if owner:
            assert (await asker.ask(read_logs, "m-")).logs == played.logs
    assert (await arena.asker("Eve").refused(read_played, "x")).kind is Kind.NOT_FOUND


async def test_what_was_pruned_is_left_out(arena: Asked, store: Store) -> None:
    with store.writing() as session:
        session.delete(session.get_one(schema.PrivateLog, MATCH))
    played = await arena.asker("Ann").ask(read_played, MATCH)
    assert (played.logs, played.own_seats, played.warning) == ({}, (0,), "")


async def test_what_is_damaged_is_said_and_the_record_shown(arena: Asked, store: Store) -> None:
    with store.writing() as session:
        session.get_one(schema.PrivateLog, MATCH).body = packed("no log")
    played = await arena.asker("Ann").ask(read_played, MATCH)
    assert (played.record, played.logs) == ("{}", {})
    assert f"The private log of match {MATCH} is damaged" in played.warning


async def test_faults_are_listed(arena: Asked) -> None:
    reader = arena.asker("Rea", Role.READER)
    for wanted, count in [
        ({}, 1),
        ({"owner": "Ann", "bot": "ann-bot", "ladder": "main", "limit": 9}, 1),
        ({"owner": "Bob"}, 0),
    ]:
        found = (await reader.ask(list_faults, **wanted)).faults  # type: ignore[arg-type]
        assert [(f.match, f.bot, f.kind, f.decision) for f in found] == [
            (MATCH, "ann-bot", "crashed", 3)
        ] * count


@pytest.mark.parametrize(
    ("operation", "wanted", "words"),
    [
        (list_faults, {"bot": "ann"}, "Did you mean ann-bot?"),
        (list_faults, {"owner": "Anne"}, "Did you mean Ann?"),
        (list_faults, {"ladder": "mine"}, "Did you mean main?"),
        (list_versions, {"bot": "ann"}, "Did you mean ann-bot?"),
        (list_versions, {"owner": "Anne"}, "no owner 'Anne'"),
    ],
)
async def test_faults_and_versions_of_nothing_are_mistakes(
    arena: Asked, operation: Any, wanted: dict[str, str], words: str
) -> None:
    refused = await arena.asker("Ann").refused(operation, **wanted)
    assert (refused.kind, refused.field) == (Kind.NOT_FOUND, *wanted)
    assert words in refused.sentence


async def test_the_words_of_a_bot_at_fault_are_for_its_owner_and_organisers(arena: Asked) -> None:
    for owner, role, words in [
        ("Ann", Role.OWNER, WORDS),
        ("Orla", Role.ORGANISER, WORDS),
        ("Bob", Role.OWNER, ""),
        ("Rea", Role.READER, ""),
        ("", Role.READER, ""),
    ]:
        [fault] = (await arena.asker(owner, role).ask(list_faults)).faults
        assert (fault.sentence, fault.words) == ("It ended.", words)


async def test_an_owner_without_bots_is_known_by_their_token(arena: Asked) -> None:
    cat = arena.asker("Cat")
    assert (await cat.ask(list_versions, owner="Cat")).versions == ()
    assert (await cat.ask(list_faults, owner="Cat")).faults == ()


async def test_of_a_deleted_bot_no_private_log_is_left(arena: Asked) -> None:
    assert (await arena.asker("Ann").ask(delete_bot, "ann-bot")).versions == 1
    organiser = arena.asker("Org", Role.ORGANISER)
    logs = (await organiser.ask(read_played, MATCH)).logs
    assert (logs[0].stderr, logs[0].notes) == ("", [])
    assert logs[1].stderr == "words of bob-bot"
    listed_ = await organiser.ask(list_versions, bot="ann-bot")
    assert [version.owner for version in listed_.versions] == ["(deleted)"]
