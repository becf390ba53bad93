"""What the owner of a submission sees while it is going on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import create_autospec

import grpc
import grpc.aio
import pytest

from arena.server.limits import SERVER_LIMITS
from arena.server.submissions.progress import LINE_BYTES, Progress, TrialStep, Write
from arena.server.submissions.trial import TrialPlaces
from arena.store.schema import Role
from sevens.league.v1.submission_pb2 import (
    Step,
    StepBegun,
    SubmitOutcome,
    SubmitRequest,
    SubmitResponse,
)
from tests.support.clock import StoppedClock
from tests.support.seats import until
from tests.support.served import FIELD, Person, Serve, Served, archive_of

WAITING_BUILD = """
import pathlib, time
print("waiting", flush=True)
while not pathlib.Path({!r}).exists():
    time.sleep(0.02)
"""


def building(bot: Path, build: str) -> bytes:
    (bot / "build.py").write_text(build)
    with (bot / "bot.toml").open("a") as manifest:
        manifest.write('build = ["python", "build.py"]\n')
    return archive_of(bot)


async def watched(person: Person, content: bytes) -> AsyncIterator[SubmitResponse]:
    call = person.stub.Submit(person.parts(content), metadata=person.metadata)
    async for event in call:
        yield event


async def nothing_yet() -> AsyncIterator[SubmitRequest]:
    """A caller who has sent nothing: grpc.aio puts a status of its own in the place of one that
    arrives while it sends."""
    await asyncio.Event().wait()
    yield SubmitRequest()


def told(events: list[SubmitResponse]) -> list[str]:
    """Returns each event in a few words."""
    words = {
        "begun": lambda event: f"{event.begun.name}…",
        "progress": lambda event: event.progress.line,
        "ended": lambda event: f"{event.ended.name} {'passed' if event.ended.passed else 'failed'}",
        "outcome": lambda event: "accepted" if event.outcome.accepted else "refused",
    }
    return [words[str(event.WhichOneof("event"))](event) for event in events]


async def test_each_step_is_reported_and_the_outcome_is_that_of_submit(
    server: Served, bot: Path, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    content = building(bot, WAITING_BUILD.format(str(gate)))
    events = []
    async for event in watched(server.person("Ann"), content):
        events.append(event)
        if event.HasField("progress"):
            gate.touch()
    assert told(events) == [
        *("archive…", "archive passed"),
        *("build…", "waiting", "build passed"),
        *("start…", "start passed", "match…", "match passed", "accepted"),
    ]
    outcome = events[-1].outcome
    assert [event.ended for event in events if event.HasField("ended")] == list(outcome.steps)
    assert outcome.version.number == 1
    again = await server.person("Ann").submits(content)
    assert again.version == outcome.version


async def test_a_failed_step_is_the_last(server: Served, bot: Path) -> None:
    (bot / "bot.py").write_text("import sys\nsys.exit('no luck today')\n")
    events = [event async for event in watched(server.person("Ann"), archive_of(bot))]
    assert told(events)[-3:] == ["start…", "start failed", "refused"]
    assert "no luck today" in events[-2].ended.output
    assert server.kept() == []


async def test_a_refusal_is_a_status_as_in_submit(server: Served, bot: Path) -> None:
    (bot / "bot.toml").write_text("name = 7\n")
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        _ = [event async for event in watched(server.person("Ann"), archive_of(bot))]
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert dict(refused.value.trailing_metadata() or ())[FIELD] == "bot"


@pytest.mark.parametrize(
    ("role", "code"),
    [
        (None, grpc.StatusCode.UNAUTHENTICATED),
        (Role.READER, grpc.StatusCode.PERMISSION_DENIED),
        (Role.WORKER, grpc.StatusCode.PERMISSION_DENIED),
    ],
)
async def test_only_owners_and_organisers_submit(
    server: Served, role: Role | None, code: grpc.StatusCode
) -> None:
    person = server.stranger("sat_x") if role is None else server.person("Ann", role)
    call = person.stub.Submit(nothing_yet(), metadata=person.metadata)
    assert await call.code() is code


async def test_a_caller_who_cancels_withdraws_the_submission(server: Served, bot: Path) -> None:
    ann, content = server.person("Ann"), building(bot, WAITING_BUILD.format("/nowhere"))
    call = ann.stub.Submit(ann.parts(content), metadata=ann.metadata)
    async for event in call:
        if event.HasField("progress"):
            break
    assert server.kept() != []
    call.cancel()
    await until(lambda: not server.kept())
    (bot / "build.py").write_text("")
    assert (await ann.submits(archive_of(bot))).version.number == 1


async def test_who_waits_is_told_how_many_are_before_them(
    serve: Serve, bot: Path, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"
    anns = building(bot, WAITING_BUILD.format(str(gate)))
    (bot / "bot.toml").write_text((bot / "bot.toml").read_text().replace("random", "bob"))
    async with serve(replace(SERVER_LIMITS, trials=1)) as server:
        ann = watched(server.person("Ann"), anns)
        while not (await anext(ann)).HasField("progress"):
            pass
        events = []
        async for event in watched(server.person("Bob"), archive_of(bot)):
            events.append(event)
            if event.HasField("progress"):
                gate.touch()
        assert told([event async for event in ann])[-1] == "accepted"
    assert told(events)[:5] == [
        *("archive…", "archive passed", "queue…"),
        "1 submission is before yours; the server tries 1 at a time.",
        "build…",
    ]
    assert told(events)[-1] == "accepted"


async def test_places_are_taken_in_the_order_of_arrival() -> None:
    places, people = TrialPlaces(2), [Progress() for _ in range(5)]
    leave, order = [asyncio.Event() for _ in people], []

    async def go(number: int) -> None:
        async with places.take(people[number]):
            order.append(number)
            await leave[number].wait()

    trials = [asyncio.create_task(go(number)) for number in range(5)]
    await asyncio.sleep(0)
    lines = [person._line() for person in people]
    assert [line.partition(";")[0] for line in lines] == [
        *("", ""),
        *(f"{number} submissions are before yours" for number in (2, 3, 4)),
    ]
    trials[2].cancel()
    leave[0].set()
    await asyncio.wait(trials[:1])
    await asyncio.sleep(0)
    assert order == [0, 1, 3]
    assert people[4]._line().startswith("2 submissions are before yours")
    for event in leave:
        event.set()
    await asyncio.wait(trials)
    assert order == [0, 1, 3, 4]


async def test_only_the_latest_line_is_written_however_fast_they_come() -> None:
    progress, written = Progress(), []
    numbers = iter(range(10**9))
    progress.begin("build", lambda: f"{next(numbers)} " + "x" * 10_000)

    async def write(event: SubmitResponse) -> None:
        written.append(event)
        if event.HasField("progress"):
            progress.end(TrialStep("build", "Done."))
            progress.conclude(SubmitOutcome(accepted=True))

    await progress.report(write)
    assert written[0] == SubmitResponse(begun=StepBegun(name="build"))
    assert len(written[1].progress.line) == LINE_BYTES
    assert written[2:] == [
        SubmitResponse(ended=Step(name="build", passed=True, sentence="Done.")),
        SubmitResponse(outcome=SubmitOutcome(accepted=True)),
    ]


async def test_a_refusal_comes_after_what_is_being_written(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    report, written = Progress.report, []

    async def late(self: Progress, write: Write) -> None:
        async def write_late(event: SubmitResponse) -> None:
            await asyncio.sleep(0.2)  # the archive is refused meanwhile
            await write(event)
            written.append(event)

        await report(self, write_late)

    monkeypatch.setattr(Progress, "report", late)
    with pytest.raises(grpc.aio.AioRpcError, match="is not a readable"):
        _ = [event async for event in watched(server.person("Ann"), b"\x00")]
    assert told(written) == ["archive…"]


async def test_who_does_not_read_does_not_hold_the_server(
    server: Served, bot: Path, clock: StoppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stuck(*_: object) -> None:
        await asyncio.Event().wait()

    async def all_events() -> list[SubmitResponse]:
        return [event async for event in watched(server.person("Ann"), archive_of(bot))]

    concluded = create_autospec(Progress.conclude, side_effect=Progress.conclude)
    monkeypatch.setattr(Progress, "conclude", concluded)
    # So few messages fit into what gRPC buffers, whether the caller reads them or not.
    monkeypatch.setattr(Progress, "report", stuck)
    submitting = asyncio.create_task(all_events())
    await clock.until(lambda: concluded.called)
    await clock.advance(SERVER_LIMITS.silence_s)
    with pytest.raises(grpc.aio.AioRpcError, match="did not read what became of it") as ended:
        await submitting
    assert ended.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert len(server.kept()) == 1
