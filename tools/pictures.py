"""Takes the README's pictures of the pages, light and dark: `python -m tools.pictures`.

Plays a ladder with the sample bots, serves it, and visits it with Chromium; a guest sits down for
the picture of a table.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page

from arena.store.open import open_store
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_list import find_matches
from tests.support.chromium import chromium, visiting

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"
SIZE = {"width": 1280, "height": 860}
MATCHES = 300
BOT = "xeri-fisher"
STEPS = 15
SETTLED_MS = 800


def main() -> int:
    """Writes the pictures; returns the exit code."""
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        _arena("demo", "--game", "xeri", "--matches", str(MATCHES), "--data", str(data))
        shown = _shown(data)  # before the arena plays on
        with _served(data) as origin, chromium() as browser:
            for scheme in ("light", "dark"):
                for name, (address, act) in shown.items():
                    path = PICTURES / f"{name}-{scheme}.png"
                    _take(browser, origin, address, act, scheme, path)
                    print(path.relative_to(ROOT), f"{path.stat().st_size / 1000:.0f} kB")
    return 0


def _shown(data: Path) -> dict[str, tuple[str, Callable[[Page], None]]]:
    """Returns, by the picture's name, a page's address and what to do there before the picture
    is taken."""
    store = open_store(data, "read")
    with store.reading() as session:
        [match] = find_matches(session, MatchFilter(bot=BOT), limit=1).matches
    store.close()
    seat = next(one.seat for one in match.seats if one.bot == BOT)
    return {
        "ladder": ("/ladders/demo-xeri", _look),
        "bot": (f"/bots/{BOT}", _look),
        "match": (f"/matches/{match.match}?seat={seat}", _step),
        "table": ("/play?game=xeri", _sit_down),
    }


def _look(page: Page) -> None:
    """Does nothing."""


def _step(page: Page) -> None:
    for _ in range(STEPS):
        page.keyboard.press("ArrowRight")


def _sit_down(page: Page) -> None:
    page.get_by_role("button", name="Sit down").click()
    page.get_by_text("It is your turn.").wait_for()


def _take(
    browser: Browser,
    origin: str,
    address: str,
    act: Callable[[Page], None],
    scheme: str,
    path: Path,
) -> None:
    with visiting(browser, origin, viewport=SIZE, color_scheme=scheme) as visit:
        page = visit.open(address)
        act(page)
        page.wait_for_timeout(SETTLED_MS)
        page.screenshot(path=path)


@contextmanager
def _served(data: Path) -> Iterator[str]:
    """Runs the arena, and yields the origin of its pages."""
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "arena.cli", "serve", "--guests", "--data", str(data)),
            *("--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--workers", "1"),
        ],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        said = iter(process.stderr.readline, "")
        yield next(found[1] for line in said if (found := re.search(r"Pages at (\S+)/$", line)))
    finally:
        process.terminate()
        process.communicate()


def _arena(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "arena.cli", *words], check=True)


if __name__ == "__main__":
    sys.exit(main())
