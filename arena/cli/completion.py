"""Shell completion: the names that an argument or option takes.

A shell calls these at each press of the tab key. So they are quick, call no server, and return
nothing if no name can be found, because an error could not be shown. Typer goes by the names of
their parameters: the context, the words of the command line, and the beginning of a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.errors import ArenaError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

LATEST_MATCHES = 50


def games(ctx: Any, args: list[str], incomplete: str) -> list[str]:
    """Returns slugs."""
    from sevens_games import slugs

    return _with(incomplete, slugs())


def runnable_bots(ctx: Any, args: list[str], incomplete: str) -> list[str]:
    """Returns folders with a manifest, .py files, and built-in bots. If there is none, the shell
    completes file names."""
    from arena.bots import BUILTINS
    from arena.bots.source import MANIFEST

    parent = Path(incomplete if incomplete.endswith("/") else Path(incomplete).parent)
    folders = [*parent.glob(f"*/{MANIFEST}"), *parent.glob(f"*/*/{MANIFEST}")]
    found = {str(manifest.parent) for manifest in folders} | set(map(str, parent.glob("*.py")))
    return _with(incomplete, [*sorted(found), *(f"builtin:{name}" for name in BUILTINS)])


def bots(ctx: Any, args: list[str], incomplete: str) -> list[str]:
    """Returns the names of the bots in the data folder."""
    return _with(incomplete, _stored(ctx, _bots))


def ladders(ctx: Any, args: list[str], incomplete: str) -> list[str]:
    """Returns the names of the ladders in the data folder."""
    return _with(incomplete, _stored(ctx, _ladders))


def comparisons(ctx: Any, args: list[str], incomplete: str) -> list[str]:
    """Returns the names of the comparisons in the data folder."""
    return _with(incomplete, _stored(ctx, _comparisons))


def tournaments(ctx: Any, args: list[str], incomplete: str) -> list[str]:
    """Returns the names of the tournaments in the data folder."""
    return _with(incomplete, _stored(ctx, _tournaments))


def matches(ctx: Any, args: list[str], incomplete: str) -> list[str]:
    """Returns the short names of the latest matches in the data folder."""
    return _with(incomplete, _stored(ctx, _matches))


def faults(ctx: Any, args: list[str], incomplete: str) -> list[str]:
    """Returns the kinds of fault."""
    from arena.protocol import FaultKind

    return _with(incomplete, FaultKind)


def orders(ctx: Any, args: list[str], incomplete: str) -> list[str]:
    """Returns the orders of matches."""
    from arena.views.matches.match_filter import Order

    return _with(incomplete, Order)


def _with(beginning: str, names: Iterable[str]) -> list[str]:
    return [str(name) for name in names if name.startswith(beginning)]


def _stored(context: Any, query: Callable[[Session], Sequence[str]]) -> Sequence[str]:
    from arena.cli.options import DEFAULT_DATA
    from arena.client.folder_access import reading

    if context.params.get("server"):
        return []
    try:
        with reading(Path(context.params.get("data") or DEFAULT_DATA), "data") as session:
            return query(session)
    except ArenaError:
        return []


def _comparisons(session: Session) -> Sequence[str]:
    from arena.store.queries import comparisons

    return [comparison.name for comparison in comparisons(session)]


def _tournaments(session: Session) -> Sequence[str]:
    from arena.store.queries import tournaments

    return [tournament.name for tournament in tournaments(session)]


def _bots(session: Session) -> Sequence[str]:
    import sqlalchemy as sa

    from arena.store.schema import Bot

    return session.scalars(sa.select(Bot.name).order_by(Bot.name)).all()


def _ladders(session: Session) -> Sequence[str]:
    from arena.store.queries import ladders as stored

    return [ladder.name for ladder in stored(session)]


def _matches(session: Session) -> Sequence[str]:
    from arena.store.match_names import short_name
    from arena.views.matches.match_filter import MatchFilter
    from arena.views.matches.match_list import find_matches

    latest = find_matches(session, MatchFilter(), limit=LATEST_MATCHES)
    return [short_name(match.match) for match in latest.matches]
