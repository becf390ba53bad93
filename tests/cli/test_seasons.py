"""The commands for seasons on a data folder that no arena is using; tests/operations covers arenas
that run."""

from __future__ import annotations

from pathlib import Path

from tests.support.command_line import Arena


def test_a_ladder_is_scheduled_frozen_closed_and_reset(arena: Arena, data: Path) -> None:
    dates = ("--starts", "2020-01-01", "--ends", "2100-01-31")
    assert arena("ladder", "schedule", "main", *dates).err == (
        "The ladder main starts 2020-01-01 00:00 UTC, ends 2100-02-01 00:00 UTC.\n"
    )
    assert "takes submissions until 20" in arena("ladder", "freeze", "main").err
    assert "season: starts 2020-01-01 00:00 UTC" in arena("ladder", "show", "main").out
    assert arena("ladder", "close", "main").code == 0
    assert "over" in arena("ladder", "list").out
    refused = arena("ladder", "resume", "main")
    assert (refused.code, "arena ladder reset main" in refused.err) == (2, True)
    reset = arena("ladder", "reset", "main", "--name", "spring")
    assert reset.err == "The next season of main is the ladder spring.\n"
    assert "next season: spring" in arena("ladder", "show", "main").out
    assert "season before: main" in arena("ladder", "show", "spring").out
    [spring, main] = arena("ladder", "list", "--json").json["ladders"][::-1]
    assert (spring["ladder"], spring["state"]) == ("spring", "running")
    assert (main["ladder"], main["state"], main["matches"]) == ("main", "over", 3)
    empty = arena("ladder", "schedule", "spring", "--ends", "")
    assert empty.err == "The ladder spring has no dates.\n"
