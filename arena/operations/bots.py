"""Bots with their results."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from arena.operations.named import check_named
from arena.operations.operation import AnyText, Limit, Reading, Text, reads
from arena.views.bot import BotCard, BotResults, bot_card, bot_results

OPPONENTS = 100


@reads("/bots/{bot}")
def read_bot(asked: Reading, bot: AnyText) -> BotCard:
    """A bot with its versions, the latest first, and their places on ladders."""
    return bot_card(asked.session, bot)


@reads("/bots/{bot}/results")
def read_bot_results(
    asked: Reading,
    bot: AnyText,
    number: Annotated[int, Field(ge=0, le=10**9, description="Of a version; 0: all.")] = 0,
    competition: Text = "",
    limit: Limit = OPPONENTS,
) -> BotResults:
    """Results by opponent, seat and size of table, and the times of decisions."""
    check_named(asked.session, competition=competition)
    return bot_results(asked.session, bot, number=number, competition=competition, limit=limit)
