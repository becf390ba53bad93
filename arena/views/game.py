"""The games: all of them, and one explained."""

from __future__ import annotations

from typing import Any

from arena.views.view import View
from sevens_games import Game as Rules
from sevens_games import Option, load, slugs


class GameHead(View):
    """A game in the list of all. `game`: its slug. `players`: the numbers of seats that it has."""

    game: str
    title: str
    summary: str
    rules_version: int
    players: tuple[int, ...]
    ladder_players: int


class Games(View):
    """All games."""

    games: tuple[GameHead, ...]


class GameOption(View):
    """An option of a game. `type`: the name of a type, or the values that it has."""

    name: str
    type: str | tuple[str, ...]
    default: bool | int | str
    minimum: int | None
    maximum: int | None
    allowed: str
    sentence: str


class Game(GameHead):
    """A game, explained.

    `how_to_play`: the game in about five sentences, for people.
    `teams`: by seat, with the number of players that ladders have.
    `phases`, `actions`, `zones`, `facts`, `events`, `reasons`: a sentence for each.
    """

    how_to_play: tuple[str, ...]
    teams: tuple[int, ...]
    options: tuple[GameOption, ...]
    cards: str
    phases: dict[str, str]
    actions: dict[str, str]
    zones: dict[str, str]
    facts: dict[str, str]
    events: dict[str, str]
    reasons: dict[str, str]


class InstalledGame(Game):
    """A game of this machine. `page`: the path of its rules for bot authors; empty if they are not
    installed."""

    page: str


def all_games() -> Games:
    """Returns all games."""
    return Games(games=tuple(GameHead(**_head(load(slug))) for slug in slugs()))


def game_named(slug: str) -> Game:
    """Returns a game. Raises UnknownGame."""
    rules = load(slug)
    return Game(
        **_head(rules),
        how_to_play=rules.how_to_play,
        teams=rules.teams(rules.ladder_players),
        options=tuple(map(_option, rules.options.values())),
        cards=rules.cards,
        phases={name: phase.rule for name, phase in rules.phases.items()},
        actions=dict(rules.actions),
        zones=dict(rules.zones),
        facts=rules.all_facts,
        events=dict(rules.events),
        reasons=dict(rules.reasons),
    )


def _head(rules: Rules[Any]) -> dict[str, Any]:
    return {
        "game": rules.slug,
        "title": rules.title,
        "summary": rules.summary,
        "rules_version": rules.rules_version,
        "players": rules.players,
        "ladder_players": rules.ladder_players,
    }


def _option(option: Option) -> GameOption:
    return GameOption(
        name=option.name,
        type=option.type if isinstance(option.type, tuple) else option.type.__name__,
        default=option.default,
        minimum=option.minimum,
        maximum=option.maximum,
        allowed=option.allowed,
        sentence=option.sentence,
    )
