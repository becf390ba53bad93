"""Addresses of pages, for links: every name in them is quoted."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from arena.store.match_names import short_name
from arena.views.matches.match_filter import MatchFilter, Order, Result
from arena.views.matches.match_query import to_query

PAGES = {"ladder": "/ladders", "tournament": "/tournaments", "comparison": "/comparisons"}


def address_of_bot(bot: str) -> str:
    """Returns the address of a bot's page."""
    return f"/bots/{quote(bot, safe='')}"


def address_of_owner(owner: str) -> str:
    """Returns the address of an owner's page."""
    return f"/owners/{quote(owner, safe='')}"


def address_of_competition(kind: str, name: str) -> str:
    """Returns the address of a competition's page; empty if its kind has none."""
    return f"{PAGES[kind]}/{quote(name, safe='')}" if kind in PAGES else ""


def address_of_match(match: str, seat: int | None = None, own: int = 0) -> str:
    """Returns the address of a match.

    `seat`: from its view, if given. `own`: at the decision that is the seat's own of that number,
      as faults are counted; 0: at the beginning.
    """
    query = "" if seat is None else f"?seat={seat}{f'&own={own}' if own else ''}"
    return f"/matches/{quote(short_name(match), safe='')}{query}"


def address_of_list(wanted: MatchFilter, kind: str = "", **more: str) -> str:
    """Returns the address of the list of these matches.

    `kind`: csv, json or ndjson for an export; empty for the page.
    `more`: further parameters.
    """
    query = urlencode([*to_query(wanted), *more.items()], quote_via=quote)
    return f"/matches{f'.{kind}' if kind else ''}{f'?{query}' if query else ''}"


def list_of(**wanted: Any) -> str:
    """Returns the address of the list of matches with these values of a filter."""
    if "result" in wanted:
        wanted["result"] = Result(wanted["result"])
    if "order" in wanted:
        wanted["order"] = Order(wanted["order"])
    return address_of_list(MatchFilter(**wanted))


GLOBALS = {
    "address_of_bot": address_of_bot,
    "address_of_owner": address_of_owner,
    "address_of_competition": address_of_competition,
    "address_of_match": address_of_match,
    "address_of_list": address_of_list,
    "list_of": list_of,
}
"""The functions that templates call, by name."""
