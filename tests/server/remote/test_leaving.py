"""A remote bot that says that it leaves plays its matches to their end, and gets no other."""

from __future__ import annotations

import grpc
import pytest

from arena.bots.remote import BotAway
from arena.views.ladders.standing import standings
from sevens.bot.v1.bot_service_pb2 import BotFrame, Leave
from sevens.bot.v1.match_pb2 import MatchEnd, MatchStart
from sevens.league.v1.remote_pb2 import RegisterRemoteRequest
from tests.server.remote.test_relay import BOT, relay_of
from tests.support.remote_streams import Dialled, Heard, question, welcomed
from tests.support.seats import until, within
from tests.support.served import Served

LEAVE = BotFrame(leave=Leave())


@pytest.fixture
async def token(server: Served) -> str:
    request = RegisterRemoteRequest(bot=BOT, ladder="main")
    return (await server.person("Ann").call("RegisterRemote", request)).token


async def goes(bot: Dialled) -> None:
    """Waits for the goodbye, and leaves."""
    assert (await bot.hear()).HasField("goodbye")
    await bot.call.done_writing()
    assert await bot.code() is grpc.StatusCode.OK


async def becomes(server: Served, state: str) -> None:
    """Waits until the bot has that state on the ladder."""

    def is_so() -> bool:
        with server.store.reading() as session:
            [entry] = standings(session, "main")
        return entry.state == state

    await until(is_so)


async def test_without_a_match_it_is_let_go_at_once(server: Served, token: str) -> None:
    async with welcomed(server.grpc, token) as bot:
        await becomes(server, "active")
        await bot.say(LEAVE)
        await goes(bot)


async def test_its_match_is_played_on_and_no_other_begins(
    server: Served, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = Heard()
    async with welcomed(server.grpc, token, 2) as bot, relay_of(server) as relay:
        async with relay.seat(BOT, "m") as seated:
            line = seated.sit("m", heard)
            line.send_start(MatchStart(match_id="m", game="xeri"))
            await bot.accept("m")
            await becomes(server, "active")
            await bot.say(LEAVE)
            await bot.say(LEAVE)
            await becomes(server, "offline")
            assert server.gateway.room(BOT, "xeri") == 0
            monkeypatch.setattr("arena.server.remote.relay.SEATED_WITHIN_S", 3600.0)
            with pytest.raises(BotAway, match=f"{BOT} left before its match began"):
                async with relay.seat(BOT, "another"):
                    raise AssertionError
            line.ask(question("m"))
            await bot.answer("pass")
            assert (await within(heard.answered_.get()))[0].text == "pass"
            line.send_end(MatchEnd(match_id="m", reason="played-out"))
        frame = await bot.hear()
        assert [end.reason for end in frame.ends] == ["played-out"]
        if not frame.HasField("goodbye"):
            await goes(bot)
    assert heard.lost_.empty()


async def test_after_a_broken_stream_it_has_to_say_so_again(server: Served, token: str) -> None:
    heard = Heard()
    async with (
        welcomed(server.grpc, token) as bot,
        relay_of(server) as relay,
        relay.seat(BOT, "m") as seated,
    ):
        line = seated.sit("m", heard)
        line.send_start(MatchStart(match_id="m", game="xeri"))
        await bot.accept("m")
        await bot.say(LEAVE)
        await becomes(server, "offline")
        bot.call.cancel()
        async with welcomed(server.grpc, token) as again:
            await within(heard.restored_.get())
            await becomes(server, "active")
            await again.say(LEAVE)
            await becomes(server, "offline")
            line.send_end(MatchEnd(match_id="m", reason="played-out"))
            frame = await again.hear()
            assert frame.ends
            if not frame.HasField("goodbye"):
                await goes(again)
    assert heard.lost_.empty()
