"""A tournament in words. The terminal and the pages say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, TypeAlias

from arena.moment import minute
from arena.store.schema import Format
from arena.tournament import pool_tie_breaks
from arena.views.tournaments.tournament import PlacedEntrant, Tournament

ACRONYMS = {
    "direct-encounter": "DE",
    "buchholz-cut-1": "BH-C1",
    "buchholz": "BH",
    "sonneborn-berger": "SB",
}
"""FIDE's, for the columns of tables that people read."""
LIKELY = 0.005
"""Places that are less probable than this are not printed."""

Table: TypeAlias = tuple[list[str], list[list[Any]]]
"""The names of columns, and rows with a cell for each."""


def agreed(found: Tournament) -> dict[str, Any]:
    """Returns the terms by name; and the state."""
    count, seeder = found.terms.groups, found.terms.seed_from
    groups = "1 group" if count == 1 else f"{count} groups"
    deals = "each deal in every seating" if found.deals is Format.DUPLICATE else "each deal once"
    tables = "the same deals" if found.common_deals else "deals of its own"
    return {
        "tournament": found.tournament,
        "game": f"{found.game}, {found.seats} seats, {_options(found.options)}",
        "format": found.plays,
        **({} if found.is_elimination else _terms_of_points(found)),
        **({"seeds": f"by the ladder {seeder} at the start"} if seeder else {}),
        **({"pools": _pools(found)} if found.terms.pool_size else {}),
        **({"seeds": "by lot"} if found.terms.seed_by_lot else {}),
        **({"third place": "played for"} if found.terms.third_place else {}),
        **({"starts": _start(found)} if found.starts_at else {}),
        "a table plays": f"{groups}: {deals}, each table {tables}",
        **({"a table is won": "by boards"} if found.terms.by_boards else {}),
        "commitment": found.commitment,
        **({"beacon": _beacon(found)} if found.terms.beacon else {}),
        **({"at the start": said} if (said := _said_at_start(found)) else {}),
        **({"chain": found.chain} if found.chain else {}),
        "state": found.state,
    }


def title(found: Tournament) -> str:
    """Returns the line above the standings."""
    return f"{found.tournament}: {found.game}, {found.plays}, {found.state}"


def standings_table(found: Tournament) -> Table:
    """Returns the standings, with the tie-breaks as far as they were needed."""
    breaks = () if found.is_elimination else found.terms.tie_breaks
    columns, rows = _placed(found.standings, breaks)
    replayed = [_if_replayed((found.places or {}).get(one.number, {})) for one in found.standings]
    return [*columns, "places if replayed"], [
        [*row, chances] for row, chances in zip(rows, replayed, strict=True)
    ]


def pool_tables(found: Tournament) -> list[Table]:
    """Returns the standings of each pool."""
    breaks = pool_tie_breaks(found.terms.tie_breaks)
    return [_placed(pool, breaks) for pool in found.pools]


def _placed(standings: Sequence[PlacedEntrant], breaks: Sequence[str]) -> Table:
    columns = ["place", "bot", "number", "points", *breaks, "faults"]
    rows: list[list[Any]] = []
    for one in standings:
        blank = [None] * (len(breaks) - len(one.tie_breaks))
        rows.append(
            [
                *(one.place, one.bot, one.number, one.points),
                *(*one.tie_breaks, *blank)[: len(breaks)],
                one.faults or None,
            ]
        )
    return columns, rows


def withdrawals(found: Tournament, round_number: int) -> list[str]:
    """Returns a sentence for each entrant that a round is the first without."""
    annulled = found.course().annulled
    return [
        f"{one.bot} plays no further matches: {one.reason}"
        + (" All its results are annulled." if one.number in annulled else "")
        for one in found.entrants
        if one.withdrawn_round == round_number
    ]


def for_people(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    """Returns a table with short names, rounded, and without columns in which nobody has
    anything."""
    places = [
        place for place in range(len(columns)) if any(row[place] not in ("", None) for row in rows)
    ]
    return (
        [ACRONYMS.get(columns[place], columns[place]) for place in places],
        [[_rounded(row[place]) for place in places] for row in rows],
    )


def _terms_of_points(found: Tournament) -> dict[str, Any]:
    """Returns the terms of a round robin or a Swiss."""
    terms = found.terms
    return {
        "rounds": terms.rounds or "as format and field suggest",
        **({} if found.plays == "round-robin" else {"pairing": terms.pairing}),
        "tie-breaks": _tie_breaks(terms.tie_breaks),
    }


def _tie_breaks(names: Sequence[str]) -> str:
    return ", ".join(f"{name} ({ACRONYMS[name]})" if name in ACRONYMS else name for name in names)


def _pools(found: Tournament) -> str:
    size, going_on = found.terms.pool_size, found.terms.advance
    first = "the first goes on" if going_on == 1 else f"the first {going_on} go on"
    breaks = _tie_breaks(pool_tie_breaks(found.terms.tie_breaks))
    return f"round robins in pools of at most {size}; {first}; tie-breaks: {breaks}"


def _beacon(found: Tournament) -> str:
    return f"{found.terms.beacon}: {found.beacon_value or 'not drawn yet'}"


def _start(found: Tournament) -> str:
    assert found.starts_at is not None
    itself = f"by itself at {minute(found.starts_at)}"
    if not found.check_in_minutes:
        return itself
    opens = minute(found.starts_at - timedelta(minutes=found.check_in_minutes))
    asked = [one for one in found.entrants if one.owner is not None]
    count = sum(one.checked_in for one in asked)
    so_far = f": {count} of {len(asked)} entrants" if asked else ""
    return f"{itself}; check-in from {opens} on{so_far}"


def _said_at_start(found: Tournament) -> str:
    return found.events[0].sentence if found.events else ""


def _options(options: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in options.items()) or "no options"


def _rounded(cell: object) -> object:
    if cell is None:
        return ""
    return f"{cell:.4g}" if isinstance(cell, float) else cell


def _if_replayed(chances: Mapping[int, float]) -> str:
    """Returns the most probable places, as "1st 83 %, 2nd 17 %"."""
    likely = sorted(chances.items(), key=lambda item: -item[1])[:3]
    return ", ".join(
        f"{_ordinal(place)} {chance:.0%}".replace("%", " %")
        for place, chance in likely
        if chance >= LIKELY
    )


def _ordinal(place: int) -> str:
    ending = "th" if 10 <= place % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"
