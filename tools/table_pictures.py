"""Takes pictures of every game's table: `python -m tools.table_pictures FOLDER`.

Plays a match of each game, and visits its middle with Chromium as the seat that acts there, on a
laptop and a phone. FOLDER then has the pictures, and index.html with all of them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser

from arena.records import read
from arena.store.open import open_store
from arena.store.texts import record_text
from arena.views.matches.match_list import find_matches
from sevens_games import load, slugs
from tests.support.chromium import chromium, visiting
from tests.support.drawn_replay import on_screen
from tests.support.played_ladder import play_ladder
from tests.support.served_pages import served_pages

SAMPLES = Path(__file__).parent.parent / "sample_bots"
DEALS = 2
SCREENS = {"laptop": (1366, 768), "phone": (360, 740)}
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>The table of every game</title>
<style>
  body {{ font-family: system-ui, sans-serif; }}
  section {{ display: flex; gap: 1rem; align-items: flex-start; overflow-x: auto; }}
  img {{ border: 1px solid; }}
</style>
<h1>The table of every game</h1>
{}</html>
"""


def main(folder: Path) -> int:
    """Writes the pictures and their page; returns the exit code."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary:
        data = Path(temporary) / "data"
        for slug in slugs():
            play_ladder(SAMPLES, data, 1, name=slug, game=slug, deals=DEALS)
        with served_pages(data) as origin, chromium() as browser:
            for slug, address in _middles(data):
                _take(browser, origin, address, folder / slug)
    index = folder / "index.html"
    index.write_text(PAGE.format("".join(map(_section, slugs()))))
    print(index)
    return 0


def _middles(data: Path) -> Iterator[tuple[str, str]]:
    """Yields each game with the address of its match's middle, as its acting seat sees it."""
    with closing(open_store(data, "read")) as store, store.reading() as session:
        for match in find_matches(session, limit=len(slugs())).matches:
            choices = read(record_text(session, match.match)).choices
            middle = len(choices) // 2
            yield match.game, f"/matches/{match.match}?seat={choices[middle].seat}&at={middle}"


def _take(browser: Browser, origin: str, address: str, path: Path) -> None:
    """Saves a picture for each screen, its file named by it."""
    with visiting(browser, origin, reduced_motion="reduce") as visit:
        page = visit.open(address)
        page.locator(".felt").wait_for()
        for screen, (width, height) in SCREENS.items():
            on_screen(page, width, height)
            page.screenshot(path=path.with_name(f"{path.name}-{screen}.png"))


def _section(slug: str) -> str:
    pictures = "".join(
        f'<img src="{slug}-{screen}.png" width="{width}" height="{height}" alt="on a {screen}">'
        for screen, (width, height) in SCREENS.items()
    )
    return f"<h2>{load(slug).title}</h2>\n<section>{pictures}</section>\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Name the folder for the pictures: python -m tools.table_pictures FOLDER")
    sys.exit(main(Path(sys.argv[1])))
