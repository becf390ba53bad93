"""What pages say: their tables, links and sentences."""

from __future__ import annotations

import re
from html.parser import HTMLParser


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self.links: list[str] = []
        self._cell: list[str] | None = None
        self._hidden = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self._cell = []
        elif tag == "svg":
            self._hidden += 1
        elif tag == "a":
            self.links.append(dict(attributes).get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._cell is not None:
            self.tables[-1][-1].append(re.sub(r"\s+", " ", "".join(self._cell)).strip())
            self._cell = None
        elif tag == "svg":
            self._hidden -= 1

    def handle_data(self, data: str) -> None:
        if self._cell is not None and not self._hidden:
            self._cell.append(data)


def _parsed(text: str) -> _Tables:
    parser = _Tables()
    parser.feed(text)
    return parser


def tables_of(text: str) -> list[list[list[str]]]:
    """Returns the tables of a page: the texts of their cells by row, without drawings."""
    return _parsed(text).tables


def table_with(text: str, *headings: str) -> list[dict[str, str]]:
    """Returns the rows of the only table that has these headings, by heading."""
    [found] = [table for table in tables_of(text) if set(headings) <= set(table[0])]
    return [dict(zip(found[0], row, strict=True)) for row in found[1:]]


def links_of(text: str) -> list[str]:
    """Returns the addresses of all links, in the order of the page."""
    return _parsed(text).links


def said(pattern: str, text: str) -> tuple[str, ...]:
    """Returns the groups of a pattern where it first occurs in the page."""
    found = re.search(pattern, text)
    assert found is not None, f"{pattern} is not in the page"
    return found.groups()
