"""News, the webhooks that are sent them, and announcements."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from html import escape
from random import Random
from xml.etree import ElementTree

import pytest

from arena.errors import Kind
from arena.league.ladder.ladder_jobs import LadderJobs
from arena.league.recorder import Recorder
from arena.league.tournament.tournaments import end
from arena.operations.competitions.ladders import change_ladder
from arena.operations.notices.announcements import (
    announce,
    list_announcements,
    remove_announcement,
)
from arena.operations.notices.news import list_news
from arena.operations.notices.webhooks import (
    add_webhook,
    list_webhooks,
    remove_webhook,
    try_webhook,
)
from arena.signed_post import signature_of
from arena.store.notices.news import add_news
from arena.store.queries import ladder_named
from arena.store.schema import CompetitionState, NewsKind, Role
from arena.tournament import TournamentTerms
from tests.support.asked import Asked, Asker
from tests.support.new_tournament import new_tournament
from tests.support.news_receiver import receiver
from tests.support.visitor import Visitor

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def organiser(arena: Asked) -> Asker:
    return arena.asker("Org", Role.ORGANISER)


@pytest.fixture
async def eventful(arena: Asked, organiser: Asker) -> Asked:
    """An arena in which a bot was suspended, a job parked, a tournament won and a ladder closed."""
    with arena.store.writing() as session:
        sentence = "Version 1 of ann-bot is suspended."
        add_news(session, NewsKind.BOT_SUSPENDED, sentence, competition="main", bot="ann-bot")
        [job] = LadderJobs(session, ladder_named(session, "main"), Random(1)).make(session, 1)
    Recorder(arena.store).park(job.job_id, "Nobody can play it.")
    with arena.store.writing() as session:
        end(session, new_tournament(session, "cup", terms=TournamentTerms(format="swiss")))
    await organiser.ask(change_ladder, "main", CompetitionState.OVER)
    return arena


async def test_news_are_public_but_for_parked_jobs(eventful: Asked, organiser: Asker) -> None:
    visitor = eventful.asker()
    found = (await visitor.ask(list_news)).news
    assert [(one.number, one.kind, one.competition, one.bot) for one in found] == [
        (4, NewsKind.SEASON_OVER, "main", ""),
        (3, NewsKind.TOURNAMENT_OVER, "cup", ""),
        (1, NewsKind.BOT_SUSPENDED, "main", "ann-bot"),
    ]
    parked = (await organiser.ask(list_news)).news[2]
    assert parked.kind is NewsKind.JOB_PARKED
    assert parked.sentence.endswith("is parked: Nobody can play it.")
    for ladder, bot, numbers in (
        ("main", "", [4, 1]),
        ("", "bob-bot", [4]),
        ("", "ann-bot", [4, 1]),
        ("", "nobody", []),
    ):
        some = await visitor.ask(list_news, ladder, bot)
        assert [one.number for one in some.news] == numbers


async def test_the_public_news_are_a_feed(eventful: Asked) -> None:
    visitor = Visitor(f"http://{eventful.address}")

    def feed(query: str) -> ElementTree.Element:
        answer = visitor.get(f"/feed.atom{query}")
        assert answer.headers["content-type"].startswith("application/atom+xml")
        return ElementTree.fromstring(answer.text)

    found = await asyncio.to_thread(feed, "")
    entries = found.findall(f"{ATOM}entry")
    titles = [one.findtext(f"{ATOM}title") for one in entries]
    assert titles[1:] == ["The tournament cup is over.", "Version 1 of ann-bot is suspended."]
    assert found.findtext(f"{ATOM}updated") == entries[0].findtext(f"{ATOM}updated")
    ids = {one.findtext(f"{ATOM}id") for one in entries}
    for query, length in (("?bot=ann-bot", 2), ("?ladder=main", 2), ("?ladder=other", 0)):
        some = (await asyncio.to_thread(feed, query)).findall(f"{ATOM}entry")
        assert len(some) == length
        assert {one.findtext(f"{ATOM}id") for one in some} <= ids
    for one in entries:
        address = one.find(f"{ATOM}link")
        assert address is not None
        path = address.attrib["href"].removeprefix(visitor.origin)
        assert (await asyncio.to_thread(visitor.get, path)).status == 200
    assert (await asyncio.to_thread(visitor.get, "/feed.atom?bot=nobody")).status == 404


async def test_a_webhook_is_added_tried_and_removed(eventful: Asked, organiser: Asker) -> None:
    with receiver() as there:
        added = await organiser.ask(
            add_webhook, "chat", f"{there.address}/x", (NewsKind.JOB_PARKED,)
        )
        assert added.webhook.after == 4  # what was before is not sent
        assert added.webhook.kinds == ("job-parked",)
        there.statuses = [204, 403]
        assert (await organiser.ask(try_webhook, "chat")).trouble == ""
        refused = (await organiser.ask(try_webhook, "chat")).trouble
        assert refused == "It answered with status 403, not with one from 200 to 299."
        _, signature, body = there.received[0]
        assert signature == signature_of(body, added.secret)
        document = json.loads(body)
        assert (document["number"], document["kind"]) == (0, "trial")
    [listed] = (await organiser.ask(list_webhooks)).webhooks
    assert listed == added.webhook
    assert (await organiser.refused(add_webhook, "chat", "http://x/")).kind is Kind.TAKEN
    assert (await organiser.ask(remove_webhook, "chat")).name == "chat"
    unknown = await organiser.refused(try_webhook, "chat")
    assert (unknown.kind, unknown.field) == (Kind.NOT_FOUND, "name")


@pytest.mark.parametrize("url", ["", "example.org", "ftp://example.org/", "http://", "http://a b"])
async def test_a_webhook_needs_the_url_of_a_page(organiser: Asker, url: str) -> None:
    refused = await organiser.refused(add_webhook, "chat", url)
    assert (refused.kind, refused.field) == (Kind.WRONG_INPUT, "url")
    assert "such as https://example.org/hook" in refused.sentence


async def test_announcements_are_on_every_page_until_they_are_over(
    arena: Asked, organiser: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = Visitor(f"http://{arena.address}")

    async def announced(path: str) -> list[str]:
        text = (await asyncio.to_thread(visitor.get, path)).text
        return [one for one in ("Tea &amp; <b>", "Maintenance") if escape(one) in text]

    assert await announced("/") == []
    tea = await organiser.ask(announce, " Tea &amp; <b> ")
    soon = await organiser.ask(announce, "Maintenance", "2999-01-01")
    for path in ("/", "/ladders/main", "/matches", "/games"):
        assert await announced(path) == ["Tea &amp; <b>", "Maintenance"]
    found = (await arena.asker().ask(list_announcements)).announcements
    assert found == (tea, soon)
    assert tea.sentence == "Tea &amp; <b>"
    assert (await organiser.ask(remove_announcement, tea.number)).number == tea.number
    later = datetime(3000, 1, 1, tzinfo=UTC)
    assert await announced("/ladders/main") == ["Maintenance"]
    monkeypatch.setattr("arena.store.notices.announcements.now", lambda: later)
    assert await announced("/ladders/main") == []
    assert (await arena.asker().ask(list_announcements)).announcements == ()


async def test_announcements_are_bounded_sentences(organiser: Asker) -> None:
    for sentence, until, field in (
        ("  ", "", "sentence"),
        ("x" * 501, "", "sentence"),
        ("a\nb", "", "sentence"),
        ("Hello.", "2020-01-01", "until"),
        ("Hello.", "soon", "until"),
    ):
        refused = await organiser.refused(announce, sentence, until)
        assert (refused.kind, refused.field) == (Kind.WRONG_INPUT, field)
    for _ in range(10):
        await organiser.ask(announce, "Hello.")
    assert (await organiser.refused(announce, "Hello.")).kind is Kind.NOT_NOW
    unknown = await organiser.refused(remove_announcement, 77)
    assert (unknown.kind, unknown.field) == (Kind.NOT_FOUND, "number")


async def test_organisers_announce_by_a_form(arena: Asked, organiser: Asker) -> None:
    ann, visitor = arena.asker("Ann"), Visitor(f"http://{arena.address}")

    def post(asker: Asker, operation: str, **fields: str) -> int:
        token = asker.headers["authorization"]
        return visitor.post(f"/do/{operation}", fields, Authorization=token).status

    assert await asyncio.to_thread(post, ann, "announce", sentence="Hello.") == 403
    assert await asyncio.to_thread(post, organiser, "announce", sentence="Hello.") == 303
    [one] = (await ann.ask(list_announcements)).announcements
    page = await asyncio.to_thread(
        lambda: visitor.get("/organiser/notices", **organiser.headers).text
    )
    assert page.count("Hello.") == 2  # at the head, and in the list
    assert (
        await asyncio.to_thread(post, organiser, "remove_announcement", number=str(one.number))
        == 303
    )
    assert (await ann.ask(list_announcements)).announcements == ()
