from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest

from arena.store.open import open_store
from arena.views.matches.match_list import find_matches
from tests.support.fetched import Fetched, fetched


def findings(page: Fetched) -> list[str]:
    """The addresses that were found, in their order."""
    return re.findall(r'<li><span class="kind">.*?href="([^"]*)"', page.html)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("ann", "/bots/ann"),
        ("ANN", "/bots/ann"),
        ("Cy", "/bots/cy"),
        ("main", "/ladders/main"),
        ("robin", "/tournaments/robin"),
        ("duel", "/comparisons/duel"),
        ("xeri", "/games/xeri"),
        ("seven rum", "/games/seven-rummy"),
        ("<scr", "/bots/%3Cscript%3E"),
        ("</b>", "/owners/%3C%2Fb%3EEve"),
    ],
)
def test_everything_with_a_page_is_found_by_its_name(busy_site: str, text: str, first: str) -> None:
    assert findings(fetched(f"{busy_site}/search?q={quote(text)}"))[0] == first


def test_a_match_is_found_by_its_id_and_by_its_beginning(busy: Path, busy_site: str) -> None:
    store = open_store(busy, "read")
    with store.reading() as session:
        match = find_matches(session, limit=1).matches[0].match
    store.close()
    for text in (match, match[:8]):
        assert findings(fetched(f"{busy_site}/search?q={text}")) == [f"/matches/{match}"]


def test_what_is_called_exactly_so_comes_first(busy_site: str) -> None:
    found = findings(fetched(f"{busy_site}/search?q=run"))
    assert found == ["/comparisons/running"]
    assert findings(fetched(f"{busy_site}/search?q=bob"))[0] == "/bots/bob"


def test_nothing_found_gets_a_question_and_nothing_asked_an_explanation(busy_site: str) -> None:
    missed = fetched(f"{busy_site}/search?q=robbin")
    assert "Did you mean robin ?" in missed.words
    assert "Write part of the name" in fetched(f"{busy_site}/search").words
    assert "Write part of the name" in fetched(f"{busy_site}/search?q=%20").words


@pytest.mark.parametrize("text", ["%", "_", "\x00", "\u202e", "a" * 5000, "'; DROP TABLE bots"])
def test_odd_texts_find_nothing_and_do_no_harm(busy_site: str, text: str) -> None:
    page = fetched(f"{busy_site}/search?q={quote(text)}")
    assert page.status == 200
    assert findings(page) == []


def test_the_field_stands_on_every_page_and_works_without_scripts(busy_site: str) -> None:
    page = fetched(f"{busy_site}/games")
    assert '<form class="search" action="/search"' in page.html
