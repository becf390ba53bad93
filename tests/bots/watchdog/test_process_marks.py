"""Leftovers are recognised by the mark of the process that created them."""

from __future__ import annotations

import os
import subprocess

import pytest

from arena.bots.watchdog import has_ended, mark_of


def test_a_process_that_lives_has_not_ended() -> None:
    assert not has_ended(mark_of(os.getpid()))


def test_a_process_that_was_killed_has_ended() -> None:
    with subprocess.Popen(["sleep", "600"]) as process:
        mark = mark_of(process.pid)
        assert not has_ended(mark)
        process.kill()
    assert has_ended(mark)


def test_a_later_process_with_the_same_id_is_another_one() -> None:
    assert has_ended(f"{os.getpid()}-1")


@pytest.mark.parametrize("name", ["", "trial", "4194305", "1-2-3"])
def test_what_is_no_mark_is_left_alone(name: str) -> None:
    assert not has_ended(name)
