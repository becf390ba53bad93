"""News: what happened to bots and competitions."""

from __future__ import annotations

from arena.store.schema import NewsKind
from arena.views.view import Moment, View


class OneNews(View):
    """Something that happened. `number`: counts all news of the arena, from 1.

    `competition`: its name. `bot`: empty if it concerns none.
    `sentence`: for people.
    """

    number: int
    at: Moment
    kind: NewsKind
    competition: str
    bot: str
    sentence: str


class NewsList(View):
    """Some news, the latest first."""

    news: tuple[OneNews, ...]
