"""The questions that pages ask the store, with 100,000 matches of 500 bots in it.

Everything is asked about random bots, in a transaction of its own. The times are CPU times: the
machine's other work does not count, and the store is in the cache.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

from rich.table import Table
from sqlalchemy.orm import Session

from arena.store.session import Store
from arena.views.bot import bot_card, owned_bots
from arena.views.competition import competition_cards
from arena.views.decision_times import decision_times
from arena.views.ladders.ladder import ladder_stamp
from arena.views.ladders.rating_curve import rating_curves
from arena.views.ladders.standing import standings
from arena.views.matches.deal_group import group_of
from arena.views.matches.fault import find_faults
from arena.views.matches.match_filter import MatchFilter, Order, Result
from arena.views.matches.match_list import count_matches, find_matches
from arena.views.results import crosstable, results_by_opponent, results_by_seat, results_by_size
from arena.views.search import search
from bench.filled_store import GAME, SINGLE
from bench.league import League
from bench.side_by_side import verdict

ENTRANTS, MATCHES = 500, 100_000
ASKED = 100
AT_MOST_MS = 20.0
TOP, CURVES, POINTS, PAGE = 20, 10, 100, 100

Question = Callable[[Session, "Subject"], object]


class Subject:
    """The subject of a question: a bot, another one, and the best of the ladder."""

    def __init__(self, store: Store, rng: Random) -> None:
        with store.reading() as session:
            rows = standings(session, SINGLE, limit=PAGE)
            self.best = [row.version for row in rows]
            self.bot, self.other = (row.bot for row in rng.sample(rows, 2))
            card = bot_card(session, self.bot)
            self.owner, self.versions = card.owner, [one.version for one in card.versions]
            wanted = MatchFilter(bot=self.bot)
            self.match = find_matches(session, wanted, limit=1).matches[0].match
            middle = find_matches(session, wanted, limit=200)
            self.after = middle.matches[-1].match


def _list(**wanted: Any) -> Question:
    def ask(session: Session, about: Subject) -> object:
        return find_matches(session, _filter(about, wanted))

    return ask


def _count(**wanted: Any) -> Question:
    return lambda session, about: count_matches(session, _filter(about, wanted))


def _filter(about: Subject, wanted: dict[str, Any]) -> MatchFilter:
    """Returns the filter; `bot` and `against` name attributes of the subject."""
    whom = {name: getattr(about, wanted[name]) for name in ("bot", "against") if name in wanted}
    return MatchFilter(**(wanted | whom))


BOT: dict[str, Any] = {"bot": "bot"}
QUESTIONS: dict[str, Question] = {
    "the latest matches": _list(),
    "the latest matches of a ladder": _list(competition=SINGLE),
    "the latest matches of a game": _list(game=GAME),
    "the latest faulted matches": _list(competition=SINGLE, faulted=True),
    "matches with a slow decision": _list(slowest_ms=1000),
    "matches with a very slow decision": _list(slowest_ms=4999),
    "the latest matches of a bot": _list(**BOT),
    "a later page of them": lambda session, about: find_matches(
        session, MatchFilter(bot=about.bot), after=about.after
    ),
    "of a version": _list(**BOT, number=1),
    "against another": _list(**BOT, against="other"),
    "that it lost": _list(**BOT, result=Result.LOST),
    "its worst losses": _list(**BOT, result=Result.LOST, order=Order.WORST),
    "with its faults": _list(**BOT, faulted=True),
    "count: of a ladder": _count(competition=SINGLE),
    "count: of a bot": _count(**BOT),
    "count: that it lost": _count(**BOT, result=Result.LOST),
    "count: faulted": _count(faulted=True),
    "table of a ladder, 100 rows": lambda session, _: standings(session, SINGLE, limit=PAGE),
    "stamp of a ladder": lambda session, _: ladder_stamp(session, SINGLE),
    "curves of 10 versions": lambda session, about: rating_curves(
        session, SINGLE, about.best[:CURVES], POINTS
    ),
    "curve of a version": lambda session, about: rating_curves(session, SINGLE, about.versions),
    "crosstable of 20": lambda session, about: crosstable(session, SINGLE, about.best[:TOP]),
    "a bot": lambda session, about: bot_card(session, about.bot),
    "its results by opponent": lambda session, about: results_by_opponent(
        session, about.versions, SINGLE
    ),
    "by seat": lambda session, about: results_by_seat(session, about.versions),
    "by table size": lambda session, about: results_by_size(session, about.versions),
    "its decision times": lambda session, about: decision_times(session, about.versions),
    "its faults": lambda session, about: find_faults(session, bot=about.bot),
    "all faults": lambda session, about: find_faults(session),
    "an owner": lambda session, about: owned_bots(session, about.owner),
    "cards of competitions": lambda session, _: competition_cards(session),
    "group of a match": lambda session, about: group_of(session, about.match),
    "search": lambda session, about: search(session, about.bot[:6]),
    "search for a match": lambda session, about: search(session, about.match[:8]),
}


def tables() -> list[Table]:
    """Returns the times of all questions."""
    with TemporaryDirectory() as folder:
        league = League(Path(folder), MATCHES, ENTRANTS, varied=True)
        try:
            return [_table(league.store)]
        finally:
            league.store.close()


def _table(store: Store) -> Table:
    rng = Random(7)
    subjects = [Subject(store, rng) for _ in range(ASKED)]
    table = Table(
        "question",
        *("median CPU ms", "p95", "at most", ""),
        title=f"Questions of pages, {MATCHES:,} matches of {ENTRANTS} bots",
    )
    for name, question in QUESTIONS.items():
        _timed(store, question, subjects[0])  # warm-up
        times = sorted(_timed(store, question, subject) for subject in subjects)
        median, late = times[len(times) // 2], times[len(times) * 95 // 100]
        table.add_row(
            name, f"{median:.1f}", f"{late:.1f}", f"{AT_MOST_MS:g}", verdict(late <= AT_MOST_MS)
        )
    return table


def _timed(store: Store, question: Question, about: Subject) -> float:
    start = process_time()
    with store.reading() as session:
        question(session, about)
    return 1000 * (process_time() - start)
