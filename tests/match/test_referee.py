"""The referee of one match, with bots that follow a script."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta, tzinfo

import pytest

from arena.bots.interface import BotLost, PendingDecision
from arena.clock import monotonic
from arena.match import referee as referee_module
from arena.match.deal_set import CommittedDeals, SeededSet
from arena.match.play import Played, play_match
from arena.match.terms import START_GRACE_S, Terms
from arena.match.timekeeper import Timekeeper
from arena.protocol.faults import FaultKind
from arena.records.verification import verify_record
from sevens.bot.v1.decision_pb2 import Answer
from sevens_games import Match, StackedDeals, load
from tests.support.clock import StoppedClock, without_waiting
from tests.support.scripted_bots import (
    ScriptedBot,
    ScriptedChannel,
    answer,
    at,
    entries,
    kinds,
    played_to_its_end,
)

XERI = {"deals": 1}


def terms(game: str = "xeri", bank_ms: int = 60_000, increment_ms: int = 0) -> Terms:
    return Terms(
        match_id="m-1",
        game=load(game),
        options=XERI if game == "xeri" else {},
        bank_ms=bank_ms,
        increment_ms=increment_ms,
    )


async def played(
    *bots: ScriptedBot, game: str = "xeri", bank_ms: int = 60_000, increment_ms: int = 0
) -> Played:
    """Plays a whole match between the bots."""
    agreed = terms(game, bank_ms, increment_ms)
    return await without_waiting(played_to_its_end(agreed, CommittedDeals(), *bots))


@pytest.mark.parametrize("game", ["insidious-sevens", "seven-euchre", "xeri"])
async def test_bots_that_answer_play_the_match_to_its_end(game: str) -> None:
    bots = [ScriptedBot() for _ in range(load(game).ladder_players)]
    result = await played(*bots, game=game)
    assert not result.faults
    for bot in bots:
        [end] = bot.line.ends
        assert list(end.ranks) == list(result.record.result.ranks)
        assert bot.line.closed


async def test_a_clock_that_is_set_back_ends_no_match_before_its_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class UntilNow(datetime):
        """The clock when the match begins: a day ahead."""

        @classmethod
        def now(cls, tz: tzinfo | None = None) -> UntilNow:
            return super().now(tz) + timedelta(days=1)

    monkeypatch.setattr(referee_module, "datetime", UntilNow)
    result = await played(ScriptedBot(), ScriptedBot())
    assert verify_record(result.record).ok


async def test_every_seat_of_a_simultaneous_decision_is_asked_before_any_answers() -> None:
    waiting: list[tuple[ScriptedChannel, PendingDecision]] = []

    def hold(line: ScriptedChannel, question: PendingDecision) -> None:
        waiting.append((line, question))
        if len(waiting) == 4:
            for held in waiting:
                answer(*held)

    bots = [ScriptedBot(at(1, hold)) for _ in range(4)]
    await played(*bots, game="insidious-sevens")
    assert [line.bot for line, _ in waiting] == bots


async def test_forced_moves_are_made_by_the_referee_and_counted() -> None:
    bots = [ScriptedBot(), ScriptedBot()]
    result = await played(*bots)
    asked = [decision.number for decision in bots[0].line.asked]
    # The sixth card of each of the four hands of six is forced.
    assert asked == [n for n in range(1, 25) if n % 6]
    assert len(result.record.choices) == 48


async def test_a_bot_may_answer_by_text() -> None:
    def by_text(line: ScriptedChannel, question: PendingDecision) -> None:
        line.later(lambda: line.reply(question.decision, text=question.decision.legal_actions[-1]))

    result = await played(ScriptedBot(by_text), ScriptedBot())
    assert not result.faults


async def test_a_late_answer_is_a_timeout_at_that_decision() -> None:
    def late(line: ScriptedChannel, question: PendingDecision) -> None:
        asyncio.get_running_loop().call_later(0.5, line.reply, question.decision, 0)

    result = await played(ScriptedBot(at(3, late)), ScriptedBot(), bank_ms=100)
    assert kinds(result) == [(0, FaultKind.TIMEOUT, 3)]


async def test_an_answer_that_comes_after_the_time_but_before_the_next_look_is_a_timeout() -> None:
    def stamped_late(line: ScriptedChannel, question: PendingDecision) -> None:
        assert question.sent_at is not None
        late = question.sent_at + 0.2
        line.later(line.listener.answered, _reply(question, 0), late)

    result = await played(ScriptedBot(at(2, stamped_late)), ScriptedBot(), bank_ms=100)
    assert kinds(result) == [(0, FaultKind.TIMEOUT, 2)]


async def test_a_silent_bot_is_a_timeout_and_the_match_goes_on() -> None:
    result = await played(ScriptedBot(at(1, _nothing)), ScriptedBot(), bank_ms=60)
    assert kinds(result) == [(0, FaultKind.TIMEOUT, 1)]
    assert list(result.record.result.ranks) == [2, 1]


async def test_a_bot_that_does_not_read_what_it_is_asked_is_a_timeout_and_the_match_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(referee_module, "UNREAD_S", 0.05)
    result = await played(ScriptedBot(unread), ScriptedBot(), bank_ms=50)
    assert kinds(result)[0] == (0, FaultKind.TIMEOUT, 1)


def unread(line: ScriptedChannel, question: PendingDecision) -> None:
    """The transport never takes the question, because the bot reads nothing."""
    question.sent_at = None


async def test_the_increment_is_added_before_each_decision_and_time_is_charged_to_the_bank() -> (
    None
):
    def slow(line: ScriptedChannel, question: PendingDecision) -> None:
        assert question.sent_at is not None
        line.later(line.listener.answered, _reply(question, 0), question.sent_at + 0.0305)

    bot = ScriptedBot(slow)
    await played(bot, ScriptedBot(), bank_ms=1000, increment_ms=10)
    left = [decision.time_left_ms for decision in bot.line.asked]
    assert left[:4] == [1010, 990, 970, 950]


async def test_a_seat_at_fault_is_played_with_the_first_action_in_canonical_text_order() -> None:
    result = await played(ScriptedBot(at(1, _nothing)), ScriptedBot(), bank_ms=60)
    match = load("xeri").start(options=XERI, deals=_deals(result))
    for choice in result.record.choices:
        if choice.seat == 0:
            assert choice.action == min(match.legal_actions(0), key=str)
            assert choice.milliseconds == 0
        match.apply(choice.seat, choice.action)


async def test_an_index_out_of_range_is_an_illegal_action() -> None:
    script = at(1, lambda line, question: line.later(line.reply, question.decision, 99))
    result = await played(ScriptedBot(script), ScriptedBot())
    assert kinds(result) == [(0, FaultKind.ILLEGAL_ACTION, 1)]
    assert "99" in result.faults[0].sentence


async def test_a_text_that_is_not_legal_is_an_illegal_action_and_is_quoted_short() -> None:
    def illegal(line: ScriptedChannel, question: PendingDecision) -> None:
        line.later(lambda: line.reply(question.decision, text="play XX" + "y" * 5000))

    result = await played(ScriptedBot(at(2, illegal)), ScriptedBot())
    assert kinds(result) == [(0, FaultKind.ILLEGAL_ACTION, 2)]
    [fault] = result.faults
    assert fault.sentence.startswith("The answer was not among the ")
    assert "play XX" in fault.words
    assert len(fault.words) < 250
    assert result.private_log.seats[0].fault_words == fault.words
    assert "play XX" not in result.sealed.text


async def test_an_answer_that_names_no_action_is_an_illegal_action() -> None:
    def empty(line: ScriptedChannel, question: PendingDecision) -> None:
        reply = _reply(question, 0)
        reply.ClearField("index")
        line.later(line.listener.answered, reply, monotonic())

    result = await played(ScriptedBot(at(1, empty)), ScriptedBot())
    assert kinds(result) == [(0, FaultKind.ILLEGAL_ACTION, 1)]
    assert "no action" in result.faults[0].sentence


async def test_a_second_answer_is_ignored_and_counted() -> None:
    def twice(line: ScriptedChannel, question: PendingDecision) -> None:
        line.later(line.reply, question.decision, 0)
        line.later(line.reply, question.decision, 1)

    result = await played(ScriptedBot(at(1, twice)), ScriptedBot())
    assert not result.faults
    assert result.private_log.seats[0].stale_answers == 1


async def test_an_answer_to_an_earlier_decision_is_ignored_and_counted() -> None:
    def stale(line: ScriptedChannel, question: PendingDecision) -> None:
        line.later(lambda: line.reply(question.decision, number=question.decision.number - 1))
        answer(line, question)

    result = await played(ScriptedBot(at(4, stale)), ScriptedBot())
    assert not result.faults
    assert result.private_log.seats[0].stale_answers == 1


async def test_an_answer_before_the_question_was_sent_does_not_count() -> None:
    def early(line: ScriptedChannel, question: PendingDecision) -> None:
        question.sent_at = None  # as if it still waited in the outbox
        line.reply(question.decision, 0)
        question.sent_at = monotonic()
        answer(line, question)

    result = await played(ScriptedBot(at(1, early)), ScriptedBot())
    assert not result.faults
    assert result.private_log.seats[0].stale_answers == 1


async def test_a_bot_that_does_not_accept_in_time_has_not_started() -> None:
    result = await played(ScriptedBot(nonce=None), ScriptedBot())
    assert kinds(result) == [(0, FaultKind.START_FAILED, 0)]
    assert result.record.seats[0].nonce == ""


async def test_a_bot_may_accept_later_on_a_machine_that_has_no_processor_for_it() -> None:
    starved = ScriptedBot(nonce=None)

    async def accept_late() -> None:
        await starved.seated.wait()
        starved.line.starved_s = 30.0
        await asyncio.sleep(START_GRACE_S + 30.0)
        starved.line.listener.accepted(b"late")

    accepting = asyncio.create_task(accept_late())
    result = await played(starved, ScriptedBot())
    await accepting
    assert not result.faults


async def test_a_bot_lost_before_it_accepts_has_not_started_and_its_words_are_told() -> None:
    silent = ScriptedBot(nonce=None)
    loss = BotLost(FaultKind.CRASHED, "It ended.", "no module named foo")

    async def lose() -> None:
        await silent.seated.wait()
        silent.line.lose(loss)

    losing = asyncio.create_task(lose())
    result = await played(silent, ScriptedBot())
    await losing
    assert kinds(result) == [(0, FaultKind.START_FAILED, 0)]
    assert (result.faults[0].sentence, result.faults[0].words) == (loss.sentence, loss.words)
    assert "no module named foo" not in result.sealed.text


@pytest.mark.parametrize("kind", list(FaultKind))
async def test_a_bot_lost_while_it_owes_a_decision_is_at_fault_for_the_reason(
    kind: FaultKind,
) -> None:
    def lost(line: ScriptedChannel, question: PendingDecision) -> None:
        line.later(line.lose, BotLost(kind, "gone"))

    result = await played(ScriptedBot(at(2, lost)), ScriptedBot())
    assert kinds(result) == [(0, FaultKind(kind.value), 2)]


async def test_a_bot_lost_while_it_owes_nothing_goes_on_when_it_is_back() -> None:
    bot = ScriptedBot()

    def between(line: ScriptedChannel, question: PendingDecision) -> None:
        """At the other seat's turn the first bot crashes, and a fresh process takes its place."""
        bot.line.lose(BotLost(FaultKind.CRASHED, "gone"))
        bot.line.come_back()
        answer(line, question)

    result = await played(bot, ScriptedBot(at(3, between)))
    assert not result.faults
    assert [start.resumed for start in bot.line.starts] == [False, True]


@pytest.mark.parametrize("kind", [FaultKind.PROTOCOL_ERROR, FaultKind.RESOURCE_LIMIT])
async def test_a_bot_that_breaks_a_rule_is_at_fault_though_it_owes_nothing(
    kind: FaultKind,
) -> None:
    bot = ScriptedBot()

    def between(line: ScriptedChannel, question: PendingDecision) -> None:
        bot.line.lose(BotLost(kind, "flooded"))
        bot.line.come_back()
        answer(line, question)

    result = await played(bot, ScriptedBot(at(3, between)))
    [fault] = result.faults
    assert (fault.seat, fault.kind, fault.sentence) == (0, kind, "flooded")
    assert len(bot.line.starts) == 1


@pytest.mark.parametrize("own_s", [0.3, 0.0])
async def test_lag_that_a_bot_causes_while_it_thinks_is_charged_to_it(
    clock: StoppedClock, own_s: float
) -> None:
    def stall(line: ScriptedChannel, question: PendingDecision) -> None:
        def send_garbage() -> None:
            clock.stall(0.3)
            line.handled_s += own_s

        line.later(send_garbage)
        asyncio.get_running_loop().call_later(0.32, line.reply, question.decision, 0)

    bots = (ScriptedBot(at(2, stall)), ScriptedBot())
    result = await clock.through(played_to_its_end(terms(bank_ms=200), CommittedDeals(), *bots))
    assert kinds(result) == ([(0, FaultKind.TIMEOUT, 2)] if own_s else [])


async def test_what_is_owed_is_asked_again_when_the_bot_is_back_and_its_clock_has_run_on() -> None:
    bot = ScriptedBot(_nothing)

    def between(line: ScriptedChannel, question: PendingDecision) -> None:
        bot.line.lose(BotLost(FaultKind.CRASHED, "gone"))
        answer(line, question)
        asyncio.get_running_loop().call_later(0.5, return_and_answer)

    def return_and_answer() -> None:
        bot.script = answer
        bot.line.come_back()

    bot.script = answer
    result = await played(bot, ScriptedBot(at(3, between)), bank_ms=5000)
    assert not result.faults
    spent_ms = max(c.milliseconds for c in result.record.choices if c.seat == 0)
    assert spent_ms in (499, 500)  # it is rounded down


async def test_seats_at_fault_rank_last_and_a_team_ranks_by_its_worst_seat() -> None:
    bots = [ScriptedBot() for _ in range(4)]
    bots[2].script = at(1, _nothing)
    result = await played(*bots, game="seven-euchre", bank_ms=300)
    assert list(result.record.result.ranks) == [3, 1, 3, 1]


async def test_other_teams_are_not_told_where_and_why_a_seat_failed() -> None:
    bots = [ScriptedBot(at(1, _nothing)), ScriptedBot()]
    await played(*bots, bank_ms=60)
    [own], [others] = bots[0].line.ends[0].faults, bots[1].line.ends[0].faults
    assert (own.decision, others.decision) == (1, 0)
    assert own.sentence
    assert not others.sentence


async def test_a_match_in_which_everybody_fails_still_ends() -> None:
    result = await played(ScriptedBot(nonce=None), ScriptedBot(nonce=None))
    assert [fault.kind for fault in result.faults] == [FaultKind.START_FAILED] * 2
    assert list(result.record.result.ranks) in ([1, 2], [2, 1], [1, 1])


async def test_notes_are_kept_by_decision_and_cut_to_their_bound() -> None:
    def noting(line: ScriptedChannel, question: PendingDecision) -> None:
        line.later(lambda: line.reply(question.decision, note="n" * 5000))

    result = await played(ScriptedBot(at(2, noting), words="hello"), ScriptedBot())
    [note] = result.private_log.seats[0].notes
    assert (note.decision, len(note.text)) == (2, 1024)
    assert result.private_log.seats[0].stderr == "hello"


async def test_a_nonce_that_is_too_long_is_a_protocol_error() -> None:
    result = await played(ScriptedBot(nonce=b"x" * 33), ScriptedBot())
    assert kinds(result) == [(0, FaultKind.PROTOCOL_ERROR, 0)]


async def test_both_matches_of_a_deal_set_meet_the_same_cards() -> None:
    deal_set = CommittedDeals()
    timekeeper = Timekeeper()
    records = []
    for number in (1, 2):
        terms = Terms(match_id=f"m-{number}", game=load("xeri"), options=XERI, match_number=number)
        bots = entries(ScriptedBot(nonce=bytes([number])), ScriptedBot())
        records.append((await play_match(terms, bots, deal_set, timekeeper)).record)
    assert records[0].shuffles == records[1].shuffles
    assert [r.seats[0].nonce for r in records] == ["01", "01"]
    assert records[0].seats[0].seed != records[1].seats[0].seed
    assert all(verify_record(record).ok for record in records)


async def test_a_failure_of_the_rules_ends_the_match_for_whoever_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the rules are broken")

    bots = [ScriptedBot(), ScriptedBot()]
    monkeypatch.setattr(Match, "apply", broken)
    with pytest.raises(RuntimeError, match="the rules are broken"):
        await play_match(
            Terms(match_id="m", game=load("xeri"), options=XERI),
            entries(*bots),
            SeededSet("s/1"),
            Timekeeper(),
        )
    assert [bot.line.ends[0].reason for bot in bots] == ["abandoned"] * 2


async def test_a_cancelled_match_is_abandoned_and_the_bots_are_told() -> None:
    bots = [ScriptedBot(_nothing), ScriptedBot(_nothing)]
    terms = Terms(match_id="m", game=load("xeri"), options=XERI)
    match = asyncio.create_task(play_match(terms, entries(*bots), SeededSet("s/1"), Timekeeper()))
    await bots[0].questioned.wait()
    match.cancel()
    with pytest.raises(asyncio.CancelledError):
        await match
    assert [bot.line.ends[0].reason for bot in bots] == ["abandoned"] * 2


def _nothing(line: ScriptedChannel, question: PendingDecision) -> None:
    """Never sends anything."""


def _reply(question: PendingDecision, index: int) -> Answer:

    decision = question.decision
    return Answer(match_id=decision.match_id, number=decision.number, index=index)


def _deals(result: Played) -> StackedDeals:

    record = result.record
    return StackedDeals([shuffle.cards for shuffle in record.shuffles], record.picks)
