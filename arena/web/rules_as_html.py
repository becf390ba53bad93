"""The rules of the games as HTML, from the pages that ship with the arena."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from arena.repository import repository

COMMENT = re.compile(r"^<!--.*-->\n", re.MULTILINE)
"""Marks of what is generated; HTML in these pages would be shown as text."""
CLASSES = {"text-align:right": "number", "text-align:center": "number"}
"""In place of style attributes, which the pages' policy forbids."""


@cache
def rules_of(slug: str) -> Markup | None:
    """Returns the rules of a game; None if none are installed. Its headings have ids by their
    words, as the links within the page expect."""
    page = repository() / "docs" / "games" / f"{slug}.md"
    if not page.is_file():
        return None
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(COMMENT.sub("", page.read_text(encoding="utf-8")))
    for place, token in enumerate(tokens):
        _adapt(token, tokens[place + 1 : place + 2])
    return Markup(markdown.renderer.render(_scrolling(tokens), markdown.options, {}))


def _adapt(token: Token, following: Sequence[Token]) -> None:
    """Gives headings their ids, and cells classes in place of styles."""
    if token.type == "heading_open":
        words = re.findall(r"\w+", following[0].content.lower())
        token.attrSet("id", "-".join(words))
    elif "style" in token.attrs:
        style = str(token.attrs.pop("style"))
        if style in CLASSES:
            token.attrSet("class", CLASSES[style])


def _scrolling(tokens: Sequence[Token]) -> list[Token]:
    """Returns the same with each table in a region that scrolls by itself."""
    shown: list[Token] = []
    tables = 0
    for token in tokens:
        if token.type == "table_open":
            tables += 1
            region = {"class": "scroll", "tabindex": "0", "role": "region"}
            attributes = region | {"aria-label": f"Table {tables}"}
            shown.append(Token("region_open", "div", 1, attrs=dict(attributes), block=True))
        shown.append(token)
        if token.type == "table_close":
            shown.append(Token("region_close", "div", -1, block=True))
    return shown
