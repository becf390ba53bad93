"""The output of `arena log` and `arena replay` for a match."""

import re

import pytest

from arena.records.private_log import Note, PrivateLog, SeatLog
from arena.records.record import canonical, read
from arena.records.render.decisions import decision_views
from arena.records.render.log import log_lines
from arena.records.replay import ChosenBy, frames_of, replay
from arena.records.wording import Wording
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import load, slugs
from tests.support.played_matches import played

TRUE = played("xeri").record
FAULTED = next(
    record
    for record in (played("seven-euchre", seed, faulty=(2,), deals=1).record for seed in range(99))
    if record.faults[0].decision > 1
)


def log_of(
    record: MatchRecord, private: PrivateLog | None = None, seat: int | None = None
) -> list[str]:
    return [line.plain for line in log_lines(record, private, None if seat is None else [seat])]


def decisions(record: MatchRecord, seat: int | None = None) -> list[list[str]]:
    """Returns the lines of each decision."""
    return [[line.plain for line in view] for view in decision_views(record, seat)]


def private(seats: int, **log: object) -> PrivateLog:
    """A log in which seat 0 has content."""
    first = SeatLog.model_validate({"bot": "bot0", **log})
    return PrivateLog(match_id="m-7", seats=[first] + [SeatLog(bot="bot")] * (seats - 1))


@pytest.mark.parametrize("slug", slugs())
def test_the_log_has_a_line_for_each_decision(slug: str) -> None:
    record = played(slug, faulty=(1,)).record
    lines = [line for line in log_of(record) if re.match(r" *\d+  seat \d ", line)]
    assert len(lines) == len(record.choices)
    for line, choice in zip(lines, record.choices, strict=True):
        assert f"seat {choice.seat} " in line
        assert choice.action in line


def test_a_line_tells_who_when_how_long_and_what() -> None:
    step = next(step for step in replay(TRUE) if step.milliseconds)
    line = next(line for line in log_of(TRUE) if line.startswith(f"{step.place + 1:6}  "))
    bot = TRUE.seats[step.seat].bot
    assert line.split() == [
        *f"{step.place + 1} seat {step.seat} {bot} #{step.number}".split(),
        f"{step.milliseconds / 1000:.3f}",
        "s",
        *step.action.split(),
    ]


def test_the_log_says_which_moves_the_arena_made() -> None:
    text = "\n".join(log_of(FAULTED))
    by = [step.chosen_by for step in replay(FAULTED)]
    assert text.count(" forced  ") == by.count(ChosenBy.FORCED)
    assert text.count(" at fault  ") == by.count(ChosenBy.AT_FAULT)


def test_the_log_tells_what_the_rules_told_but_no_choice_twice() -> None:
    lines = log_of(TRUE)
    assert any(re.fullmatch(r" +\. seat \d (capture|xeri) \d+", line) for line in lines)
    assert not any(". seat" in line and "play" in line for line in lines)


def test_an_empty_line_sets_deals_apart() -> None:
    lines = log_of(TRUE)
    deals = [i for i, line in enumerate(lines) if re.fullmatch(r" +\. seat \d deal \d", line)]
    assert len(deals) == 2
    assert all(lines[i - 1] == "" for i in deals)


def test_the_result_has_the_best_seat_first() -> None:
    lines = log_of(FAULTED)
    table = lines[lines.index("Result: limit") + 2 :][:4]
    assert [int(line.split()[0]) for line in table] == sorted(FAULTED.result.ranks)
    assert [line for line in table if "at fault: " in line] == [
        line for line in table if f" 2 {FAULTED.seats[2].bot} " in line
    ]


def test_a_fault_is_explained_by_the_decision_at_which_it_happened() -> None:
    [fault] = FAULTED.faults
    step = next(step for step in replay(FAULTED) if step.fault)
    lines = log_of(FAULTED)
    at = lines.index(f"Fault of seat 2 ({FAULTED.seats[2].bot}): {fault.kind}")
    assert lines[at + 1] == f"  {fault.sentence}"
    assert f"decision {step.place + 1} of the match, its own #{fault.decision}," in lines[at + 2]
    assert lines[at + 3] == f"  Legal: {'; '.join(step.legal)}."
    assert lines[at + 4].endswith(f"starting with: {step.action!s}.")


def test_a_bot_that_never_started_was_never_asked() -> None:
    record = next(
        record
        for record in (played("xeri", seed, faulty=(0,)).record for seed in range(99))
        if record.faults[0].decision == 0
    )
    assert any(line.startswith("  It was never asked") for line in log_of(record))


def test_a_note_stands_below_its_decision() -> None:
    step = next(step for step in replay(TRUE) if step.seat == 0)
    log = private(2, notes=[Note(decision=step.number, text="hold the 7\nand wait")])
    lines = log_of(TRUE, log)
    at = next(i for i, line in enumerate(lines) if line.startswith(f"{step.place + 1:6}  "))
    assert [line.strip() for line in lines[at + 1 : at + 3]] == [
        "note: hold the 7",
        "note: and wait",
    ]
    assert lines == log_of(TRUE, log, 0)
    assert log_of(TRUE, log, 1) == log_of(TRUE)


def test_stderr_is_shown_by_its_end_and_to_the_seat_itself_whole() -> None:
    log = private(2, stderr="\n".join(f"line {n}" for n in range(50)), stale_answers=3)
    short, whole = log_of(TRUE, log), log_of(TRUE, log, 0)
    assert "  stderr, the last 20 of 50 lines:" in short
    assert short[-20:] == [f"    line {n}" for n in range(30, 50)]
    assert whole[-50:] == [f"    line {n}" for n in range(50)]
    assert "  Answers that were late, repeated or unexpected: 3." in short


@pytest.mark.parametrize("seat", [None, 0])
def test_strangers_words_cannot_steer_the_terminal(seat: int | None) -> None:
    record = read(canonical(FAULTED))
    for who in record.seats:
        who.bot = "evil\x1b[2J\u202e"
    record.faults[0].sentence = record.arena = record.match_id = "\x1b]0;evil\x07"
    log = private(4, notes=[Note(decision=1, text="\x1b[1m")], stderr="\x9b1m")
    views = decisions(record, seat)
    shown = [*log_of(record, log, seat), *[line for view in views for line in view]]
    assert all(line.isprintable() for line in shown)


@pytest.mark.parametrize("slug", slugs())
def test_the_replay_marks_the_action_chosen(slug: str) -> None:
    record = played(slug, faulty=(1,)).record
    shown = decisions(record)
    wording = Wording(load(slug).layout, record.seats)
    assert len(shown) == len(record.choices)
    for lines, choice in zip(shown, record.choices, strict=True):
        legal = next(line for line in lines if line.startswith("  legal "))
        assert re.findall(r"\[(.*?)\]", legal) == [wording.choice(choice.action)]


def test_a_seat_is_shown_what_it_was_sent() -> None:
    shown = decisions(FAULTED, 2)
    sent = frames_of(FAULTED, 2).decisions
    assert len(shown) == len(sent)
    for lines, decision in zip(shown, sent, strict=True):
        assert f": {FAULTED.seats[2].bot}, its own #{decision.number}, " in lines[0]
        zones = [*decision.observation.zones]
        hidden = [line for line in lines if re.search(r"\d+ face down$", line)]
        assert len(hidden) == sum(zone.hidden > 0 for zone in zones)


def test_the_spectator_sees_every_card() -> None:
    assert not any("face down" in line for lines in decisions(TRUE) for line in lines)
