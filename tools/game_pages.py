"""Writes the tables of `docs/games/`, and the list of games in `docs/games.md`, from the games'
declarations: `python -m tools.game_pages`.

A pair of comments marks the place of each table on a page:

    <!-- generated: zones -->
    <!-- /generated -->

The text between them is replaced; the rest of the page is written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sevens_games import Option, load, own_slugs, text_of
from sevens_games.engine import GameOf

PAGES = Path(__file__).parent.parent / "docs" / "games"
LIST = PAGES.with_suffix(".md")
BEGIN, END = "<!-- generated: {} -->", "<!-- /generated -->"
REGION = re.compile(
    re.escape(BEGIN).replace(re.escape("{}"), r"(\S+)") + ".*?" + re.escape(END), re.DOTALL
)


def options(game: GameOf) -> str:
    if not game.options:
        return "This game has no options.\n"
    rows = [
        (f"`{name}`", allowed(option), f"`{text_of(option.default)}`", option.sentence)
        for name, option in game.options.items()
    ]
    return table(("option", "values", "default", "meaning"), rows)


def allowed(option: Option) -> str:
    """Returns the values that the option accepts, in the short form of a table cell."""
    for words in ("an integer from ", "an integer of ", "one of "):
        if option.allowed.startswith(words):
            return option.allowed.removeprefix(words)
    return option.allowed


def actions(game: GameOf) -> str:
    return explained(("action", "meaning"), game.actions)


def zones(game: GameOf) -> str:
    return explained(("zone", "cards"), game.zones)


def facts(game: GameOf) -> str:
    return explained(("fact", "meaning"), game.all_facts)


def events(game: GameOf) -> str:
    return explained(("event", "whom it concerns; its arguments"), game.events)


TABLES: dict[str, Callable[[GameOf], str]] = {
    table.__name__: table for table in (options, actions, zones, facts, events)
}


def explained(head: Sequence[str], sentences: Mapping[str, str]) -> str:
    return table(head, [(f"`{name}`", sentence) for name, sentence in sentences.items()])


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def written(page: str, game: GameOf) -> str:
    """Returns the page with its tables generated from the game's declarations.

    Raises ValueError unless the page has each table of TABLES once.
    """
    found = [region[1] for region in REGION.finditer(page)]
    if sorted(found) != sorted(TABLES):
        raise ValueError(
            f"The page of {game.slug} must have each of the regions {', '.join(TABLES)} once; "
            f"it has {', '.join(found) or 'none'}."
        )
    return REGION.sub(
        lambda region: f"{BEGIN.format(region[1])}\n{TABLES[region[1]](game)}{END}", page
    )


def listed(page: str) -> str:
    """Returns the page that lists our games, with its table generated, by title."""
    games = sorted([load(slug) for slug in own_slugs()], key=lambda game: game.title)
    rows = [
        (f"[{game.title}](games/{game.slug}.md)", seats(game.players), game.summary)
        for game in games
    ]
    region = table(("game", "seats", "in a sentence"), rows)
    return REGION.sub(lambda _: f"{BEGIN.format('games')}\n{region}{END}", page)


def seats(players: Sequence[int]) -> str:
    """Returns numbers of players, in the short form of a table cell."""
    is_range = len(players) > 2 and players[-1] - players[0] == len(players) - 1
    return f"{players[0]} to {players[-1]}" if is_range else ", ".join(map(str, players))


def page_of(slug: str) -> Path:
    return PAGES / f"{slug}.md"


def main() -> None:
    for slug in sorted(own_slugs()):
        page = page_of(slug)
        page.write_text(written(page.read_text(), load(slug)))
    LIST.write_text(listed(LIST.read_text()))


if __name__ == "__main__":
    main()
