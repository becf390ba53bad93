"""The API answers what the store has, to whom it may."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from arena.records.record import read
from arena.records.verification import verify_record
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import count_matches, find_matches

BOT = "random"


def asked(
    site: str, address: str, headers: Mapping[str, str] | None = None
) -> tuple[int, Mapping[str, str], Any]:
    """Returns status, headers and the JSON of an answer; None if it has no body."""
    try:
        with urlopen(Request(f"{site}/api{address}", headers=dict(headers or {}))) as answer:
            text, status, got = answer.read(), answer.status, answer.headers
    except HTTPError as refused:
        with refused:
            text, status, got = refused.read(), refused.code, refused.headers
    return status, got, json.loads(text) if text else None


@pytest.fixture(scope="session")
def match(shown: Path) -> str:
    """The latest match of the folder."""
    store = open_store(shown, "read")
    with store.reading() as session:
        found = find_matches(session, limit=1).matches[0].match
    store.close()
    return found


def test_lists_counts_and_pages_agree_with_the_store(site: str, shown: Path) -> None:
    store = open_store(shown, "read")
    with store.reading() as session:
        wanted = MatchFilter(bot=BOT)
        expected = [one.match for one in find_matches(session, wanted, limit=100).matches]
        count = count_matches(session, wanted).number
    store.close()
    found, after = [], ""
    while after is not None:
        _, _, page = asked(site, f"/matches?bot={BOT}&limit=5&after={after}")
        assert page["count"] == count
        found += [one["match"] for one in page["matches"]]
        after = page["next"]
    assert found == expected


def test_all_matches_are_streamed_a_line_each(site: str) -> None:
    with urlopen(f"{site}/api/matches.ndjson?bot={BOT}&result=won") as answer:
        assert answer.headers["Content-Type"].startswith("application/x-ndjson")
        lines = [json.loads(line) for line in answer]
    assert [one["match"] for one in lines] == [
        one["match"] for one in asked(site, f"/matches?bot={BOT}&result=won")[2]["matches"]
    ]


def test_a_record_is_the_one_that_was_played(site: str, match: str) -> None:
    with urlopen(f"{site}/api/matches/{match}/record") as answer:
        record = read(answer.read())
    assert record.match_id == match
    assert verify_record(record).ok


@pytest.mark.parametrize(
    "address",
    [
        *("/ladders", "/ladders/main", "/ladders/main/curves", "/ladders/main/crosstable"),
        *(f"/bots/{BOT}", "/matches", "/games"),
    ],
)
def test_an_unchanged_answer_is_not_sent_again(site: str, address: str) -> None:
    _, headers, _ = asked(site, address)
    status, _, nothing = asked(site, address, {"If-None-Match": headers["ETag"]})
    assert (status, nothing) == (304, None)


def test_a_ladder_is_told_again_when_an_arena_begins_to_run_it(site: str, shown: Path) -> None:
    _, headers, ladder = asked(site, "/ladders/main")
    assert not ladder["running_now"]
    with DataFolder(shown).hold() as hold:
        hold.announce("", only=["main"])
        status, _, ladder = asked(site, "/ladders/main", {"If-None-Match": headers["ETag"]})
    assert (status, ladder["running_now"]) == (200, True)


@pytest.mark.parametrize(
    ("address", "status", "field", "sentence"),
    [
        ("/ladders/mane", 404, "ladder", "Did you mean main?"),
        ("/bots/randon", 404, "bot", f"Did you mean {BOT}?"),
        ("/bots/no%0Abot/results", 404, "bot", "no bot"),
        (f"/bots/{BOT}/results?number=7", 404, "number", "has no version 7"),
        (f"/bots/{BOT}/results?competition=mane", 404, "competition", "Did you mean main?"),
        ("/owners/locl", 404, "owner", "There is no owner 'locl'"),
        ("/comparisons/duel", 404, "comparison", "no comparison 'duel'"),
        ("/games/xery", 404, "game", "Did you mean xeri?"),
        ("/matches/nothing", 404, "match", "No match begins with"),
        ("/matches?result=lost", 400, "result", "name it as well"),
        ("/matches?seat=one", 400, "seat", "whole number"),
        ("/matches?limit=0", 400, "limit", "The parameter limit is wrong"),
        ("/matches?colour=red", 400, "colour", "Matches cannot be chosen by"),
        ("/nothing", 404, "", "/api/openapi.json lists them all"),
    ],
)
def test_what_is_wrong_is_said(
    site: str, address: str, status: int, field: str, sentence: str
) -> None:
    code, _, failure = asked(site, address)
    assert (code, failure["field"]) == (status, field)
    assert sentence in failure["sentence"]


def test_pages_of_other_sites_read_what_is_public_and_no_more(site: str) -> None:
    other = {"Origin": "https://other.example"}
    with urlopen(Request(f"{site}/api/ladders", headers=other)) as answer:
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert answer.headers["Access-Control-Allow-Credentials"] is None
    # Browsers ask first whether they may send a token, and are refused.
    asked = Request(
        f"{site}/api/ladders",
        method="OPTIONS",
        headers=other
        | {
            "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "authorization",
        },
    )
    with pytest.raises(HTTPError) as refused:
        urlopen(asked)
    with refused.value:
        assert refused.value.code == 400


def test_private_logs_are_for_their_owners(site: str, match: str) -> None:
    status, _, failure = asked(site, f"/matches/{match}/logs")
    assert (status, failure["field"]) == (401, "token")
    unknown = {"Authorization": "Bearer sa_unknown"}
    assert asked(site, f"/matches/{match}/logs", unknown)[0] == 401


def test_nothing_is_changed_through_it(site: str) -> None:
    with pytest.raises(HTTPError) as refused:
        urlopen(f"{site}/api/matches", data=b"{}")
    with refused.value as answer:
        assert answer.code == 405
