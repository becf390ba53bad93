"""The cost of answers: server time, bytes, and the memory that many of them leave behind."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import count
from statistics import median, quantiles
from time import perf_counter

from rich.table import Table

from arena.views.matches.match_list import find_matches
from bench.filled_store import SINGLE
from bench.league import League
from bench.pages.served import Answer, Pages, Visitor
from bench.side_by_side import verdict

WARM_UP, REQUESTS, ANEW = 10, 200, 50
AT_MOST_MS, AT_MOST_KB = 50.0, 100.0
STEADY_REQUESTS, STEADY_EVERY = 10_000, 2_000
ASSETS = re.compile(r'(?:src|href)="(/static/[^"]+\.(?:js|css|svg))"')
IMPORTS = re.compile(r'(?:from|import)\s*"(\.[^"]+)"')
BOT, OWNER = "bot-0007", "owner-0007"


def page_tables(pages: Pages, league: League) -> tuple[Table, Table]:
    """Returns the time and the size of a page of every kind. A cold answer is built without any
    cache; a warm one has mostly been built a moment before."""
    times = Table(title=f"Pages: ms, median and 95th percentile of {REQUESTS} requests each")
    times.add_column("page", no_wrap=True)
    for column in ("cold", "warm", f"≤ {AT_MOST_MS:g}"):
        times.add_column(column, justify="right")
    sizes = Table(title="Pages: kB")
    sizes.add_column("page", no_wrap=True)
    for column in ("alone", "with assets", f"≤ {AT_MOST_KB:g}"):
        sizes.add_column(column, justify="right")
    visitor, hosts = Visitor(pages), count()
    for address in _addresses(league):
        first = visitor.get(address)
        # A host of its own for each request, so that no answer is that of another.
        cold = _times_ms(visitor, address, [{"Host": f"h{next(hosts)}"} for _ in range(ANEW)])
        for _ in range(WARM_UP):
            visitor.get(address)
        warm = _times_ms(visitor, address, [{}] * REQUESTS)
        slow = max(_p95(cold), _p95(warm)) > AT_MOST_MS
        times.add_row(address, _median_p95(cold), _median_p95(warm), verdict(not slow))
        alone_kb = first.sent / 1000
        whole_kb = alone_kb + _assets_bytes(visitor, first) / 1000
        large = whole_kb > AT_MOST_KB
        sizes.add_row(address, f"{alone_kb:.1f}", f"{whole_kb:.1f}", verdict(not large))
    return times, sizes


def record_table(pages: Pages, league: League) -> Table:
    """Returns how fast a match's record comes, and the document by which it is drawn."""
    table = Table(title="A match's record: ms, median and 95th percentile")
    table.add_column("")
    for column in ("cold", "warm", "unchanged"):
        table.add_column(column, justify="right")
    visitor, hosts, match = Visitor(pages), count(), whole_match(league)
    for name in ("record.json", "replay.json", "replay.json?seat=1"):
        address = f"/matches/{match}/{name}"
        unchanged = {"If-None-Match": visitor.get(address).tag}
        asked: tuple[Sequence[Mapping[str, str]], ...] = (
            [{"Host": f"r{next(hosts)}"} for _ in range(REQUESTS)],
            [{}] * REQUESTS,
            [unchanged] * REQUESTS,
        )
        times = [_times_ms(visitor, address, headers) for headers in asked]
        table.add_row(name, *map(_median_p95, times))
    return table


def memory_table(pages: Pages, league: League) -> Table:
    """Returns the memory of the pages' process over many requests, all pages in turn, each twice
    for a host of its own, so that answers are made, kept and forgotten."""
    table = Table(title="Memory of the pages' process")
    table.add_column("requests", justify="right")
    table.add_column("MB", justify="right")
    visitor, addresses = Visitor(pages), _addresses(league)
    for number in range(STEADY_REQUESTS + 1):
        if number % STEADY_EVERY == 0:
            table.add_row(f"{number:,}", f"{pages.process.memory_info().rss / 1e6:.0f}")
        visitor.get(addresses[number % len(addresses)], Host=f"m{number // 2 // len(addresses)}")
    return table


def whole_match(league: League) -> str:
    """Returns the id of the latest match, whose record is whole."""
    with league.store.reading() as session:
        return find_matches(session, limit=1).matches[0].match


def _addresses(league: League) -> list[str]:
    """Returns the addresses of a page of every kind."""
    match = whole_match(league)
    return [
        "/",
        "/ladders",
        f"/ladders/{SINGLE}",
        f"/bots/{BOT}",
        f"/owners/{OWNER}",
        "/games",
        "/games/xeri",
        "/games/xeri/rules",
        "/matches",
        f"/matches?bot={BOT}&result=lost",
        f"/matches/{match}",
        f"/deals/{match}",
        "/search?q=bot-00",
        "/tournaments",
        "/comparisons",
        "/tv",
        "/play",
        "/play?game=xeri",
        "/api/ladders",
        f"/api/ladders/{SINGLE}",
        f"/api/bots/{BOT}",
        f"/api/matches?bot={BOT}",
    ]


def _times_ms(visitor: Visitor, address: str, headers: Sequence[Mapping[str, str]]) -> list[float]:
    """Returns the times of as many requests, each with its headers."""
    taken = []
    for each in headers:
        started = perf_counter()
        visitor.get(address, **each)
        taken.append(1000 * (perf_counter() - started))
    return taken


def _median_p95(times: Sequence[float]) -> str:
    return f"{median(times):.1f} {_p95(times):.1f}"


def _p95(times: Sequence[float]) -> float:
    return quantiles(times, n=20)[18]


def _assets_bytes(visitor: Visitor, page: Answer) -> int:
    """Returns the bytes of all styles, scripts and pictures that a page loads, modules included."""
    wanted = ASSETS.findall(page.body.decode(errors="replace"))
    seen: set[str] = set()
    total = 0
    while wanted:
        address = wanted.pop()
        if address in seen:
            continue
        seen.add(address)
        asset = visitor.get(address)
        total += asset.sent
        folder = address.rpartition("/")[0]
        for path in IMPORTS.findall(asset.body.decode()) if address.endswith(".js") else ():
            wanted.append(_resolved(folder, path))
    return total


def _resolved(folder: str, path: str) -> str:
    parts = folder.split("/")
    for part in path.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)
