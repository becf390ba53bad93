"""What programs read of the pages: feeds, the map, icons and the manifest."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urljoin
from urllib.request import urlopen
from xml.etree import ElementTree

import pytest

from arena.store.open import open_store
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import find_matches
from tests.support.fetched import fetched
from tests.support.served_pages import served_pages

ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
ALTERNATE = re.compile(r'<link rel="alternate" type="application/atom\+xml"[^>]* href="([^"]+)"')


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("?ladder=main", MatchFilter(competition="main")),
        ("?bot=cy", MatchFilter(bot="cy")),
        ("?bot=%3Cscript%3E&fault=any", MatchFilter(bot="<script>", faulted=True)),
    ],
)
def test_every_list_of_matches_is_a_feed(
    busy: Path, busy_site: str, query: str, wanted: MatchFilter
) -> None:
    with open_store(busy, "read").reading() as session:
        matches = find_matches(session, wanted, limit=50).matches
    feed = fetched(f"{busy_site}/matches.atom{query}")
    assert feed.headers["Content-Type"].startswith("application/atom+xml")
    entries = ElementTree.fromstring(feed.html).findall(f"{ATOM}entry")
    addresses = [one.findtext(f"{ATOM}id") for one in entries]
    assert addresses == [f"{busy_site}/matches/{match.match}" for match in matches]
    for entry, match in zip(entries, matches, strict=True):
        title = entry.findtext(f"{ATOM}title") or ""
        assert all(seat.bot in title for seat in match.seats)
        has_fault = any(seat.faults for seat in match.seats)
        category = entry.find(f"{ATOM}category")
        assert category is not None
        assert category.attrib["term"] == ("fault" if has_fault else "result")


def test_the_pages_of_ladders_and_bots_lead_to_their_feeds(busy_site: str) -> None:
    for page, count in (("/", 1), ("/ladders/main", 2), ("/bots/cy", 3)):
        feeds = ALTERNATE.findall(fetched(busy_site + page).html)
        assert len(feeds) == count
        for feed in feeds:
            answer = fetched(busy_site + feed.replace("&amp;", "&"))
            assert (answer.status, answer.html.startswith("<?xml")) == (200, True)


def test_an_unknown_list_is_no_feed(busy_site: str) -> None:
    assert "Did you mean cy?" in fetched(f"{busy_site}/matches.atom?bot=cyy").words


def test_the_map_has_pages_that_exist_and_none_that_is_closed(busy_site: str) -> None:
    robots = fetched(f"{busy_site}/robots.txt").html.splitlines()
    closed = [line.removeprefix("Disallow: ") for line in robots if line.startswith("Disallow")]
    [address] = [line.removeprefix("Sitemap: ") for line in robots if line.startswith("Sitemap")]
    found = ElementTree.fromstring(fetched(address).html).iter(f"{MAP}loc")
    paths = [(one.text or "").removeprefix(busy_site) for one in found]
    assert {"/", "/games/xeri", "/ladders/main", "/tournaments/robin", "/bots/cy"} <= {*paths}
    assert not [path for path in paths for place in closed if path.startswith(place)]
    for path in paths:
        if not path.startswith("/games/") or "xeri" in path:
            assert fetched(busy_site + path).status == 200, path


def test_icons_and_the_manifest_are_found_below_a_path(busy: Path) -> None:
    with served_pages(busy, "--origin", "https://arena.example/cards") as origin:
        page = fetched(f"{origin}/").html
        [manifest] = re.findall(r'<link rel="manifest" href="([^"]+)"', page)
        with urlopen(origin + manifest) as answer:
            told = json.load(answer)
        assert urljoin(f"https://arena.example{manifest}", told["start_url"]) == (
            "https://arena.example/cards/"
        )
        icons = re.findall(r'<link rel="(?:apple-touch-)?icon" href="([^"]+)"', page)
        for icon in [*icons, *(urljoin(manifest, one["src"]) for one in told["icons"])]:
            with urlopen(origin + icon) as answer:
                assert answer.headers["Content-Type"].startswith("image/")
        robots = fetched(f"{origin}/robots.txt").html
        assert "Disallow: /cards/own\n" in robots
        assert "Sitemap: https://arena.example/cards/sitemap.xml\n" in robots
        with urlopen(f"{origin}/favicon.ico") as answer:
            assert answer.headers["Content-Type"] == "image/png"
