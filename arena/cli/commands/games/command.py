"""`arena games`: the games, and the details of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import typer
from rich.text import Text

from arena.cli.arguments import GameArgument
from arena.cli.command_loader import Group
from arena.cli.commands.games.new import new
from arena.cli.output import JsonOption, print_view, stdout, table
from arena.repository import repository
from sevens_games import load, slugs


class _Games(Group):
    """`arena games xeri` is `arena games show xeri`."""

    usual = "show"


app = typer.Typer(cls=_Games)
app.command("new")(new)


@app.callback(invoke_without_command=True)
def list_games(context: typer.Context, as_json: JsonOption = False) -> None:
    """Lists the games if no command is named."""
    if context.invoked_subcommand is not None:
        return
    if as_json:
        from arena.views.game import all_games  # which takes long to load

        print_view(all_games())
        return
    games = map(load, slugs())
    rows = [(game.slug, game.title, _players(game.players), game.summary) for game in games]
    stdout.print(table(("game", "title", "players", "summary"), rows))
    stdout.print("\nExplain a game: arena games GAME", style="dim")
    stdout.print("Create a game: arena games new GAME", style="dim")


@app.command("show")
def show(
    slug: GameArgument,
    as_json: JsonOption = False,
) -> None:
    """Explain a game: its options, phases, actions, zones, facts and events.

    Examples:
        arena games show xeri
    """
    from arena.views.game import InstalledGame, game_named  # which takes long to load

    game = InstalledGame(**dict(game_named(slug)), page=_page(slug))
    if as_json:
        print_view(game)
        return
    place = f" ({game.game}, rules version {game.rules_version})"
    stdout.print(Text.assemble((game.title, "bold"), place))
    stdout.print(game.summary)
    if game.how_to_play:
        stdout.print(f"How to play: {' '.join(game.how_to_play)}")
    stdout.print(f"Players: {_players(game.players)}; on ladders {game.ladder_players}.", end=" ")
    stdout.print(f"Teams by seat: {' '.join(map(str, game.teams))}.")
    stdout.print(f"Cards: {game.cards}\n")
    options = [(o.name, str(o.default).lower(), o.allowed, o.sentence) for o in game.options]
    if options:
        stdout.print(table(("option", "default", "allowed", "meaning"), options))
        stdout.print()
    _explain("phase", "a seat's actions", game.phases)
    _explain("action", "effect", game.actions)
    _explain("zone", "contents", game.zones)
    _explain("fact", "meaning", game.facts)
    _explain("event", "its owner, and its meaning", game.events)
    stdout.print(
        "Each choice is an event too, with the text of the action; secret parts are left out.\n"
    )
    _explain("end", "meaning", game.reasons)
    if game.page:
        stdout.print(f"The rules for bot authors: {game.page}", style="dim")


def _explain(what: str, meaning: str, sentences: Mapping[str, str]) -> None:
    stdout.print(table((what, meaning), sentences.items()))
    stdout.print()


def _page(slug: str) -> str:
    """Returns the path of the game's page; empty if it has none."""
    page = repository() / "docs" / "games" / f"{slug}.md"
    return str(page) if page.is_file() else ""


def _players(counts: Sequence[int]) -> str:
    return ", ".join(map(str, counts))
