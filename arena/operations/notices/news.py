"""News: what happened to bots and competitions."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from arena.operations.operation import AnyText, Reading, Text, reads
from arena.store.notices.news import PUBLIC, latest_news
from arena.store.schema import NewsKind, Role
from arena.views.notices.news import NewsList, OneNews

MOST = 200


@reads("/news")
def list_news(
    asked: Reading,
    ladder: Text = "",
    bot: AnyText = "",
    limit: Annotated[int, Field(ge=1, le=MOST, description="At most so many.")] = 50,
) -> NewsList:
    """Suspended bots, tournaments and seasons that are over, the latest first; for organisers also
    jobs that were parked. Only of a ladder or a bot, if given."""
    is_organiser = asked.caller.role is Role.ORGANISER
    kinds = tuple(NewsKind) if is_organiser else PUBLIC
    found = latest_news(asked.session, kinds, ladder=ladder, bot=bot, limit=limit)
    return NewsList(news=tuple(map(OneNews.model_validate, found)))
