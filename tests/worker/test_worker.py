"""A worker's treatment of jobs, on a real Valkey."""

import asyncio
import json
import os
import re
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
import redis

import arena
from arena.bots.host import Bot, Host
from arena.bots.interface import ArenaFailure, BotLost, Listener, MachineFailure
from arena.bots.isolation import Isolation
from arena.bots.references import find_bot
from arena.bots.sockets import private_folder
from arena.league.outcome_verification import WrongOutcome, check
from arena.protocol.faults import FaultKind
from arena.queue.embedded_valkey import EmbeddedValkey
from arena.queue.job import Clock, Job, Origin, Outcome
from arena.queue.queue_watch import QueueWatch
from arena.queue.redis_queue import ATTEMPTS, Lease, Queue
from arena.records.record import read_compressed
from arena.records.verification import verify
from arena.worker.play_job import time_limit_s
from arena.worker.process_pool import Pool
from arena.worker.worker import GIVE_BACK_WITHIN_S, Worker
from tests.support.clock import StoppedClock, stopped_clock
from tests.support.opened_queues import until_renewed
from tests.support.queue_messages import KEY
from tests.support.seats import until
from tests.support.stand_ins import (
    ANN,
    BOB,
    Stable,
    StandIn,
    StandInLine,
    Thinker,
    ThinkersLine,
    new_job,
)

SAMPLE_BOTS = Path(arena.__file__).parent.parent / "sample_bots"
RENEW_EVERY_S = 0.05
SOON_S = 25.0


@pytest.fixture(autouse=True)
def workers_look_up_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.worker.worker.TAKE_WAIT_S", 0.1)


names = count(1)


async def passed() -> None:
    """A trial of a machine that can play."""


@asynccontextmanager
async def working(
    queue: Queue,
    start: Callable[[str], Awaitable[Bot]],
    *,
    at_once: int = 1,
    trial: Callable[[], Awaitable[None]] = passed,
) -> AsyncIterator[tuple[Worker, "asyncio.Task[None]"]]:
    """Runs a worker for as long as the context lasts; it is cancelled if it still runs then."""
    name = f"w{next(names)}"
    worker = Worker(
        name, queue, Pool(start), at_once=at_once, renew_every_s=RENEW_EVERY_S, trial=trial
    )
    running = asyncio.create_task(worker.run())
    try:
        yield worker, running
    finally:
        running.cancel()
        await asyncio.wait([running])
    if not running.cancelled():
        running.result()


async def next_outcome(queue: Queue, within_s: float = SOON_S) -> Outcome:
    async with asyncio.timeout(within_s):
        while True:
            for delivered in await queue.outcomes(1, 1):
                assert delivered.outcome is not None, delivered.problem
                await queue.acknowledge(delivered)
                return delivered.outcome


async def played(queue: Queue, job: Job, stable: Stable) -> Outcome:
    await queue.put(job)
    async with working(queue, stable.start):
        return await next_outcome(queue)


def records(outcome: Outcome) -> list[dict[str, object]]:
    assert outcome.failure == ""
    texts = [read_compressed(match.record).text for match in outcome.matches]
    for text in texts:
        verdict = verify(text)
        assert verdict.ok, verdict.sentence
    return [json.loads(text) for text in texts]


async def seated(stable: Stable, bots: int) -> None:
    """Waits until that number of bots sit at a match."""
    await until(lambda: len(stable.bots) >= bots and all(bot.seated for bot in stable.bots))


@asynccontextmanager
async def impatient(queue: Queue) -> AsyncIterator[Queue]:
    """A queue whose workers take any leased job, whether its lease is renewed or not."""
    other = Queue(queue.url, KEY, lease_s=0.0)
    yield other
    await other.close()


async def leased_again(queue: Queue) -> Lease:
    """Makes the one lease expire and another worker take it."""
    async with impatient(queue) as other:
        lease = await other.take("thief", 0)
    assert lease is not None
    return lease


async def test_a_job_is_played_and_its_record_verifies(queue: Queue) -> None:
    stable = Stable()
    outcome = await played(queue, new_job(), stable)
    [record] = records(outcome)
    assert (outcome.job_id, outcome.attempt, outcome.result_token) == ("a", 1, "token of a")
    assert (record["job_id"], record["attempt"], record["match_number"]) == ("a", 1, 1)
    assert record["faults"] == []
    assert await queue.waiting_job_ids() == set()


async def test_real_bots_play_as_processes_and_stay_warm(queue: Queue, tmp_path: Path) -> None:
    bots = {digit * 64: name for digit, name in (("a", "random_bot"), ("b", "xeri_fisher"))}
    started: list[str] = []

    async with Host(Isolation.NONE) as host:

        async def start(version: str) -> Bot:
            started.append(version)
            return await host.start(find_bot(str(SAMPLE_BOTS / bots[version])))

        async with working(queue, start):
            for job_id in ("a", "b", "c"):
                await queue.put(new_job(job_id))
            outcomes = [await next_outcome(queue) for _ in range(3)]
    assert {outcome.job_id for outcome in outcomes} == {"a", "b", "c"}
    assert [record["faults"] for one in outcomes for record in records(one)] == [[]] * 3
    assert sorted(started) == sorted(bots)


async def test_a_worker_plays_several_jobs_at_once(queue: Queue, raw: redis.Redis) -> None:
    stable = Stable(Thinker)
    for job_id in ("a", "b", "c"):
        await queue.put(new_job(job_id))
    async with working(queue, stable.start, at_once=2):
        await seated(stable, 4)
        await until_renewed(raw)
        assert len(stable.started) == 4


async def test_a_match_with_a_person_takes_up_no_place(queue: Queue) -> None:
    stable = Stable(Thinker)
    await queue.put(new_job("person").model_copy(update={"unhurried": True}))
    await queue.put(new_job("a"))
    async with working(queue, stable.start, at_once=1):
        await seated(stable, 4)


async def test_a_repeated_match_has_the_deals_and_what_stands_of_the_other(queue: Queue) -> None:
    [before] = records(await played(queue, new_job("a"), Stable()))
    secret, seats = before["deal_source"]["secret"], before["seats"]  # type: ignore[index]
    taken = [(one["seat"], one["action"]) for one in before["choices"][:5]]  # type: ignore[index]
    origin = Origin(
        match="a-1",
        digest=str(before["digest"]),
        secret=secret,
        nonces=tuple(seat["nonce"] for seat in seats),  # type: ignore[attr-defined]
        choices=tuple(taken),
    )
    job = new_job("b").model_copy(update={"origin": origin})
    outcome = await played(queue, job, Stable())
    [after] = records(outcome)
    assert after["shuffles"] == before["shuffles"]
    assert after["origin"] == {"match": "a-1", "digest": before["digest"], "choices": 5}
    assert [(one["seat"], one["action"]) for one in after["choices"][:5]] == taken  # type: ignore[index]
    assert check(job, outcome)
    for changed, wrong in (
        ({"match": "x-1"}, "origin.match"),
        ({"digest": "7" * 64}, "origin.digest"),
        ({"secret": "7" * 64}, "deal_source.secret"),
        ({"nonces": ("77", "77")}, "the entrants' nonces"),
        ({"choices": tuple(taken[:4])}, "origin.choices"),
        ({"choices": (*taken[:4], (0, "play XX"))}, "the repeated choices"),
    ):
        other = job.model_copy(update={"origin": origin.model_copy(update=changed)})
        with pytest.raises(WrongOutcome, match=re.escape(wrong)):
            check(other, outcome)
    with pytest.raises(WrongOutcome, match="origin: must be False"):
        check(new_job("b"), outcome)


async def test_the_seatings_of_a_duplicate_group_share_their_deals_among_fresh_processes(
    queue: Queue,
) -> None:
    stable = Stable()
    one, other = records(await played(queue, new_job(seatings=((0, 1), (1, 0))), stable))
    assert one["deal_source"] == other["deal_source"]
    assert one["shuffles"] == other["shuffles"]
    assert [[seat["bot"] for seat in record["seats"]] for record in (one, other)] == [  # type: ignore[attr-defined]
        ["ann", "bob"],
        ["bob", "ann"],
    ]
    assert (one["match_number"], other["match_number"]) == (1, 2)
    assert [(len(bot.starts), bot.stopped) for bot in stable.bots] == [(1, 1)] * 4


async def test_jobs_of_one_seed_text_have_the_same_deals(queue: Queue) -> None:
    of_table = [new_job(name).model_copy(update={"seed_text": "round 1"}) for name in "ab"]
    one, other = [records(await played(queue, job, Stable()))[0] for job in of_table]
    assert one["deal_source"]["seed_text"] == "round 1"  # type: ignore[index]
    assert one["shuffles"] == other["shuffles"]


async def test_two_seats_of_one_version_are_two_processes(queue: Queue) -> None:
    stable = Stable()
    records(await played(queue, new_job(versions=(ANN, ANN)), stable))
    assert [version for version, _ in stable.started] == [ANN, ANN]


async def test_a_lease_is_renewed_as_long_as_the_match_takes(
    queue: Queue, raw: redis.Redis
) -> None:
    stable = Stable(Thinker)
    await queue.put(new_job())
    async with working(queue, stable.start):
        await seated(stable, 2)
        for _ in range(4):
            await until_renewed(raw)
        assert await queue.take("another", 0) is None


async def test_an_attempt_whose_lease_is_lost_is_dropped_and_its_bots_are_ended(
    queue: Queue,
) -> None:
    stable = Stable(Thinker)
    await queue.put(new_job())
    async with working(queue, stable.start):
        await seated(stable, 2)
        lease = await leased_again(queue)
        await until(lambda: all(bot.stopped for bot in stable.bots))
        assert await queue.results_waiting() == 0
        assert await queue.heartbeat(lease)


async def test_an_outcome_that_comes_too_late_is_not_published(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = queue.finish
    answers: list[bool] = []

    async def late(lease: Lease, outcome: Outcome) -> bool:
        await leased_again(queue)
        answers.append(await finish(lease, outcome))
        return answers[-1]

    monkeypatch.setattr(queue, "finish", late)
    await queue.put(new_job())
    async with working(queue, Stable().start):
        await until(lambda: bool(answers))
    assert answers == [False]
    assert await queue.results_waiting() == 0


class FailsAtFirst(Stable):
    """A machine on which the first bots cannot be started."""

    def __init__(self, failures: int, error: Exception) -> None:
        super().__init__()
        self.failures = failures
        self.error = error

    async def start(self, version: str) -> StandIn:
        if self.failures:
            self.failures -= 1
            raise self.error
        return await super().start(version)


@pytest.mark.parametrize(
    "error", [ArenaFailure("The disk is full."), OSError("no"), ZeroDivisionError("a mistake")]
)
async def test_a_job_is_given_back_when_the_arena_fails_and_then_played(
    queue: Queue, error: Exception
) -> None:
    outcome = await played(queue, new_job(), FailsAtFirst(1, error))
    assert outcome.attempt == 2
    assert [record["attempt"] for record in records(outcome)] == [2]


async def test_a_job_on_which_the_arena_always_fails_is_reported_with_the_reason(
    queue: Queue,
) -> None:
    stable = FailsAtFirst(99, ArenaFailure("The disk is full."))
    outcome = await played(queue, new_job(), stable)
    assert (outcome.attempt, outcome.matches) == (ATTEMPTS, ())
    assert outcome.failure == "The arena failed: The disk is full."


async def test_what_this_machine_cannot_play_is_left_to_another_however_often_it_tries(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.worker.worker.STEP_BACK_S", 0.1)
    lacking = FailsAtFirst(99, MachineFailure("There is no engine."))
    able = Stable()
    await queue.put(new_job())
    async with working(queue, lacking.start):
        await until(lambda: lacking.failures < 99 - ATTEMPTS)
        async with working(queue, able.start):
            outcome = await next_outcome(queue)
    records(outcome)
    assert len(able.started) == 2


async def test_what_no_machine_can_play_is_reported_in_the_end_with_the_reason(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.worker.worker.STEP_BACK_S", 0.05)
    monkeypatch.setattr("arena.worker.worker.LEFT_TO_OTHERS_S", 0.3)
    lacking = FailsAtFirst(999, MachineFailure("There is no engine."))
    outcome = await played(queue, new_job(), lacking)
    assert (outcome.attempt, outcome.failure) == (ATTEMPTS, "The arena failed: There is no engine.")
    assert 999 - lacking.failures > ATTEMPTS


async def test_once_its_bots_have_seen_the_deals_the_attempt_counts(queue: Queue) -> None:
    stable, asked = Stable(), count()

    async def start_two(version: str) -> StandIn:
        """Starts the bots of one seating, and none of the next."""
        if next(asked) % 3 == 2:
            raise MachineFailure("The engine is gone.")
        return await stable.start(version)

    await queue.put(new_job(seatings=((0, 1), (1, 0))))
    async with working(queue, start_two):
        outcome = await next_outcome(queue)
    assert (outcome.attempt, outcome.failure) == (ATTEMPTS, "The arena failed: The engine is gone.")


async def test_a_worker_that_steps_back_ends_at_once_when_it_is_told_to(
    queue: Queue, clock: StoppedClock
) -> None:
    lacking = FailsAtFirst(99, MachineFailure("There is no engine."))
    await queue.put(new_job())
    async with working(queue, lacking.start) as (worker, running):
        await clock.until(lambda: lacking.failures < 99)
        worker.stop()
        await running  # although no time passes
    assert await queue.waiting_job_ids() == {"a"}


class Machine:
    """A machine whose trials fail while it is sick."""

    def __init__(self) -> None:
        self.sick = True
        self.trials = 0

    async def trial(self) -> None:
        self.trials += 1
        if self.sick:
            raise ArenaFailure("There is no Python for bots.")


async def test_a_machine_that_cannot_play_takes_no_job_until_it_can(
    queue: Queue, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("arena.worker.fitness.FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr("arena.worker.fitness.LONGEST_PAUSE_S", 0.02)
    machine, stable = Machine(), Stable()
    await queue.put(new_job())
    async with working(queue, stable.start, trial=machine.trial):
        await until(lambda: machine.trials > 10)
        assert stable.started == []
        assert caplog.text.count("There is no Python for bots.") == 1
        machine.sick = False
        outcome = await next_outcome(queue)
    records(outcome)
    assert outcome.attempt == 1


async def test_what_a_sick_machine_took_counts_no_attempt(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine, stable = Machine(), Stable()
    machine.sick = False
    failing = FailsAtFirst(99, ArenaFailure("There is no Python for bots."))

    async def start(version: str) -> StandIn:
        machine.sick = True
        return await failing.start(version)

    await queue.put(new_job())
    async with working(queue, start, trial=machine.trial):
        await until(lambda: machine.trials == 2)
        async with working(queue, stable.start):
            outcome = await next_outcome(queue)
    records(outcome)
    assert (outcome.attempt, 99 - failing.failures) == (1, 1)


class NeverStarts(StandIn):
    """Reports to its seat that it did not start."""

    def sit(self, match_id: str, listener: Listener) -> StandInLine:
        asyncio.get_running_loop().call_soon(
            listener.lost, BotLost(FaultKind.START_FAILED, "It did not say hello.")
        )
        return ThinkersLine(self, listener, accepts=False)


@pytest.mark.parametrize("sick", [False, True])
async def test_no_bot_is_blamed_for_not_starting_where_none_can(queue: Queue, sick: bool) -> None:
    machine, healthy = Machine(), Stable()
    machine.sick = False

    async def start(version: str) -> StandIn:
        machine.sick = sick
        return NeverStarts() if version == ANN else StandIn()

    await queue.put(new_job())
    async with working(queue, start, trial=machine.trial):
        await until(lambda: machine.trials > 1)
        async with working(queue, healthy.start):
            outcome = await next_outcome(queue)
    [record] = records(outcome)
    assert [bool(record["faults"]), bool(healthy.started)] == [not sick, sick]


async def test_one_failing_worker_parks_nothing_while_another_can_play(queue: Queue) -> None:
    sick = FailsAtFirst(999, ArenaFailure("The disk is full."))
    job_ids = [f"job {number}" for number in range(20)]
    async with working(queue, sick.start, at_once=4), working(queue, Stable().start):
        for job_id in job_ids:
            await queue.put(new_job(job_id))
        outcomes = [await next_outcome(queue) for _ in job_ids]
    assert sick.failures < 999
    assert [outcome.failure for outcome in outcomes] == [""] * len(job_ids)


async def test_an_outdated_worker_leaves_jobs_to_others(queue: Queue) -> None:
    await queue.put(new_job(rules_version=99))
    async with working(queue, Stable().start), asyncio.timeout(SOON_S):
        while True:
            lease = await queue.take("another", 0.05)
            if lease is not None and lease.failed_on:
                break
            if lease is not None:
                await queue.hand_back(lease)
    assert lease.attempt == 2
    assert await queue.results_waiting() == 0


async def test_idle_processes_of_a_version_that_plays_no_more_are_ended_within_seconds(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.worker.worker.LOOK_EVERY_S", 0.05)
    stable = Stable()
    await queue.put(new_job())
    async with working(queue, stable.start):
        await next_outcome(queue)
        await queue.announce({ANN})
        bots = dict(stable.started)
        await until(lambda: bots[BOB].stopped == 1)
        assert bots[ANN].stopped == 0


async def test_a_worker_says_what_it_plays(
    queue: Queue, valkey: EmbeddedValkey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.worker.worker.REPORT_EVERY_S", 0.05)
    watch = QueueWatch(valkey.url)
    await queue.put(new_job("a"))
    async with working(queue, Stable(Thinker).start, at_once=2), asyncio.timeout(SOON_S):
        while [one.jobs for one in await watch.reports(KEY)] != [("a",)]:
            await asyncio.sleep(0.05)
        [report] = await watch.reports(KEY)
        assert (report.version, report.at_once) == (arena.__version__, 2)
    await watch.close()


def test_a_job_may_take_as_long_as_its_clocks_allow() -> None:
    job = new_job(seatings=((0, 1),) * 24)
    slow = job.model_copy(update={"clock": Clock(bank_ms=86_400_000, increment_ms=3_600_000)})
    for one in (job, slow):
        clocks_s = 24 * 2 * (one.clock.bank_ms + 500 * one.clock.increment_ms) / 1000
        assert time_limit_s(one) > clocks_s


async def test_a_failure_leaves_the_other_matches_of_the_worker_alone(queue: Queue) -> None:
    stable = Stable(Thinker)
    await queue.put(new_job("a"))
    async with working(queue, stable.start, at_once=2) as (_, running):
        await seated(stable, 2)
        await queue.put(new_job("b", rules_version=99))
        assert (await next_outcome(queue)).job_id == "b"
        assert not running.done()
        assert [bot.stopped for bot in stable.bots] == [0, 0]


@pytest.mark.parametrize(
    ("job", "said"),
    [
        (new_job(rules_version=99), "version 99 of the rules of xeri"),
        (new_job(game="whist"), "no game 'whist'"),
    ],
)
async def test_a_job_that_no_attempt_can_play_is_reported_at_once(
    queue: Queue, job: Job, said: str
) -> None:
    stable = Stable()
    outcome = await played(queue, job, stable)
    assert said in outcome.failure
    assert (outcome.attempt, outcome.matches, stable.started) == (1, (), [])


async def test_another_attempt_has_another_secret_and_fresh_processes(queue: Queue) -> None:
    first, second = Stable(Thinker), Stable()
    await queue.put(new_job())
    async with working(queue, first.start):
        await seated(first, 2)
        async with impatient(queue) as other, working(other, second.start):
            outcome = await next_outcome(queue)
    [record] = records(outcome)
    assert (outcome.attempt, record["attempt"]) == (2, 2)
    commitments = [
        {start.commitment for bot in stable.bots for start in bot.starts}
        for stable in (first, second)
    ]
    assert [len(one) for one in commitments] == [1, 1]
    assert commitments[0] != commitments[1]
    assert [bot.stopped for bot in second.bots] == [1, 1]


async def test_a_worker_told_to_stop_finishes_what_is_in_play_and_takes_no_more(
    queue: Queue,
) -> None:
    stable = Stable()
    await queue.put(new_job("a"))
    async with working(queue, stable.start) as (worker, running):
        await seated(stable, 2)
        worker.stop()
        await queue.put(new_job("b"))
        await asyncio.wait_for(running, SOON_S)
    assert (await next_outcome(queue)).job_id == "a"
    assert await queue.waiting_job_ids() == {"b"}
    assert [bot.stopped for bot in stable.bots] == [1, 1]


async def test_a_cancelled_worker_gives_its_job_back_and_leaves_nothing_running(
    queue: Queue,
) -> None:
    stable = Stable(Thinker)
    await queue.put(new_job())
    async with working(queue, stable.start):
        await seated(stable, 2)
    assert [bot.stopped for bot in stable.bots] == [1, 1]
    lease = await queue.take("another", 0)
    assert lease is not None
    assert (lease.job.job_id, lease.attempt, lease.delivery) == ("a", 1, 1)  # it does not count


async def test_a_cancelled_worker_ends_soon_although_redis_is_gone(tmp_path: Path) -> None:
    stable = Stable(Thinker)
    with EmbeddedValkey(tmp_path, private_folder()) as own:
        queue = Queue(own.url, KEY, patience_s=60)
        await queue.connect()
        await queue.put(new_job())
        async with working(queue, stable.start) as (_, running):
            await seated(stable, 2)
            os.kill(own.pid, signal.SIGKILL)
            with stopped_clock() as clock:
                running.cancel()
                await clock.advance(GIVE_BACK_WITHIN_S)
                await clock.until(running.done)
    await queue.close()
    assert [bot.stopped for bot in stable.bots] == [1, 1]


async def test_a_worker_outlives_a_redis_that_stays_away_too_long(tmp_path: Path) -> None:
    stable = Stable(Thinker)
    with EmbeddedValkey(tmp_path, private_folder()) as own:
        queue = Queue(own.url, KEY, lease_s=0.6, patience_s=0.5)
        await queue.connect()
        await queue.put(new_job())
        async with working(queue, stable.start) as (_, running):
            await seated(stable, 2)
            os.kill(own.pid, signal.SIGKILL)
            await until(lambda: all(bot.stopped for bot in stable.bots))
            stable.kind = StandIn
            queue.patience_s = SOON_S  # from now on
            restarting = asyncio.create_task(own.keep_running())
            if "a" not in await queue.waiting_job_ids():
                await queue.put(new_job())
            assert (await next_outcome(queue)).job_id == "a"
            assert not running.done()
            restarting.cancel()
    await queue.close()
