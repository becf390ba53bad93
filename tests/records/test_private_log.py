"""The private log: bounded, and read back exactly as it was written."""

import pytest

from arena.foreign_text import NOTE_LIMIT_BYTES, STDERR_LIMIT_BYTES, beginning, ending
from arena.records.private_log import Note, PrivateLog, SeatLog

LOG = PrivateLog(
    match_id="m-7",
    seats=[
        SeatLog(
            bot="north",
            notes=[Note(decision=1, text="I hold the 7 ♠")],
            stderr="Traceback\n",
            stale_answers=2,
            start_ms=300,
        ),
        SeatLog(bot="south"),
    ],
)


def test_a_log_is_read_back_as_it_was_written() -> None:
    assert PrivateLog.from_json(LOG.to_json()) == LOG
    assert PrivateLog.from_json(LOG.to_json().encode()) == LOG


def test_a_note_keeps_its_beginning() -> None:
    note = Note(decision=1, text="a" + "é" * NOTE_LIMIT_BYTES)
    assert note.text == "a" + "é" * ((NOTE_LIMIT_BYTES - 1) // 2)


def test_stderr_keeps_its_end() -> None:
    log = SeatLog(bot="north", stderr="é" * STDERR_LIMIT_BYTES + "Bye")
    assert len(log.stderr.encode()) == STDERR_LIMIT_BYTES - 1
    assert log.stderr.endswith("ééBye")


def test_what_fits_is_not_cut() -> None:
    assert beginning("seven", 5) == ending("seven", 5) == "seven"
    assert (beginning("seven", 3), ending("seven", 3)) == ("sev", "ven")


@pytest.mark.parametrize(
    "text",
    ["", "{}", '{"match_id": 7, "seats": []}', '{"match_id": "m", "seats": [], "secret": "s"}'],
)
def test_what_is_no_private_log_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="PrivateLog"):
        PrivateLog.from_json(text)
