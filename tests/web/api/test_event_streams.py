"""Programs are told by event streams what visitors are told, within the same bounds."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from arena.store.open import open_store
from arena.store.schema import Job, JobState
from arena.web.events import StreamBounds
from tests.support.event_streams import Visitor, check_looks, served_folder

BOUNDS = StreamBounds(period_s=0.2, heartbeat_s=0.6)
LADDER, MATCHES = "/ladders/main/events", "/matches/events"


def events(text: str) -> list[dict[str, Any]]:
    """Returns the data of all events that have come."""
    return [json.loads(data) for data in re.findall(r"^data: (.+)$", text, re.MULTILINE)]


def asked(address: tuple[str, int], path: str) -> tuple[int, str, Any]:
    """Returns the status, the headers and the JSON of an answer that is no stream."""
    answer = Visitor(address, path, Connection="close", Accept_Encoding="identity").rest()
    head, _, body = answer.partition("\r\n\r\n")
    return int(head.split()[1]), head.lower(), json.loads(body)


def queue_again(data: Path, job: str, **changes: Any) -> None:
    """Lets a job be still to be recorded, with some parts of it changed."""
    store = open_store(data, "write")
    with store.writing() as session:
        row = session.get_one(Job, job)
        row.state = JobState.QUEUED
        row.body = json.dumps(json.loads(row.body) | changes)
    store.close()


def a_job(data: Path) -> str:
    store = open_store(data, "read")
    with store.reading() as session:
        job = session.execute(sa.text("SELECT id FROM jobs ORDER BY id LIMIT 1")).scalar_one()
    store.close()
    return str(job)


@pytest.mark.parametrize(("path", "rated"), [(LADDER, 12), (MATCHES, 0)])
def test_a_program_is_told_what_there_is_as_json(shown: Path, path: str, rated: int) -> None:
    with (
        served_folder(shown, BOUNDS) as (address, _),
        closing(Visitor(address, f"/api{path}")) as program,
    ):
        text = program.until(": nothing new")
    assert "content-type: text/event-stream" in text.lower()
    assert "retry: 3000" in text
    [told] = events(text)
    assert (told["rated"], told["queued"]) == (rated, 0)
    assert set(told) == {"rated", "queued", "latest"}


def test_whoever_comes_back_hears_only_of_what_is_new(shown: Path) -> None:
    with served_folder(shown, BOUNDS) as (address, _):
        with closing(Visitor(address, LADDER)) as visitor:
            known = re.findall(r"^id: (.+)$", visitor.until("\ndata: "), re.MULTILINE)[-1]
        # The page's and the API's stream are one topic, so either knows the other's ids.
        with closing(Visitor(address, f"/api{LADDER}", Last_Event_ID=known)) as program:
            assert events(program.until(": nothing new")) == []


def test_pages_and_programs_share_one_look_a_period(shown: Path) -> None:
    bounds = replace(BOUNDS, period_s=0.3, an_address=100)
    with served_folder(shown, bounds) as (address, store), ExitStack() as stack:
        for path in (LADDER, f"/api{LADDER}") * 30:
            stack.enter_context(closing(Visitor(address, path))).until("\ndata: ")
        check_looks(store, bounds)


def test_streams_of_pages_and_programs_are_counted_together(shown: Path) -> None:
    with served_folder(shown, replace(BOUNDS, an_address=2)) as (address, _), ExitStack() as stack:
        for path in (LADDER, f"/api{MATCHES}"):
            stack.enter_context(closing(Visitor(address, path))).until("\ndata: ")
        status, head, failure = asked(address, f"/api{LADDER}")
        assert status == 429
        assert "retry-after: 30" in head
        assert "2 event streams are open from your address already" in failure["sentence"]
    with (
        served_folder(shown, replace(BOUNDS, everywhere=1)) as (address, _),
        closing(Visitor(address, LADDER)) as visitor,
    ):
        visitor.until("\ndata: ")
        status, head, failure = asked(address, "/api/live/nothing/events")
        assert status == 503
        assert "retry-after: 30" in head
        assert "Too many visitors watch" in failure["sentence"]


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/ladders/mian/events", "Did you mean main?"),
        ("/live/nothing/events", "There is no such job."),
        ("/live/nothing/replay", "There is no such job."),
    ],
)
def test_what_there_is_not_has_no_events(shown: Path, path: str, sentence: str) -> None:
    with served_folder(shown, BOUNDS) as (address, _):
        status, _, failure = asked(address, f"/api{path}")
    assert status == 404
    assert sentence in failure["sentence"]


def test_a_job_that_is_over_leads_to_its_matches(shown: Path) -> None:
    job = a_job(shown)
    with served_folder(shown, BOUNDS) as (address, _):
        with closing(Visitor(address, f"/api/live/{job}/events")) as program:
            [told] = events(program.until(": nothing new"))
        status, _, failure = asked(address, f"/api/live/{job}/replay")
    assert told["decisions"] is None  # its record is that of a finished match
    assert told["matches"]
    assert (status, failure["sentence"]) == (404, told["sentence"])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"seatings": [[0, 1], [1, 0]]}, "when all its 2 matches with the same cards are over"),
        ({"seed_text": "7"}, "because others may play the same cards"),
    ],
)
def test_nothing_of_a_deal_is_told_before_its_group_is_over(
    shown: Path, tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    data = Path(shutil.copytree(shown, tmp_path / "data"))
    job = a_job(data)
    queue_again(data, job, **changes)
    with served_folder(data, BOUNDS) as (address, _):
        with closing(Visitor(address, f"/api/live/{job}/events")) as program:
            [told] = events(program.until(": nothing new"))
        status, _, failure = asked(address, f"/api/live/{job}/replay")
    assert told["decisions"] is None
    assert sentence in told["sentence"]
    assert (status, failure["sentence"]) == (404, told["sentence"])


def test_without_an_arena_no_match_is_in_play(shown: Path) -> None:
    with served_folder(shown, BOUNDS) as (address, _):
        status, _, answer = asked(address, "/api/live")
    assert status == 200
    assert answer == {"jobs": [], "sentence": answer["sentence"]}
    assert "No arena runs" in answer["sentence"]


def test_streams_are_described(shown: Path) -> None:
    with served_folder(shown, BOUNDS) as (address, _):
        _, _, described = asked(address, "/api/openapi.json")
    for path in (LADDER.replace("main", "{name}"), MATCHES, "/live/{job}/events"):
        told = described["paths"][path]["get"]
        assert list(told["responses"]["200"]["content"]) == ["text/event-stream"]
        assert {"404", "429", "503"} <= set(told["responses"])
        assert "last-event-id" in {one["name"] for one in told["parameters"]}
