"""A guest plays whole matches against the bots of a real arena, by forms alone."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from arena.records import read, verify_record
from arena.store.open import open_store
from arena.store.people import table_with_key
from arena.store.schema import Bot, Rating, Version
from arena.store.session import Store
from arena.store.texts import record_text
from arena.views.matches.match import match_named
from sevens.record.v1.match_record_pb2 import MatchRecord
from tests.support.patience import until
from tests.support.table_pages import Guest, Page, at_random
from tests.web.tables.conftest import open_to_guests, resting_arena

pytestmark = pytest.mark.slow


def recorded(store: Store, page: Page) -> MatchRecord:
    """The record of the match whose final page this is, which is true."""
    match = page.text.partition("/play?match=")[2].partition("&")[0]
    with store.reading() as session:
        record = read(record_text(session, match))
    verdict = verify_record(record)
    assert verdict.ok, verdict
    return record


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("xeri", {"deals": 1}),
        ("oh-seven", {"max_rounds": 7}),
        ("seven-rummy", {"deals": 1}),
        ("california-speed", {"max_layouts": 2}),  # both choose at once
        ("forty-thieves", {"max_moves": 40}),
    ],
)
def test_a_guest_plays_a_whole_match(
    guest: Guest, store: Store, game: str, options: dict[str, int]
) -> None:
    chosen = {f"option-{name}": value for name, value in options.items()}
    page = guest.sits_down(game=game, seat=1, **chosen)
    final = guest.plays(page, at_random(7))
    record = recorded(store, final)
    assert record.game == game
    assert record.seats[1].bot.startswith("person-guest")
    assert list(record.faults) == []
    assert [record.options[name] for name in options] == [str(v) for v in options.values()]
    with store.reading() as session:
        row = match_named(session, record.match_id)
        assert row.competition_kind == "table"
        counted = session.get_one(Version, record.seats[0].version).attempts
        assert counted <= 3  # those of the ladder
        person = session.get_one(Bot, record.seats[1].bot)
        assert person.owner == "(guests)"
        rated = {rating.version for rating in session.query(Rating)}
        assert record.seats[1].version not in rated


def test_the_page_tells_what_is_going_on(guest: Guest) -> None:
    page = guest.sits_down(game="xeri", seat=0, opponent="first", **{"option-deals": 1})
    assert page.number
    assert "It is your turn." in page.words
    assert "16 min left" in page.words or "15 min" in page.words  # and nearly a minute
    assert "hand (yours)" in page.words
    assert "hand (first)" in page.words
    assert "6 face down" in page.words
    own = [action.split()[1] for action in page.actions]
    drawing = json.loads(page.text.partition("data-drawing>")[2].partition("</script>")[0])
    hands = [i for i, zone in enumerate(drawing["zones"]) if zone["name"] == "hand"]
    seen = [drawing["frames"][0]["zones"][str(place)][0].split() for place in hands]
    assert sorted(map(sorted, seen)) == [[], sorted(own)]  # the bot's cards are nowhere
    again = guest.get(page.address)
    assert (again.number, again.actions) == (page.number, page.actions)
    later = guest.post(f"{page.address}/answer", {"number": page.number, "action": 0})
    assert f"You play {'10' if own[0][0] == 'T' else own[0][0]}" in later.words
    assert "first plays" in later.words
    stale = guest.post(f"{page.address}/answer", {"number": page.number, "action": 0})
    assert stale.status == 409
    assert "That decision is over; this is the table now." in stale.words
    assert stale.number == later.number
    wrong = guest.post(f"{page.address}/answer", {"number": stale.number, "action": 99})
    assert "There is no such action; choose one of those below." in wrong.words
    assert guest.get("/play").text.count(page.address.removeprefix(guest.origin)) == 1
    final = guest.plays(guest.get(page.address), at_random(1))
    assert "You won" in final.words or "You lost" in final.words or "You tied" in final.words
    table = page.address.removeprefix(guest.origin)
    # The page may know the end a moment before the match is recorded.
    until(lambda: table not in guest.get("/play").text, "the table is over")


def test_the_name_of_a_guest_has_a_page_that_says_so(guest: Guest) -> None:
    table = {"game": "xeri", "seat": 0, "opponent": "first", "option-deals": 1}
    guest.plays(guest.sits_down(**table), at_random(5))
    page = guest.get("/bots/person-guest")
    assert page.status == 200
    assert "This is a person, not a bot: a guest" in page.words
    assert "remote" not in page.words.partition("Such matches")[0]


def test_the_events_of_a_table_resume(guest: Guest) -> None:
    page = guest.sits_down(game="xeri", seat=0, **{"option-deals": 1})
    table = page.address
    [(first, data)] = guest.events(table, 1)
    event = json.loads(data)
    assert (event["state"], str(event["number"])) == ("choose", page.number)
    assert 'name="action"' in event["html"]
    guest.post(f"{table}/answer", {"number": page.number, "action": 0})
    [(second, data)] = guest.events(table, 1, last=first)
    assert int(second) > int(first)
    assert json.loads(data)["number"] > event["number"]
    guest.plays(guest.get(table), at_random(2))


def test_a_match_is_played_again_with_the_same_cards(
    guest: Guest, store: Store, played_match: str
) -> None:
    with store.reading() as session:
        before = read(record_text(session, played_match))
    offer = guest.get(f"/play?match={played_match}&seat=1")
    assert f"in the place of {before.seats[1].bot}" in offer.words
    final = guest.plays(guest.sits_down(match=played_match, seat=1), at_random(3))
    record = recorded(store, final)
    assert record.shuffles == before.shuffles
    assert record.deal_source == before.deal_source
    assert [seat.seed for seat in record.seats] == [seat.seed for seat in before.seats]
    assert record.seats[0].version == before.seats[0].version
    assert record.seats[1].bot.startswith("person-guest")
    assert (record.origin.match, record.origin.digest) == (before.match_id, before.digest)
    assert record.origin.choices == 0
    assert "Compare it with the match that you repeated" in final.words
    assert f"/play/compare?match={record.match_id}" in final.text
    compared = guest.get(f"/play/compare?match={record.match_id}")
    assert compared.status == 200
    assert "The first difference" in compared.words or "no difference" in compared.words
    assert before.seats[1].bot in compared.words


def test_somebody_sits_down_in_the_middle_of_a_match(
    guest: Guest, store: Store, played_match: str
) -> None:
    with store.reading() as session:
        before = read(record_text(session, played_match))
    page = guest.sits_down(match=played_match, seat=0, at=21)
    final = guest.plays(page, at_random(4))
    record = recorded(store, final)
    taken = [(choice.seat, choice.action) for choice in record.choices[:20]]
    assert taken == [(choice.seat, choice.action) for choice in before.choices[:20]]
    assert record.origin.choices == 20
    assert record.shuffles == before.shuffles


def test_a_table_outlives_the_process_of_its_page(three_matches: Path, tmp_path: Path) -> None:
    # A busy machine takes long to start the pages again.
    with resting_arena(three_matches, tmp_path) as arena, open_to_guests(arena, 120) as origin:
        guest = Guest(origin)
        page = guest.sits_down(game="xeri", seat=0, **{"option-deals": 1})
        page = guest.post(f"{page.address}/answer", {"number": page.number, "action": 0})
        table = page.address
        [pages] = arena.running_commands("web")
        pages.kill()
        again = guest.get(table)
        while not again.number:  # it has to dial in again, within the grace
            assert not again.is_final, again.words
            again = guest.get(table)
        assert (again.number, again.actions) == (page.number, page.actions)
        final = guest.plays(again, at_random(8))
        with closing(open_store(arena.data, "read")) as store:
            assert list(recorded(store, final).faults) == []


def test_whoever_leaves_is_at_fault_and_the_others_get_their_result(
    guest: Guest, store: Store
) -> None:
    page = guest.sits_down(game="xeri", seat=0, **{"option-deals": 1})
    left = guest.post(f"{page.address}/leave")
    assert "You have left the table, and the arena plays on for you." in left.words
    final = guest.plays(left, at_random(5))
    record = recorded(store, final)
    [fault] = record.faults
    assert (fault.seat, fault.kind) == (0, "disconnected")
    assert list(record.result.ranks) == [2, 1]
    with store.reading() as session:
        assert session.get_one(Version, record.seats[0].version).faults == 0
        assert table_with_key(session, page.address.rpartition("/")[2]) is not None


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"game": "whist"}, 404, "no game 'whist'"),
        ({"game": "xeri", "seat": 7}, 400, "there is no seat 7"),
        ({"game": "xeri", "seat": "x"}, 400, "`seat` is a whole number from 0"),
        ({"game": "xeri", "option-deals": "0"}, 400, "Option deals must be"),
        ({"game": "xeri", "opponent": "nobody"}, 400, "no bot 'nobody'"),
        ({"match": "nothing"}, 404, "No match begins with 'nothing'"),
    ],
)
def test_what_cannot_be_is_said(
    guest: Guest, fields: dict[str, object], status: int, sentence: str
) -> None:
    page = guest.post("/play", fields)
    assert page.status == status
    assert sentence in page.words


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/tables/srt_unknown", 404, "There is no such table."),
        ("/tables/srt_unknown/events", 404, "There is no such table."),
        ("/play?game=whist", 404, "no game 'whist'"),
        ("/play?game=xeri&seats=9", 400, "seats, not 9"),
        ("/play?match=nothing", 404, "No match begins with 'nothing'"),
    ],
)
def test_what_is_not_there(guest: Guest, path: str, status: int, sentence: str) -> None:
    page = guest.get(path)
    assert page.status == status
    assert sentence in page.words


def test_another_site_cannot_answer(guest: Guest) -> None:
    page = guest.sits_down(game="xeri", seat=0, **{"option-deals": 1})
    answer = {"number": page.number, "action": 0}
    forged = guest.post(f"{page.address}/answer", answer, Origin="https://elsewhere.example")
    assert forged.status == 403
    assert guest.get(page.address).number == page.number
    guest.plays(guest.get(page.address), at_random(6))
