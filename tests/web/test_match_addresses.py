from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import sqlalchemy as sa

from arena.records import read, verify_record
from arena.store.open import open_store
from arena.store.schema import Record
from arena.store.texts import packed, record_text
from arena.views.matches.match_list import find_matches
from tests.support.event_streams import pages_here


def asked(address: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Returns the status, the headers and the content of an answer."""
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        with urlopen(Request(address, headers=fields)) as answer:
            return answer.status, dict(answer.headers), answer.read()
    except HTTPError as error:
        return error.code, dict(error.headers), error.read()


@pytest.fixture(scope="session")
def matches(shown: Path) -> list[str]:
    with open_store(shown, "read").reading() as session:
        return [match.match for match in find_matches(session).matches]


@pytest.fixture(scope="session")
def match(matches: list[str], site: str) -> str:
    """The address of a match."""
    return f"{site}/matches/{matches[0]}"


def test_the_page_says_the_moment_in_sentences(match: str) -> None:
    status, _, page = asked(f"{match}?seat=1&at=37")
    assert status == 200
    assert b"Decision 3" in page
    assert b'data-at="37"' in page


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("?seat=2", "there is no seat 2"),
        ("?seat=one", "seat must be a number"),
        ("?at=0", "there is no decision 0"),
        ("?at=99999", "there is no decision 99999"),
        ("?at=-1", "at must be a number"),
        ("?at=" + "9" * 5000, "at must be a number"),
    ],
)
def test_a_seat_or_a_decision_that_does_not_exist_is_not_found(
    match: str, query: str, sentence: str
) -> None:
    status, _, page = asked(match + query)
    assert status == 404
    assert sentence in page.decode()


@pytest.mark.parametrize("kind", ["/matches/x{}", "/matches/x{}/replay.json", "/embed/x{}"])
def test_an_unknown_match_is_not_found(site: str, kind: str) -> None:
    status, _, page = asked(site + kind.format(""))
    assert status == 404
    assert "No match begins with" in page.decode()


def test_the_document_is_compressed_and_sent_once(match: str) -> None:
    status, headers, body = asked(f"{match}/replay.json?seat=0", Accept_Encoding="gzip")
    assert status == 200
    assert headers["content-encoding"] == "gzip"
    assert json.loads(gzip.decompress(body))["seat"] == 0
    again = asked(f"{match}/replay.json?seat=0", If_None_Match=headers["etag"])
    assert again[0] == 304
    assert again[2] == b""
    assert asked(f"{match}/replay.json", If_None_Match=headers["etag"])[0] == 200


def test_the_record_can_be_downloaded_and_verifies(match: str) -> None:
    status, headers, body = asked(f"{match}/record.json")
    assert status == 200
    assert headers["content-disposition"].startswith("attachment")
    assert verify_record(read(body)).ok


def test_only_the_embedded_page_may_be_framed(match: str) -> None:
    framed = asked(match.replace("/matches/", "/embed/"))[1]["content-security-policy"]
    assert framed.endswith("frame-ancestors *")
    assert asked(match)[1]["content-security-policy"].endswith("frame-ancestors 'none'")


@pytest.fixture(scope="module")
def broken(
    shown: Path, matches: list[str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Pages of the same arena, of which the first match's record is pruned, the second's is of
    older rules, the third's is damaged."""
    data = tmp_path_factory.mktemp("broken") / "data"
    shutil.copytree(shown, data)
    pruned, older, damaged = matches[:3]
    store = open_store(data, "write")
    with store.writing() as session:
        session.execute(sa.delete(Record).where(Record.match == pruned))
        text = record_text(session, older).replace('"rules_version":1,', '"rules_version":0,')
        change = sa.update(Record)
        session.execute(change.where(Record.match == older).values(body=packed(text)))
        session.execute(change.where(Record.match == damaged).values(body=b"rubbish"))
    store.close()
    with pages_here(data) as origin:
        yield origin


@pytest.mark.parametrize(
    ("place", "status", "sentence"),
    [
        (0, 410, "has been pruned"),
        (1, 409, "version 0 of the rules"),
        (2, 409, "is damaged"),
    ],
)
@pytest.mark.parametrize("kind", ["", "/replay.json"])
def test_a_record_that_cannot_be_replayed_is_said_to_be_so(
    broken: str, matches: list[str], kind: str, place: int, status: int, sentence: str
) -> None:
    code, _, page = asked(f"{broken}/matches/{matches[place]}{kind}")
    assert code == status
    assert sentence in page.decode()
    if not kind:
        assert "<td>random</td>" in page.decode()
