"""Remote bots are registered, dial in, and are admitted or refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import grpc
import grpc.aio
import pytest
import sqlalchemy as sa

from arena.bots.remote import RemoteBounds
from arena.league.ladder.ladders import create_ladder
from arena.operations.versions import retire_version
from arena.server.limits import SERVER_LIMITS, Quotas
from arena.store.faults import suspend
from arena.store.remote_bots import latest_version
from arena.store.schema import Entry, Format, Partners, Remote
from arena.views.ladders.standing import standings
from sevens.bot.v1.bot_service_pb2 import (
    REFUSAL_REASON_PROTOCOL_ERROR,
    REFUSAL_REASON_PROTOCOL_VERSION,
    REFUSAL_REASON_TOKEN,
    REFUSAL_REASON_UNAVAILABLE,
    BotFrame,
    Hello,
    Refusal,
)
from sevens.bot.v1.decision_pb2 import Answer
from sevens.league.v1.remote_pb2 import RegisterRemoteRequest, RegisterRemoteResponse
from tests.support.patience import PATIENCE_S
from tests.support.remote_streams import dialling, welcomed
from tests.support.seats import until, within
from tests.support.served import Person, Refused, Serve, Served, archive_of

CODES = grpc.StatusCode


async def register(person: Person, bot: str = "ann-bot", **more: object) -> RegisterRemoteResponse:
    response: RegisterRemoteResponse = await person.call("RegisterRemote", request(bot, **more))
    return response


async def refused(person: Person, bot: str = "ann-bot", **more: object) -> Refused:
    return await person.refused("RegisterRemote", request(bot, **more))


def request(bot: str, **more: object) -> RegisterRemoteRequest:
    fields: dict[str, Any] = {"bot": bot, "ladder": "main", **more}
    return RegisterRemoteRequest(**fields)


def states(server: Served) -> dict[int, str]:
    with server.store.reading() as session:
        return {entry.number: entry.state for entry in standings(session, "main")}


def connected(server: Served) -> set[str]:
    """Returns the bots that readers see as connected."""
    with server.store.reading() as session:
        return set(session.scalars(sa.select(Remote.bot).where(Remote.connected)))


async def refusal_of(server: Served, hello: Hello) -> Refusal:
    async with dialling(server.grpc, hello) as dialled:
        return (await dialled.hear()).refusal


async def becomes(server: Served, expected: dict[int, str]) -> None:
    await until(lambda: states(server) == expected)


def rename(server: Served, table: str, name: str) -> None:
    with server.store.engine.begin() as connection:
        connection.execute(sa.text(f"ALTER TABLE {table} RENAME TO {name}"))


# Registering.


async def test_a_registered_bot_is_on_the_ladder_and_its_token_is_shown_once(
    server: Served,
) -> None:
    ann = server.person("Ann")
    first = await register(ann)
    assert (first.version.number, first.version.owner) == (1, "Ann")
    assert first.token.startswith("srt_")
    again = await register(ann)
    assert (again.version, again.token) == (first.version, "")
    assert states(server) == {1: "offline"}


async def test_a_new_version_has_a_rating_of_its_own_and_the_same_token(server: Served) -> None:
    ann = server.person("Ann")
    first = await register(ann)
    second = await register(ann, new_version=True)
    assert (second.version.number, second.token) == (2, "")
    assert second.version.version != first.version.version
    assert states(server) == {1: "withdrawn", 2: "offline"}
    async with welcomed(server.grpc, first.token):
        await becomes(server, {1: "withdrawn", 2: "active"})


async def test_what_is_retired_comes_back_when_registered_again(server: Served) -> None:
    ann = server.person("Ann")
    token = (await register(ann)).token
    await server.asker("Ann").ask(retire_version, "ann-bot", 1)
    told = await refusal_of(server, Hello(token=token, protocol=1))
    assert told.reason == REFUSAL_REASON_TOKEN
    assert "ann-bot is retired: register it again" in told.sentence
    assert (await register(ann)).version.number == 1
    async with welcomed(server.grpc, token):
        pass


async def test_names_belong_to_owners_and_are_remote_or_not(server: Served, bot: object) -> None:
    ann, bob = server.person("Ann"), server.person("Bob")
    await register(ann)
    other = await refused(bob)
    assert (other.code, other.field) == (CODES.ALREADY_EXISTS, "name")
    assert "belongs to Ann" in other.sentence
    assert (await bob.submits(archive_of(bot))).accepted  # type: ignore[arg-type]
    assert "whose files you submitted" in (await refused(bob, "random")).sentence
    await register(ann, "random-2")
    for name in ("Ann", "", "a b", "a" * 41, "../a"):
        wrong = await refused(ann, name)
        assert (wrong.code, wrong.field) == (CODES.INVALID_ARGUMENT, "bot")


async def test_files_do_not_come_under_a_remote_bots_name(server: Served, bot: object) -> None:
    ann = server.person("Ann")
    await register(ann, "random")
    told = await ann.submits_in_vain(archive_of(bot))  # type: ignore[arg-type]
    assert "random is a remote bot" in told.sentence


@pytest.mark.parametrize(
    ("game", "terms", "words"),
    [
        ("xeri", {"format": Format.DUPLICATE}, "cannot be made to forget"),
        ("seven-euchre", {"partners": Partners.SAME}, "holds one seat of a match"),
    ],
)
async def test_where_a_bot_needs_several_processes_no_remote_one_plays(
    server: Served, game: str, terms: dict[str, object], words: str
) -> None:
    create_ladder(server.store, "third", game, draw_probability=0.05, **terms)  # type: ignore[arg-type]
    told = await refused(server.person("Ann"), ladder="third")
    assert (told.code, told.field) == (CODES.FAILED_PRECONDITION, "ladder")
    assert words in told.sentence


async def test_quotas_hold_for_remote_bots(serve: Serve) -> None:
    async with serve(replace(SERVER_LIMITS, quotas=Quotas(versions_a_day=3, bots=2))) as server:
        ann = server.person("Ann")
        await register(ann, "a")
        await register(ann, "b")
        assert "limit of 2 bots" in (await refused(ann, "c")).sentence
        await register(ann, "a", new_version=True)
        assert (
            "limit of 3 accepted versions in 24 hours"
            in (await refused(ann, "a", new_version=True)).sentence
        )
        await register(ann, "a")


# Dialling in.


async def test_a_bot_is_active_while_it_is_connected(server: Served) -> None:
    token = (await register(server.person("Ann"))).token
    async with welcomed(server.grpc, token, matches_at_once=3):
        await becomes(server, {1: "active"})
        assert server.gateway.room("ann-bot", "xeri") == 3
    await becomes(server, {1: "offline"})
    assert server.gateway.room("ann-bot", "xeri") == 0


async def test_a_suspended_bot_is_told_so_and_how_to_come_back(server: Served) -> None:
    ann = server.person("Ann")
    token = (await register(ann)).token
    await ann.call("RegisterRemote", RegisterRemoteRequest(bot="ann-bot", ladder="other"))
    hello = Hello(token=token, protocol=1)
    for ladder, names in (("main", "main"), ("other", "main and from other")):
        with server.store.writing() as session:
            version = latest_version(session, "ann-bot")
            assert version is not None
            suspend(session.get_one(Entry, (ladder, version.digest)), "match")
        async with dialling(server.grpc, hello) as dialled:
            frame = await dialled.hear()
        told = frame.refusal.sentence if ladder == "other" else frame.welcome.notice
        assert told.startswith(f"The bot ann-bot is suspended from the ladder {names}, because")
        assert "arena submit remote:ann-bot --ladder main --new-version" in told
    await register(ann, new_version=True)
    async with dialling(server.grpc, hello) as dialled:
        assert (await dialled.hear()).welcome.notice == ""


async def test_a_bot_that_left_while_the_store_was_busy_is_offline(server: Served) -> None:
    token = (await register(server.person("Ann"))).token
    later = (await register(server.person("Bob"), "bob-bot")).token
    with server.store.writing() as session:
        session.execute(sa.text("UPDATE ladders SET name = name"))  # from now on others wait
        for _ in range(3):
            async with welcomed(server.grpc, token):
                pass
        assert connected(server) == set()
    async with welcomed(server.grpc, later):
        await until(lambda: "bob-bot" in connected(server))
        assert connected(server) == {"bob-bot"}


async def test_what_the_store_could_not_take_is_written_down_later(
    server: Served, caplog: pytest.LogCaptureFixture
) -> None:
    token = (await register(server.person("Ann"))).token
    async with welcomed(server.grpc, token):
        await becomes(server, {1: "active"})
        rename(server, "remotes", "away")
    await until(lambda: "cannot be recorded" in caplog.text)
    rename(server, "away", "remotes")
    await becomes(server, {1: "offline"})


async def test_a_bot_has_room_only_for_the_games_that_it_plays(server: Served) -> None:
    token = (await register(server.person("Ann"))).token
    hello = Hello(token=token, protocol=1, games=["dingo"], matches_at_once=1000)
    async with dialling(server.grpc, hello) as dialled:
        assert (await dialled.hear()).HasField("welcome")
        assert server.gateway.room("ann-bot", "xeri") == 0
        assert server.gateway.room("ann-bot", "dingo") == 64


async def test_a_refused_bot_learns_why(server: Served) -> None:
    ann = server.person("Ann")
    token = (await register(ann)).token
    unknown = await refusal_of(server, Hello(token="srt_x", protocol=1))
    assert unknown.reason == REFUSAL_REASON_TOKEN
    assert "--new-token" in unknown.sentence
    other = await refusal_of(server, Hello(token=token, protocol=2))
    assert other.reason == REFUSAL_REASON_PROTOCOL_VERSION
    async with dialling(server.grpc, Hello(token=token, protocol=1)) as dialled:
        await dialled.hear()
        await dialled.say(BotFrame(hello=Hello(token=token, protocol=1)))
        assert (await dialled.hear()).refusal.reason == REFUSAL_REASON_PROTOCOL_ERROR
    new = (await register(ann, new_token=True)).token
    assert new != token
    old = await refusal_of(server, Hello(token=token, protocol=1))
    assert old.reason == REFUSAL_REASON_TOKEN
    async with welcomed(server.grpc, new):
        pass


async def test_while_the_store_cannot_be_used_bots_are_to_dial_again(server: Served) -> None:
    token = (await register(server.person("Ann"))).token
    for table in ("remotes", "versions"):  # the bot is not found, and then cannot be admitted
        rename(server, table, "away")
        async with dialling(server.grpc, Hello(token=token, protocol=1)) as dialled:
            assert await dialled.code() is CODES.UNAVAILABLE  # SDKs dial again after this status
            assert "The arena cannot use its store" in await within(dialled.call.details())
        rename(server, "away", table)
    async with welcomed(server.grpc, token):
        await becomes(server, {1: "active"})


async def test_a_new_token_ends_the_stream_of_the_old_one(server: Served) -> None:
    ann = server.person("Ann")
    async with welcomed(server.grpc, (await register(ann)).token) as dialled:
        await register(ann, new_token=True)
        assert "The bot has a new token" in (await dialled.hear()).refusal.sentence
        assert await dialled.code() is CODES.OK
    await becomes(server, {1: "offline"})


async def test_a_newer_stream_takes_the_place_of_the_one_before(server: Served) -> None:
    token = (await register(server.person("Ann"))).token
    async with (
        welcomed(server.grpc, token) as first,
        welcomed(server.grpc, token, matches_at_once=2),
    ):
        assert "Another program has dialled in" in (await first.hear()).refusal.sentence
        assert await first.code() is CODES.OK
        assert server.gateway.room("ann-bot", "xeri") == 2
        await becomes(server, {1: "active"})


async def test_who_does_not_say_hello_is_cut_off(serve: Serve) -> None:
    limits = replace(SERVER_LIMITS, remotes=RemoteBounds(hello_s=0.2))
    async with serve(limits) as server, silent(server.grpc) as call:
        assert b"did not say hello within 0.2 seconds" in await within(call.read())
        assert await call.code() is CODES.OK


async def test_silent_strangers_do_not_keep_bots_out(serve: Serve) -> None:
    limits = replace(SERVER_LIMITS, remotes=RemoteBounds(hello_s=60, strangers=2))
    async with serve(limits) as server:
        token = (await register(server.person("Ann"))).token
        async with (
            silent(server.grpc) as first,
            silent(server.grpc) as second,
            silent(server.grpc) as third,
        ):
            async with welcomed(server.grpc, token):
                pass
            ended = {asyncio.create_task(call.read()) for call in (first, second, third)}
            done, waiting = await asyncio.wait(
                ended, timeout=PATIENCE_S, return_when="FIRST_COMPLETED"
            )
            assert b"because many others dial in" in done.pop().result()
            for task in waiting:
                task.cancel()


@asynccontextmanager
async def silent(address: str) -> AsyncIterator[Any]:
    """A stream on which nothing is sent."""
    options = (("grpc.use_local_subchannel_pool", 1),)
    async with grpc.aio.insecure_channel(address, options) as channel:
        call = channel.stream_stream("/sevens.bot.v1.BotService/Play")()
        await call.wait_for_connection()
        yield call
        call.cancel()


async def test_a_limited_number_of_bots_is_admitted(serve: Serve) -> None:
    async with serve(replace(SERVER_LIMITS, remotes=RemoteBounds(bots=1))) as server:
        ann = server.person("Ann")
        one, other = (await register(ann, "a")).token, (await register(ann, "b")).token
        async with welcomed(server.grpc, one), welcomed(server.grpc, one):
            told = await refusal_of(server, Hello(token=other, protocol=1))
            assert told.reason == REFUSAL_REASON_UNAVAILABLE


async def test_large_frames_and_floods_end_the_stream(server: Served) -> None:
    token = (await register(server.person("Ann"))).token
    async with welcomed(server.grpc, token) as dialled:
        await dialled.say(BotFrame(answers=[Answer(note="x" * (1 << 20))]))
        assert "at most 1,048,576 are allowed" in (await dialled.hear()).refusal.sentence
    async with welcomed(server.grpc, token) as dialled:
        await dialled.say(BotFrame(answers=[Answer(match_id="m", number=1)] * 1001))
        assert "unsolicited messages" in (await dialled.hear()).refusal.sentence


async def test_a_closing_server_sends_bots_to_the_next(serve: Serve) -> None:
    async with serve() as server:
        token = (await register(server.person("Ann"))).token
        options = (("grpc.use_local_subchannel_pool", 1),)
        channel = grpc.aio.insecure_channel(server.grpc, options)
        play = channel.stream_stream("/sevens.bot.v1.BotService/Play")()
        await play.write(BotFrame(hello=Hello(token=token, protocol=1)).SerializeToString())
        await play.read()
    assert await play.code() is CODES.UNAVAILABLE  # SDKs dial again after this status
    assert "is restarting" in await play.details()
    await channel.close()
