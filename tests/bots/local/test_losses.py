"""Lost bots are reported to their seats, and are started again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from time import monotonic
from unittest.mock import Mock

import pytest

from arena.bots import Host, Isolation
from arena.bots.local import Output
from arena.bots.local.lifecycle import MOST_STARVED_S, Lifecycle
from arena.bots.local.local_bot import FRUITLESS_PROCESSES, LocalBot
from arena.protocol.faults import FaultKind
from tests.support.clock import StoppedClock
from tests.support.puppets import MakePuppet, StartPuppet
from tests.support.seats import Seat, until

# What only the stream shows is the same in a sandbox: there it is tried at night.
by_stream = pytest.mark.parametrize(
    "isolation",
    [
        pytest.param(
            Isolation.BUBBLEWRAP, marks=[pytest.mark.needs("bubblewrap"), pytest.mark.nightly]
        ),
        Isolation.NONE,
    ],
)


@by_stream
async def test_a_hello_may_come_late(start_puppet: StartPuppet) -> None:
    bot = await start_puppet("sleep=0.5")
    seat = Seat(bot, "m")
    assert await bot.ready() is None
    assert await seat.acceptance() == b"puppet"


async def test_no_hello_within_the_grace(start_puppet: StartPuppet, clock: StoppedClock) -> None:
    bot = await start_puppet("print=still-thinking", "sleep=60", grace=3)
    seat = Seat(bot, "m")
    await clock.until(lambda: "still-thinking" in seat.channel.stderr())
    await clock.advance(3 + MOST_STARVED_S)  # this machine may be busy
    loss = await seat.loss()
    assert await bot.ready() == loss
    assert loss.kind is FaultKind.START_FAILED
    assert "did not say hello within 3 seconds" in loss.sentence
    assert loss.words == "Its last output:\nstill-thinking"


async def test_time_without_a_processor_is_no_part_of_the_grace(clock: StoppedClock) -> None:
    start = Lifecycle(Mock(output=Output()), start_grace=20)
    loss = asyncio.create_task(start.loss())
    start.uses(memory_share=0.1, waited_s=7)
    await clock.advance(26.9)
    assert not loss.done()
    start.uses(memory_share=0.1, waited_s=1000)
    await clock.advance(20 + MOST_STARVED_S - 27)
    assert not loss.done()
    await clock.advance(0.2)
    assert loss.result().kind is FaultKind.START_FAILED


async def test_an_end_before_the_hello_is_reported_with_the_last_output(
    start_puppet: StartPuppet,
) -> None:
    bot = await start_puppet("print=no-such-model", "exit=3")
    seat = Seat(bot, "m")
    loss = await seat.loss()
    assert loss.kind is FaultKind.START_FAILED
    assert "ended with exit code 3 before it said hello" in loss.sentence
    assert "no-such-model" in loss.words
    assert "no-such-model" not in loss.sentence
    assert "no-such-model" in seat.channel.stderr()
    # No more processes are started, and a later seat receives the same report.
    assert (await Seat(bot, "later").loss()).kind is FaultKind.START_FAILED


@by_stream
@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("token=wrong", "The bot's token is wrong; the right one is in ARENA_TOKEN."),
        ("protocol=2", "The bot speaks version 2 of the protocol; this arena speaks version 1."),
    ],
)
async def test_a_hello_that_is_refused(start_puppet: StartPuppet, word: str, sentence: str) -> None:
    seat = Seat(await start_puppet(word), "m")
    loss = await seat.loss()
    assert (loss.kind, loss.sentence) == (FaultKind.START_FAILED, sentence)


@by_stream
async def test_a_game_that_the_bot_does_not_play(start_puppet: StartPuppet) -> None:
    bot = await start_puppet("games=hearts")
    early = Seat(bot, "early", game="xeri")
    loss = await early.loss()
    late = Seat(bot, "late", game="xeri")
    assert loss == await late.loss()
    assert loss.kind is FaultKind.START_FAILED
    assert loss.sentence == "The bot does not play xeri."
    assert loss.words == "Its hello names hearts."
    assert await Seat(bot, "other", game="hearts").acceptance() == b"puppet"


async def test_a_crash_and_a_fresh_process_for_the_matches_that_go_on(
    start_puppet: StartPuppet,
) -> None:
    bot = await start_puppet()
    owing, idle = Seat(bot, "owing"), Seat(bot, "idle")
    await owing.acceptance()
    await idle.acceptance()
    await idle.answer_to("answer")
    await owing.answer_to("say one two three")
    owing.ask("exit 7")
    loss = await owing.loss()
    assert loss.kind is FaultKind.CRASHED
    assert "The bot's process ended with exit code 7." in loss.sentence
    assert "one two three" in loss.words
    owing.channel.close()
    assert (await idle.loss()).kind is FaultKind.CRASHED
    idle.ask("answer")  # while the bot is away: it is dropped
    await idle.restoration()
    idle.number -= 1
    idle.send_start(resumed=True)
    await idle.acceptance()
    assert (await idle.answer_to("answer")).number == 2
    assert owing.channel.stderr().startswith("[The process played several matches at once")
    assert owing.heard.restored.empty()


async def test_an_end_is_known_though_something_of_it_lives_on(start_puppet: StartPuppet) -> None:
    bot = await start_puppet()
    seat = Seat(bot, "m")
    await seat.answer_to("leave-behind 100")
    seat.ask("exit 7")
    loss = await seat.loss()
    assert (loss.kind, "exit code 7" in loss.sentence) == (FaultKind.CRASHED, True)
    seat.channel.close()
    async with asyncio.timeout(60):
        await bot.stop("That was all.")


async def test_a_signal_is_named(start_puppet: StartPuppet) -> None:
    seat = Seat(await start_puppet(), "m")
    await seat.acceptance()
    seat.ask("die SIGSEGV")
    loss = await seat.loss()
    assert loss.kind is FaultKind.CRASHED
    assert "was ended by SIGSEGV" in loss.sentence


@by_stream
async def test_a_fresh_process_starts_for_the_next_match(start_puppet: StartPuppet) -> None:
    bot = await start_puppet()
    seat = Seat(bot, "first")
    await seat.answer_to("answer")
    seat.ask("exit 1")
    await seat.loss()
    seat.channel.close()
    assert (await Seat(bot, "second").answer_to("answer")).match_id == "second"


@by_stream
async def test_a_bot_that_never_answers_is_not_started_for_ever(
    start_puppet: StartPuppet,
) -> None:
    seat = Seat(await start_puppet(), "m")
    await seat.acceptance()
    for _ in range(2):
        seat.ask("exit 1")
        await seat.loss()
        await seat.restoration()
    seat.ask("exit 1")
    loss = await seat.loss()
    assert loss.kind is FaultKind.CRASHED
    assert "3 processes in a row were lost before they answered anything" in loss.sentence
    seat.ask("answer")
    assert await seat.loss() == loss


async def test_a_stream_that_comes_back_at_once(start_puppet: StartPuppet) -> None:
    seat = Seat(await start_puppet(), "m")
    await seat.acceptance()
    seat.ask("hang-up 0.1")
    await seat.restoration()
    assert seat.heard.lost.empty()
    seat.send_start(resumed=True)
    await seat.acceptance()
    await seat.answer_to("answer")


@by_stream
async def test_a_stream_that_comes_back_too_late(start_puppet: StartPuppet) -> None:
    seat = Seat(await start_puppet(), "m")
    await seat.acceptance()
    seat.ask("hang-up 5.5")
    loss = await seat.loss()
    assert loss.kind is FaultKind.DISCONNECTED
    assert "stream broke while its process went on" in loss.sentence
    await seat.restoration()
    seat.send_start(resumed=True)
    await seat.acceptance()
    await seat.answer_to("answer")


@by_stream
@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("garbage", "The bot sent 100 bytes that are no sevens.bot.v1.BotFrame."),
        ("giant 2", "The bot sent a frame of 2,097,152 bytes; at most 1,048,576 are allowed."),
        ("hello-again", "The bot said hello a second time on one stream."),
    ],
)
async def test_a_broken_protocol_and_a_fresh_process(
    start_puppet: StartPuppet, command: str, sentence: str
) -> None:
    seat = Seat(await start_puppet(), "m")
    await seat.answer_to("answer")
    seat.ask(command)
    loss = await seat.loss()
    assert (loss.kind, loss.sentence) == (FaultKind.PROTOCOL_ERROR, sentence)
    await seat.restoration()
    seat.send_start(resumed=True)
    await seat.answer_to("answer")


@by_stream
async def test_a_bot_that_makes_call_after_call_is_lost_and_replaced(
    start_puppet: StartPuppet,
) -> None:
    before = monotonic()
    bot = await start_puppet()
    seat = Seat(bot, "m")
    await seat.answer_to("answer")
    assert 0.0 < seat.channel.handled_s < monotonic() - before
    seat.ask("call-again 100")
    loss = await seat.loss()
    assert loss.kind is FaultKind.PROTOCOL_ERROR
    assert loss.sentence.startswith("The bot opened stream after stream")
    await seat.restoration()
    seat.send_start(resumed=True)
    await seat.answer_to("answer")


@by_stream
async def test_a_frame_that_grpc_refuses_looks_like_hanging_up(start_puppet: StartPuppet) -> None:
    seat = Seat(await start_puppet(), "m")
    await seat.answer_to("answer")
    seat.ask("giant 5")
    loss = await seat.loss()
    assert loss.kind in (FaultKind.DISCONNECTED, FaultKind.CRASHED)


@by_stream
async def test_answers_for_matches_that_are_not_open_are_counted(
    start_puppet: StartPuppet,
) -> None:
    bot = await start_puppet()
    seat = Seat(bot, "m")
    await seat.answer_to("answer-for nobody")
    assert isinstance(bot, LocalBot)
    assert bot.ignored_answers == 1
    assert seat.heard.lost.empty()


@by_stream
async def test_a_match_has_one_seat_in_a_process(start_puppet: StartPuppet) -> None:
    bot = await start_puppet()
    Seat(bot, "m")
    with pytest.raises(ValueError, match="has a seat in match m already"):
        Seat(bot, "m")


@by_stream
async def test_a_bot_that_does_not_read_is_lost(start_puppet: StartPuppet) -> None:
    bot = await start_puppet()
    seat, other = Seat(bot, "m"), Seat(bot, "other")
    await seat.answer_to("answer")
    seat.ask("sleep 60")
    for _ in range(100):
        other.ask("answer", "x" * 500_000)
        await asyncio.sleep(0)
    loss = await seat.loss()
    assert loss.kind is FaultKind.PROTOCOL_ERROR
    assert "left more than 32 MiB of what it was sent unread" in loss.sentence


@by_stream
async def test_what_a_bot_writes_is_kept_up_to_a_bound(start_puppet: StartPuppet) -> None:
    bot = await start_puppet()
    seat = Seat(bot, "m")
    await seat.answer_to("say first words")
    await until(lambda: seat.channel.stderr() != "")
    seat.channel.close()
    late = Seat(bot, "late")
    await late.answer_to("flood 1")
    await late.answer_to("say after")
    await until(lambda: late.channel.stderr().endswith("after\n"))
    text = late.channel.stderr()
    assert "first words" not in text
    assert 60_000 < len(text) < 70_000
    assert "bytes before this were not kept" in text.splitlines()[0]


async def test_the_output_of_matches_at_once_is_in_none_of_their_logs_but_in_a_file(
    make_puppet: MakePuppet, tmp_path: Path
) -> None:
    file = tmp_path / "puppet-1.output.txt"
    async with Host(Isolation.NONE) as host:
        bot = await host.start(make_puppet(), shared_output=file)
        alone = Seat(bot, "alone")
        await alone.answer_to("say alone")
        await until(lambda: alone.channel.stderr() == "alone\n")
        alone.channel.close()
        one, other = Seat(bot, "one"), Seat(bot, "other")
        await one.answer_to("say mine")
        await other.answer_to("answer")
        await until(lambda: one.channel.stderr() != "")
        told = f"[The process played several matches at once, so its output cannot be split by \
match. All of the output is in {file}; with matches_at_once = 1 each match has its own.]\n"
        assert [one.channel.stderr(), other.channel.stderr()] == [told, told]
        assert alone.channel.stderr() == "alone\n"
    assert "mine\n" in file.read_text()


@by_stream
async def test_a_channel_has_what_was_written_while_it_was_open(start_puppet: StartPuppet) -> None:
    bot = await start_puppet()
    first = Seat(bot, "first")
    await first.answer_to("say one")
    await until(lambda: first.channel.stderr() != "")
    first.channel.close()
    second = Seat(bot, "second")
    await second.answer_to("say two")
    await until(lambda: second.channel.stderr() != "")
    assert first.channel.stderr() == "one\n"
    assert second.channel.stderr() == "two\n"


@by_stream
async def test_a_bot_that_leaves_is_let_go_and_the_next_match_gets_another_process(
    start_puppet: StartPuppet,
) -> None:
    bot = await start_puppet()
    for round_ in range(FRUITLESS_PROCESSES + 1):
        seat = Seat(bot, f"leaves {round_}")
        await seat.answer_to("resign")
        early = Seat(bot, f"early {round_}")
        await seat.answer_to("answer")
        seat.channel.close()
        # The process has gone, and another one accepts what the first was not told of.
        assert await early.acceptance() == b"puppet"
        assert early.heard.lost.empty()
        assert seat.heard.lost.empty()
        early.channel.close()
    assert not bot.losses
