"""A tournament's public document in words. The terminal and the pages say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.tournament import PAIRINGS

ACRONYMS = {
    "direct-encounter": "DE",
    "buchholz-cut-1": "BH-C1",
    "buchholz": "BH",
    "sonneborn-berger": "SB",
}
"""FIDE's, for the columns of tables that people read."""
LIKELY = 0.005
"""Places that are less probable than this are not printed."""

Document = Mapping[str, Any]
Table = tuple[list[str], list[list[Any]]]
"""The names of columns, and rows with a cell for each."""


def agreed(found: Document) -> dict[str, Any]:
    """Returns the terms by name; and the state."""
    terms = found["terms"]
    groups = "1 group" if terms["groups"] == 1 else f"{terms['groups']} groups"
    deals = "each deal in every seating" if found["deals"] == "duplicate" else "each deal once"
    tables = "the same deals" if found["common_deals"] else "deals of its own"
    return {
        "tournament": found["tournament"],
        "game": f"{found['game']}, {found['seats']} seats, {_options(found['options'])}",
        "format": found["plays"],
        **({} if is_elimination(found) else _terms_of_points(found)),
        "a table plays": f"{groups}: {deals}, each table {tables}",
        "commitment": found["commitment"],
        "state": found["state"],
    }


def is_elimination(found: Document) -> bool:
    """Returns whether who loses is out."""
    return bool(found["plays"].endswith("elimination"))


def title(found: Document) -> str:
    """Returns the line above the standings."""
    return f"{found['tournament']}: {found['game']}, {found['plays']}, {found['state']}"


def totals(table: Document) -> list[float]:
    """Returns the points of each entrant at a table of a round, over all its groups."""
    groups = [group["points"] for group in table["groups"]]
    return [round(sum(points), 3) for points in zip(*groups, strict=True)]


def reason_of_pairing(played: Document) -> str:
    """Returns why a round was paired as it was, in a sentence."""
    if not played["costs"]:
        return f"paired by: {played['method']}"
    why = " ".join(cost["sentence"] for cost in played["costs"] if cost["value"])
    return f"This pairing costs least ({played['method']}): {why or 'nothing at all.'}"


def standings_table(found: Document) -> Table:
    """Returns the standings, with the tie-breaks as far as they were needed."""
    breaks = [] if is_elimination(found) else found["terms"]["tie_breaks"]
    columns = ["place", "bot", "number", "points", *breaks, "probable places"]
    rows = []
    for one in found["standings"]:
        blank = [None] * (len(breaks) - len(one["tie_breaks"]))
        rows.append(
            [
                *(one["place"], one["bot"], one["number"], one["points"]),
                *(*one["tie_breaks"], *blank)[: len(breaks)],
                _probable(found["places"], one["number"]),
            ]
        )
    return columns, rows


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


def _terms_of_points(found: Document) -> dict[str, Any]:
    """Returns the terms of a round robin or a Swiss."""
    terms = found["terms"]
    breaks = (
        f"{name} ({ACRONYMS[name]})" if name in ACRONYMS else name for name in terms["tie_breaks"]
    )
    pairing = (
        {} if found["plays"] == "round-robin" else {"pairing": terms.get("pairing", PAIRINGS[0])}
    )
    return {
        "rounds": terms["rounds"] or "as format and field suggest",
        **pairing,
        "tie-breaks": ", ".join(breaks),
    }


def _options(options: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in options.items()) or "no options"


def _rounded(cell: object) -> object:
    if cell is None:
        return ""
    return f"{cell:.4g}" if isinstance(cell, float) else cell


def _probable(places: Mapping[str, Mapping[str, float]] | None, number: int) -> str:
    """Returns the most probable places, as "1st 83 %, 2nd 17 %"."""
    chances = (places or {}).get(str(number), {})
    likely = sorted(chances.items(), key=lambda item: -item[1])[:3]
    return ", ".join(
        f"{_ordinal(int(place))} {chance:.0%}".replace("%", " %")
        for place, chance in likely
        if chance >= LIKELY
    )


def _ordinal(place: int) -> str:
    ending = "th" if 10 <= place % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"
