"""Pages below a path of their host, as behind a proxy that others share."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from html import unescape
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Browser

from tests.support.chromium import visiting
from tests.support.command_line import ran
from tests.support.served_pages import served_pages

PATH = "/arena"
ADDRESS = re.compile(r'\s(href|src|action|formaction|data-[a-z-]+)="([^"]*)"')
ENOUGH = 60
DRAWN = ("/", "/ladders/main", "/tv", "/live", "/play?game=xeri", "/games/xeri/rules")


@pytest.fixture(scope="module")
def host(busy: Path) -> Iterator[str]:
    """The scheme, host and port of pages that are below a path."""
    with served_pages(busy, "--guests", "--origin", f"https://arena.example{PATH}/") as origin:
        yield origin


@dataclass(frozen=True)
class Asked:
    status: int
    headers: HTTPMessage
    body: str


def asked(host: str, address: str, form: str | None = None, **headers: str) -> Asked:
    """Asks for an address, or sends a form there, and follows no redirection."""
    sent = headers | ({} if form is None else {"Content-Type": "application/x-www-form-urlencoded"})
    with closing(HTTPConnection(urlsplit(host).netloc)) as connection:
        connection.request("GET" if form is None else "POST", address, form, sent)
        answer = connection.getresponse()
        return Asked(answer.status, answer.headers, answer.read().decode(errors="replace"))


def addresses_in(page: str) -> Iterator[str]:
    """Yields the addresses of this site that a page has."""
    for attribute, value in ADDRESS.findall(page):
        if value.startswith("/"):
            assert value.startswith(f"{PATH}/"), (attribute, value)
            if attribute not in ("action", "formaction") and not value.endswith("/events"):
                yield unescape(value).partition("#")[0]


def test_all_that_pages_lead_to_is_below_the_path(host: str) -> None:
    waiting, seen = [f"{PATH}/"], set[str]()
    kinds = set[str]()
    while waiting and len(seen) < ENOUGH:
        address = waiting.pop(0)
        answer = asked(host, address)
        # 403: a match of a duplicate group that is not over, say
        assert answer.status in (200, 303, 403) or "/login" in address, address
        kind = answer.headers.get_content_type()
        kinds.add(kind)
        seen.add(address)
        if kind == "text/html":
            waiting = list(dict.fromkeys((*waiting, *addresses_in(answer.body))))
            waiting = [one for one in waiting if one not in seen]
    assert len(seen) == ENOUGH
    assert kinds >= {"text/html", "text/css", "text/javascript"}


def test_redirections_cookies_and_challenges_are_below_the_path(host: str) -> None:
    assert asked(host, PATH).headers["location"] == f"{PATH}/"
    sent = asked(host, f"{PATH}/own").headers["location"]
    assert sent.startswith(f"{PATH}/login?back=%2Fown")
    form = "theme=dark&back=/ladders"
    answer = asked(host, f"{PATH}/theme", form, Origin="https://arena.example")
    assert answer.headers["location"] == f"{PATH}/ladders"
    assert f"Path={PATH}/;" in answer.headers["set-cookie"]
    assert asked(host, f"{PATH}/theme", form, Origin="https://elsewhere.example").status == 403


def test_programs_find_the_api_below_the_path_and_at_the_root(host: str) -> None:
    described = json.loads(asked(host, f"{PATH}/api/openapi.json").body)
    assert described["servers"] == [{"url": f"{PATH}/api"}]
    assert asked(host, "/healthz").status == 200  # as a probe asks, without the proxy
    shown = ran("ladder", "show", "main", "--json", server=f"{host}{PATH}")
    assert shown.code == 0, shown.err
    assert ran("ladder", "show", "main", server=f"{host}{PATH}/nowhere").code != 0


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_scripts_ask_below_the_path(host: str, browser: Browser) -> None:
    with visiting(browser, host) as visit:
        page = visit.open(f"{PATH}/")
        wrong: list[str] = []
        page.on(
            "response",
            lambda answer: (
                wrong.append(answer.url)
                if answer.status >= 400 or not urlsplit(answer.url).path.startswith(f"{PATH}/")
                else None
            ),
        )
        for address in DRAWN:
            page.goto(urljoin(host, f"{PATH}{address}"), wait_until="load")
        page.goto(f"{host}{PATH}/tv")
        page.locator("#tv-page").filter(has_text="Xeri").wait_for()
        link = page.locator("#tv-page").get_attribute("href") or ""
        page.goto(urljoin(host, link))
        page.locator(".controls .play").wait_for()
        assert wrong == []
