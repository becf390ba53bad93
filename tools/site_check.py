"""Checks that a built site loads nothing from other hosts: `python -m tools.site_check FOLDER`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

# Attributes from which a browser loads something by itself, unlike a link that a reader follows.
LOADED = {"src", "srcset", "data", "poster", "xlink:href"}
ELSEWHERE = re.compile(r"\s*(https?:)?//")
IN_STYLES = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")


class Page(HTMLParser):
    """Collects the addresses that a page loads from other hosts."""

    def __init__(self) -> None:
        super().__init__()
        self.elsewhere: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        canonical = dict(attrs).get("rel") == "canonical"
        names = LOADED | ({"href"} if tag == "link" and not canonical else set())
        values = [value or "" for name, value in attrs if name in names]
        self.elsewhere += [value for value in values if ELSEWHERE.match(value)]


def loaded_from_elsewhere(site: Path) -> Iterator[str]:
    """Yields a sentence for each address of another host that a page or a style sheet loads."""
    for path in sorted(site.rglob("*")):
        if path.suffix == ".html":
            page = Page()
            page.feed(path.read_text())
            found = page.elsewhere + IN_STYLES.findall(path.read_text())
        elif path.suffix == ".css":
            found = IN_STYLES.findall(path.read_text())
        else:
            continue
        yield from (f"{path.relative_to(site)} loads {address}." for address in found)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    if not (folder / "index.html").exists():
        sys.exit(f"There is no site in {folder}. Run `make docs`.")
    problems = list(loaded_from_elsewhere(folder))
    print("\n".join(problems) or f"The site is in {folder}, and loads nothing from other hosts.")
    sys.exit(bool(problems))
