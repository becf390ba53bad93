"""The pictures of tables and lists, and the previews that links to pages have on other sites."""

from __future__ import annotations

import re
import struct
from html import unescape
from pathlib import Path
from urllib.request import urlopen
from xml.etree import ElementTree

import pytest

from arena.errors import ArenaError
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.views.matches.match import matches_of_jobs
from arena.views.matches.match_list import find_matches
from arena.web.pictures import (
    Line,
    list_preview,
    played_scene,
    png,
    png_of,
    table_piece,
    table_preview,
    table_svg,
)
from sevens_games import load, slugs
from tests.support.event_streams import pages_here
from tests.support.fetched import fetched
from tests.support.served_pages import served_pages
from tests.support.unplayed_jobs import comparison_halves, record

LARGEST = 200_000  # bytes of a table as SVG
STRANGE = '</text><script>alert("7")</script>&‮'


def size_of(picture: bytes) -> tuple[int, int]:
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height


def picture_of(page: str) -> str:
    """Returns the address of a page's preview."""
    [address] = re.findall(r'<meta property="og:image" content="([^"]+)">', page)
    return unescape(address)


@pytest.mark.parametrize("slug", slugs())
def test_every_game_has_a_table_in_play(slug: str) -> None:
    scene = played_scene(load(slug))
    drawing = table_svg(table_piece(scene))
    assert len(drawing) < LARGEST
    texts = [one.text for one in ElementTree.fromstring(drawing).iter() if one.text]
    for name in scene.wording.names:
        assert name in texts
    drawn = re.findall(r'font-weight="700" font-size="(?:23|17)"[^>]*>([^<]+)<', drawing)
    tricks = [zone for zone in scene.observation.zones if zone.name in load(slug).layout.tricks]
    for card in (card for zone in tricks for card in zone.cards):
        assert card[0].replace("T", "10") in drawn


def test_a_strangers_text_is_a_text_in_a_picture() -> None:
    lines = [Line("1.", STRANGE, STRANGE)]
    table = table_piece(played_scene(load("xeri")))
    for drawing in (list_preview(lines, STRANGE, STRANGE), table_preview(table, STRANGE, STRANGE)):
        tags = {one.tag.rpartition("}")[2] for one in ElementTree.fromstring(drawing).iter()}
        assert tags <= {"svg", "g", "rect", "path", "text"}
        assert size_of(png_of(drawing)) == (1200, 630)


def test_only_so_many_pictures_are_waited_for() -> None:
    drawing = list_preview([], "One that was never drawn before", "")
    places = 0
    while png.WAITING.acquire(blocking=False):
        places += 1
    try:
        with pytest.raises(ArenaError, match="Many pictures are being drawn"):
            png_of(drawing)
    finally:
        png.WAITING.release(places)
    assert size_of(png_of(drawing)) == (1200, 630)


def test_shared_pages_have_a_title_a_sentence_and_a_picture(busy: Path, busy_site: str) -> None:
    with open_store(busy, "read").reading() as session:
        match = find_matches(session, limit=100).matches[-1].match
    for page in (
        "/",
        "/games/xeri",
        f"/matches/{match}",
        f"/matches/{match}?at=7",
        "/ladders/main",
        "/tournaments/robin",
        "/bots/%3Cscript%3E",
    ):
        shown = fetched(busy_site + page).html
        for name in ("og:title", "og:description", "og:url"):
            assert re.search(rf'<meta property="{name}" content="[^"]+">', shown), page
        address = picture_of(shown)
        assert address.startswith(f"{busy_site}/pictures/")
        assert address.endswith(".png?at=7" if "at=7" in page else ".png")
        with urlopen(address) as answer:
            assert answer.headers["Content-Type"] == "image/png"
            assert size_of(answer.read()) == (1200, 630)


def test_the_canonical_address_of_a_moment_is_its_match(busy: Path, busy_site: str) -> None:
    with open_store(busy, "read").reading() as session:
        match = find_matches(session, limit=100).matches[-1].match
    shown = fetched(f"{busy_site}/matches/{match}?at=7").html
    assert f'<link rel="canonical" href="{busy_site}/matches/{match}">' in shown
    assert f'<meta property="og:url" content="{busy_site}/matches/{match}?at=7">' in shown


def test_pictures_are_refused_in_one_sentence(busy: Path, busy_site: str) -> None:
    with open_store(busy, "read").reading() as session:
        match = find_matches(session, limit=100).matches[-1].match
    for path, sentence in (
        ("games/xerii.png", "Did you mean xeri?"),
        ("games/xeri.gif", "Pictures are svg and png, and not 'gif'."),
        (f"matches/{match}.svg?seat=9", "there is no seat 9"),
        ("ladders/mian.png", "Did you mean main?"),
    ):
        page = fetched(f"{busy_site}/pictures/{path}")
        assert page.status == 404
        assert sentence in page.words


def test_a_picture_that_a_visitor_has_is_not_sent_again(busy_site: str) -> None:
    address = f"{busy_site}/pictures/games/xeri.svg"
    assert fetched(address, If_None_Match=fetched(address).headers["ETag"]).status == 304


def test_previews_are_found_below_a_path(busy: Path) -> None:
    with served_pages(busy, "--origin", "https://arena.example/cards") as origin:
        shown = fetched(f"{origin}/").html
        assert picture_of(shown) == "https://arena.example/cards/pictures/arena.png"
        assert '<link rel="canonical" href="https://arena.example/cards/">' in shown
        assert 'src="/cards/pictures/' in shown


def test_a_deal_that_is_still_to_be_played_has_no_picture_and_no_analysis(tmp_path: Path) -> None:
    DataFolder(tmp_path / "data").make()
    store = open_store(tmp_path / "data", "write")
    first, _ = comparison_halves(store)
    record(store, first)
    with store.reading() as session:
        [match, *_] = matches_of_jobs(session, [first.job_id])[first.job_id]
    with pages_here(tmp_path / "data") as origin:
        for address in (
            f"/pictures/matches/{match.match}.svg",
            f"/pictures/matches/{match.match}.png",
            f"/matches/{match.match}?part=analysis",
            f"/matches/{match.match}/analysis.json",
        ):
            page = fetched(origin + address)
            assert (page.status, "are still to be played" in page.words) == (403, True)
        for path in ("/", "/games/xeri"):
            assert f"/pictures/matches/{match.match}" not in fetched(origin + path).html
    store.close()
