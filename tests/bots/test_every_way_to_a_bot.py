"""The contract of every bot, however it is reached."""

from __future__ import annotations

import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest

from arena.bots.host import Bot, Host
from arena.bots.isolation import Isolation
from arena.bots.references import find_bot
from tests.support.container_engine import find_image
from tests.support.puppets import SCRIPTED
from tests.support.seats import SEED, Seat

RANDOM = str(SCRIPTED / "random_bot.py")
LEGAL = ("play 7S", "play 8S", "play AH", "pass")


@pytest.fixture(
    params=[
        pytest.param(("bubblewrap", RANDOM), marks=pytest.mark.needs("bubblewrap"), id="sandbox"),
        pytest.param(("none", RANDOM), id="process"),
        pytest.param(("none", "builtin:random"), id="builtin"),
        pytest.param(
            ("none", "image"), marks=pytest.mark.needs("a container engine"), id="container"
        ),
    ]
)
async def bot(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Bot]:
    isolation, reference = request.param
    if reference == "image":
        build_image = request.getfixturevalue("build_image")
        shutil.copy(RANDOM, tmp_path)
        image = build_image(tmp_path, ["python", "random_bot.py"])
    async with Host(Isolation(isolation)) as host:
        source = find_image(image) if reference == "image" else find_bot(reference)
        yield await host.start(source, matches_at_once=64)


async def test_a_match_is_accepted_and_decisions_are_answered(bot: Bot) -> None:
    seat = Seat(bot, "m")  # before the bot is ready: messages are queued
    assert len(await seat.acceptance()) <= 32
    for _ in range(3):
        answer = await seat.answer_to(*LEGAL)
        assert (answer.match_id, answer.number) == ("m", seat.number)
        assert answer.text in LEGAL or answer.index < len(LEGAL)


async def test_randomness_is_drawn_from_the_seed_and_the_number(bot: Bot) -> None:
    seat = Seat(bot, "m")
    answers = [(await seat.answer_to(*LEGAL)).index for _ in range(20)]
    numbers = range(1, 21)
    assert answers == [Random(SEED + n.to_bytes(4, "big")).randrange(4) for n in numbers]


async def test_a_question_is_stamped_when_sent_and_an_answer_when_it_arrives(bot: Bot) -> None:
    assert await bot.ready() is None
    seat = Seat(bot, "m")
    await seat.acceptance()
    before = time.monotonic()
    question = seat.ask(*LEGAL)
    _, at = await seat.heard.answered.get()
    assert question.sent_at is not None
    assert before <= question.sent_at <= at <= time.monotonic()


async def test_one_bot_plays_many_matches(bot: Bot) -> None:
    assert await bot.ready() is None
    assert bot.matches_at_once >= 64
    seats = [Seat(bot, f"m{i}") for i in range(64)]
    for seat in seats:
        await seat.acceptance()
        seat.ask(*LEGAL)
    for seat in seats:
        assert (await seat.answer()).match_id == seat.match_id
    assert all(seat.heard.lost.empty() for seat in seats)


async def test_a_closed_channel_sends_and_receives_nothing(bot: Bot) -> None:
    closed, other = Seat(bot, "closed"), Seat(bot, "other")
    await closed.acceptance()
    closed.ask(*LEGAL)
    closed.channel.close()
    closed.channel.close()
    closed.ask(*LEGAL)
    await other.answer_to(*LEGAL)
    await other.answer_to(*LEGAL)
    assert closed.heard.answered.empty()


async def test_a_listener_is_not_called_while_it_is_sending(bot: Bot) -> None:
    seat = Seat(bot, "m")
    assert seat.heard.accepted.empty()
    await seat.acceptance()
    seat.ask(*LEGAL)
    assert seat.heard.answered.empty()


async def test_a_bot_that_has_stopped_is_stopped_again_without_harm(bot: Bot) -> None:
    assert await bot.ready() is None
    await bot.stop("That was all.")
    await bot.stop("That was all.")
