"""The offline file as the pages offer it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser

from arena.store.open import open_store
from arena.store.schema import Record
from arena.store.texts import packed, record_text
from arena.views.matches.match_list import find_matches
from tests.support.chromium import visiting
from tests.support.event_streams import pages_here


@pytest.fixture(scope="module")
def matches(shown: Path) -> list[str]:
    """The ids of the matches in the store, the latest first."""
    with open_store(shown, "read").reading() as session:
        return [row.match for row in find_matches(session, limit=12).matches]


@pytest.fixture(scope="module")
def spoilt(
    shown: Path, matches: list[str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Pages of a store whose latest match is of older rules, the next is damaged, the third
    pruned."""
    data = tmp_path_factory.mktemp("spoilt") / "data"
    shutil.copytree(shown, data)
    older, damaged, pruned = matches[:3]
    store = open_store(data, "write")
    with store.writing() as session:
        text = record_text(session, older).replace('"rules_version":1', '"rules_version":7')
        for match, body in ((older, packed(text)), (damaged, b"damaged")):
            session.execute(sa.update(Record).where(Record.match == match).values(body=body))
        session.execute(sa.delete(Record).where(Record.match == pruned))
    store.close()
    with pages_here(data) as origin:
        yield origin


def refusal(address: str, **headers: str) -> tuple[int, str]:
    """Returns the status and the text of an answer that is none of the file's."""
    with pytest.raises(HTTPError) as told:
        urlopen(Request(address, headers=headers))
    with told.value as answer:
        return answer.code, answer.read().decode()


@pytest.mark.needs("chromium")
def test_a_downloaded_match_replays_and_verifies_itself(
    site: str, matches: list[str], browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "match.html"
    with urlopen(f"{site}/matches/{matches[0]}/offline.html") as answer:
        assert re.fullmatch(
            r'attachment; filename="[\w-]+\.html"', answer.headers["Content-Disposition"]
        )
        file.write_bytes(answer.read())
    with visiting(browser, f"file://{file}", offline=True) as visit:
        page = visit.open("")
        assert page.title().startswith("Xeri: ")
        page.get_by_role("button", name="Verify here").click()
        page.get_by_text("All that can be checked here is true.").wait_for()
        page.locator("#replay .stage-holder").wait_for()


def test_whoever_has_it_is_told_so(site: str, matches: list[str]) -> None:
    address = f"{site}/matches/{matches[0]}/offline.html"
    with urlopen(address) as answer:
        tag = answer.headers["ETag"]
    assert refusal(address, **{"If-None-Match": tag}) == (304, "")


@pytest.mark.parametrize(
    ("place", "status", "words"),
    [
        (0, 409, "The match was played by version 7 of the rules of Xeri"),
        (1, 409, "is damaged"),
        (2, 410, "has been pruned"),
    ],
)
def test_what_cannot_be_replayed_says_why(
    spoilt: str, matches: list[str], place: int, status: int, words: str
) -> None:
    told = refusal(f"{spoilt}/matches/{matches[place]}/offline.html")
    assert told[0] == status
    assert words in told[1]


def test_there_is_none_of_an_unknown_match(site: str) -> None:
    assert refusal(f"{site}/matches/nothing/offline.html")[0] == 404
