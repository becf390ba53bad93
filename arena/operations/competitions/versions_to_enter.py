"""Versions that are to be entered into a ladder or a tournament."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from sqlalchemy.orm import Session

from arena.bots.source import check_plays
from arena.operations.caller import Caller
from arena.operations.named import playing_version
from arena.operations.operation import Number, Text
from arena.store.queries import bot_named
from arena.store.schema import Version
from arena.tournament import MOST_ENTRANTS
from arena.views.view import View


class VersionToEnter(View):
    """A version that is to be entered. `number`: 0: the latest."""

    bot: Text
    number: Number = 0


VersionsToEnter = Annotated[tuple[VersionToEnter, ...], Field(max_length=MOST_ENTRANTS)]


def version_to_enter(
    session: Session, caller: Caller, wanted: VersionToEnter, game: str, where: str
) -> Version:
    """Returns a version of the caller's that plays the game. `where`: such as "the tournament
    cup". Raises ArenaError."""
    owner = bot_named(session, wanted.bot).owner
    caller.check_may_change(f"The bot {wanted.bot}", owner)
    field = "number" if wanted.number else "bot"
    version = playing_version(session, wanted.bot, wanted.number, field)
    check_plays(wanted.bot, version.games, game, where)
    return version
