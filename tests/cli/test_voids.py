"""`arena void` and `arena unvoid` on a data folder that no arena is using; tests/operations covers
arenas that run."""

from __future__ import annotations

from pathlib import Path

from tests.support.command_line import Arena


def test_matches_are_void_and_count_again(arena: Arena, data: Path) -> None:
    before = arena("ratings", "main").out
    [first, *_] = arena("matches", "--json").json["matches"]
    voided = arena("void", first["match"], "--reason", "A wrong rule.")
    assert (voided.code, voided.err) == (0, "Void are 1 of main.\n")
    assert arena("matches", "--json").json["count"] == 2
    listed = arena("matches", "--void")
    assert "void: A wrong rule." in listed.out
    assert arena("ratings", "main", "--rebuild").code == 0
    counting = arena("unvoid", "--ladder", "main", "--json")
    assert counting.json == {"matches": {"main": 1}}
    assert arena("matches", "--void").out == "There are no such matches yet.\n"
    again = arena("ratings", "main", "--json").json
    assert again["matches"] == 3
    assert before.splitlines()[0] == arena("ratings", "main").out.splitlines()[0]


def test_what_cannot_be_is_refused(arena: Arena, data: Path) -> None:
    nothing = arena("void", "--reason", "x", "--json")
    assert (nothing.code, nothing.error["field"]) == (2, "match")
    assert arena("void", "--bot", "nobody", "--reason", "x").code == 2
    assert arena("unvoid", "--ladder", "main").err == (
        "error: The filter chooses no void matches.\n"
    )
