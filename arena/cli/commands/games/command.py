"""`arena games`: the games, and the details of one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.text import Text

from arena.cli import completion
from arena.cli.command_loader import Group
from arena.cli.commands.games.new import new
from arena.cli.output import JsonOption, print_json, stdout, table
from arena.games import Game, Option, load, slugs
from arena.repository import repository


class _Games(Group):
    """`arena games xeri` is `arena games show xeri`."""

    usual = "show"


app = typer.Typer(cls=_Games, help="List the games, explain one of them, or create one.")
app.command("new")(new)


@app.callback(invoke_without_command=True)
def list_games(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the games, explain one of them, or create one."""
    if context.invoked_subcommand is not None:
        return
    games = [load(slug) for slug in slugs()]
    if as_json:
        print_json({"games": [_summary(game) for game in games]})
        return
    rows = [(game.slug, game.title, _players(game), game.summary) for game in games]
    stdout.print(table(("game", "title", "players", "summary"), rows))
    stdout.print("\nExplain a game: arena games GAME", style="dim")
    stdout.print("Create a game: arena games new GAME", style="dim")


@app.command("show")
def show(
    slug: Annotated[
        str,
        typer.Argument(metavar="GAME", help="The game's slug.", autocompletion=completion.games),
    ],
    as_json: JsonOption = False,
) -> None:
    """Explain a game: its options, phases, actions, zones, facts and events.

    Examples:
        arena games show xeri
    """
    game = load(slug)
    if as_json:
        print_json(_details(game))
        return
    place = f" ({game.slug}, rules version {game.rules_version})"
    stdout.print(Text.assemble((game.title, "bold"), place))
    stdout.print(game.summary)
    stdout.print(f"Players: {_players(game)}; on ladders {game.ladder_players}.", end=" ")
    stdout.print(f"Teams by seat: {' '.join(map(str, game.teams(game.ladder_players)))}.")
    stdout.print(f"Cards: {game.cards}\n")
    options = [(o.name, _default(o), o.allowed, o.sentence) for o in game.options.values()]
    if options:
        stdout.print(table(("option", "default", "allowed", "meaning"), options))
        stdout.print()
    phases = {name: phase.rule for name, phase in game.phases.items()}
    _explain("phase", "a seat's actions", phases)
    _explain("action", "effect", game.actions)
    _explain("zone", "contents", game.zones)
    _explain("fact", "meaning", game.all_facts)
    _explain("event", "its owner, and its meaning", game.events)
    stdout.print(
        "Each choice is an event too, with the text of the action; secret parts are left out.\n"
    )
    _explain("end", "meaning", game.reasons)
    if page := _page(game):
        stdout.print(f"The rules for bot authors: {page}", style="dim")


def _explain(what: str, meaning: str, sentences: Mapping[str, str]) -> None:
    stdout.print(table((what, meaning), sentences.items()))
    stdout.print()


def _summary(game: Game[Any]) -> dict[str, Any]:
    return {
        "game": game.slug,
        "title": game.title,
        "summary": game.summary,
        "rules_version": game.rules_version,
        "players": list(game.players),
        "ladder_players": game.ladder_players,
    }


def _details(game: Game[Any]) -> dict[str, Any]:
    return _summary(game) | {
        "teams": list(game.teams(game.ladder_players)),
        "options": [_option(option) for option in game.options.values()],
        "cards": game.cards,
        "phases": {name: phase.rule for name, phase in game.phases.items()},
        "actions": dict(game.actions),
        "zones": dict(game.zones),
        "facts": game.all_facts,
        "events": dict(game.events),
        "reasons": dict(game.reasons),
        "page": _page(game),
    }


def _page(game: Game[Any]) -> str:
    """Returns the path of the game's page; empty if it has none."""
    page = repository() / "docs" / "games" / f"{game.slug}.md"
    return str(page) if page.is_file() else ""


def _option(option: Option) -> dict[str, Any]:
    kind = list(option.type) if isinstance(option.type, tuple) else option.type.__name__
    return {
        "name": option.name,
        "type": kind,
        "default": option.default,
        "minimum": option.minimum,
        "maximum": option.maximum,
        "sentence": option.sentence,
    }


def _default(option: Option) -> str:
    return str(option.default).lower()


def _players(game: Game[Any]) -> str:
    return ", ".join(map(str, game.players))
