"""`arena recount`: recounts the figures that pages show of finished matches."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.options import DEFAULT_DATA, DataOption
from arena.cli.output import JsonOption, print_json, stdout
from arena.client.folder_access import changing
from arena.league import Recount, competition_names
from arena.league import recount as recounted
from arena.store.data_folder import DataFolder


def recount(
    competition: Annotated[
        str,
        typer.Argument(
            metavar="[COMPETITION]",
            help="A ladder, a tournament or a comparison. [default: all of them]",
        ),
    ] = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Recount the figures that pages show of finished matches.

    These are the results by opponent and by seat, and the decision times. The arena counts them
    as it records matches, so none should change.

    Examples:
        arena recount --data /srv/arena
        arena recount xeri
    """
    with changing(DataFolder(data), "competition") as store:
        with store.reading() as session:
            names = competition_names(session, competition)
        found = {name: recounted(store, name) for name in names}
    if as_json:
        print_json({"competitions": [_document(name, one) for name, one in found.items()]})
        return
    if not found:
        stdout.say("There is no competition with matches to count.")
    for name, one in found.items():
        stdout.say(f"{name}: {news(one)}")


def news(found: Recount) -> str:
    """Returns the result of a recount in words."""
    changed = len(found.changed)
    return (
        f"{found.matches:,} matches were counted again;"
        f" {f'the numbers of {changed} versions changed' if changed else 'no number changed'}."
    )


def _document(name: str, found: Recount) -> dict[str, object]:
    return {
        "competition": name,
        "matches": found.matches,
        "changed": sorted(found.changed),
    }
