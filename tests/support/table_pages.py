"""A person without scripts in their browser: forms, cookies, and what the pages say."""

from __future__ import annotations

import html
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from http.cookiejar import CookieJar
from random import Random
from urllib.parse import urlencode

from tests.support.patience import PATIENCE_S

CHOICE = re.compile(r'name="action" value="(\d+)" data-action="([^"]*)"')

Choose = Callable[[Sequence[str]], int]
"""Returns the index of one of the actions."""


class Page:
    """An answer of the site. `address`: where it stands after redirects."""

    def __init__(self, status: int, address: str, text: str) -> None:
        self.status = status
        self.address = address
        self.text = text

    @property
    def words(self) -> str:
        """What the page's main part says."""
        main = self.text.partition("<main")[2].partition("</main>")[0]
        return html.unescape(re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", main)))

    @property
    def number(self) -> str:
        """The number of the decision that is owed; empty if none is."""
        found = re.search(r'name="number" value="(\d+)"', self.text)
        return found[1] if found else ""

    @property
    def actions(self) -> list[str]:
        """The legal actions, by their index."""
        return [html.unescape(action) for _, action in CHOICE.findall(self.text)]

    @property
    def is_final(self) -> bool:
        """Whether it says how the match ended."""
        return 'class="result"' in self.text


class Guest:
    """Somebody who visits the site at an origin, such as http://127.0.0.1:40123."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str, **headers: str) -> Page:
        return self._opened(urllib.request.Request(self._address(path), headers=headers))

    def post(self, path: str, fields: Mapping[str, object] = {}, **headers: str) -> Page:
        own = {"Origin": self.origin, **headers}
        body = urlencode(fields).encode()
        return self._opened(urllib.request.Request(self._address(path), body, own))

    def sits_down(self, **fields: object) -> Page:
        """Takes a seat; returns the page of the table."""
        page = self.post("/play", fields)
        assert page.status == 200, page.words
        assert "/tables/" in page.address
        return page

    def plays(self, page: Page, choose: Choose) -> Page:
        """Plays a match to its end; returns the last page."""
        table, until = page.address, time.monotonic() + PATIENCE_S
        while not page.is_final:
            assert time.monotonic() < until, page.words
            if page.number:
                answer = {"number": page.number, "action": choose(page.actions)}
                page = self.post(f"{table}/answer", answer)
            else:
                page = self.get(table)
        return page

    def events(self, table: str, most: int, last: str = "") -> list[tuple[str, str]]:
        """Returns the first events of a table's stream, each its id and its data."""
        headers = {"Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})}
        request = urllib.request.Request(self._address(f"{table}/events"), headers=headers)
        found = []
        with self._opener.open(request, timeout=PATIENCE_S) as stream:
            identity = ""
            for line in stream:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "id":
                    identity = value
                elif name == "data":
                    found.append((identity, value))
                    if len(found) == most:
                        break
        return found

    def _address(self, path: str) -> str:
        return path if path.startswith("http") else self.origin + path

    def _opened(self, request: urllib.request.Request) -> Page:
        try:
            with self._opener.open(request, timeout=PATIENCE_S) as answer:
                return Page(answer.status, answer.url, answer.read().decode())
        except urllib.error.HTTPError as refused:
            with refused:
                return Page(refused.code, refused.url, refused.read().decode())


def at_random(seed: int) -> Choose:
    rng = Random(seed)
    return lambda actions: rng.randrange(len(actions))
