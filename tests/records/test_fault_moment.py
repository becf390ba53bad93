"""The moment of a fault is that of the decision at which it happened."""

from __future__ import annotations

import pytest

from arena.records import fault_moment, frames_of
from tests.support.played_matches import played


@pytest.mark.parametrize("seed", range(8))
def test_it_is_the_decision_that_the_seat_was_sent_last(seed: int) -> None:
    record = played("xeri", seed, faulty=(0,)).record
    [fault] = record.faults
    moment = fault_moment(record, 0)
    if fault.decision == 0:
        assert moment is None
        return
    assert moment is not None
    sent = frames_of(record, 0).decisions[-1]
    assert (sent.number, sent.time_left_ms) == (fault.decision, moment.time_left_ms)
    own = [choice for choice in record.choices[: moment.place - 1] if choice.seat == 0]
    assert moment.time_used_ms == sum(choice.milliseconds for choice in own)
    assert len(own) == fault.decision - 1
    assert fault_moment(record, 1) is None
