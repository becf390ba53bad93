"""The pages of an arena with 100,000 matches and 500 bots: server time, bytes, memory, the first
picture of a replay, frames while cards move, and many watchers of one ladder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.table import Table

from bench.filled_store import DUPLICATE
from bench.league import League, played
from bench.pages.answers import memory_table, page_tables, record_table
from bench.pages.frames import frame_table
from bench.pages.replays import replay_table
from bench.pages.served import served
from bench.pages.watchers import watcher_table

ENTRANTS, MATCHES = 500, 100_000


def tables(matches: int = MATCHES, entrants: int = ENTRANTS) -> Iterator[Table]:
    """Yields tables for each of them, of a store with so many matches and bots."""
    with TemporaryDirectory() as folder:
        league = League(Path(folder), matches, entrants, varied=True)
        # The records of the copies are cut short.
        league.settle(played([league.pair(DUPLICATE, 1)]))
        try:
            with served(Path(folder)) as pages:
                yield from page_tables(pages, league)
                yield record_table(pages, league)
                yield replay_table(pages, league)
                yield frame_table(pages, league)
                yield watcher_table(pages, league)
                yield memory_table(pages, league)
        finally:
            league.store.close()
