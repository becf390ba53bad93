"""Ladders on the command line: entering, leaving, and errors for anything that does not exist."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.store.open import open_store
from arena.store.queries import ladder_named
from tests.support.command_line import Arena, Ran


def bots_on(arena: Arena, ladder: str) -> dict[str, str]:
    """Returns the state of each bot on a ladder."""
    rows = arena("ratings", ladder, "--json").json["ratings"]
    return {row["bot"]: row["state"] for row in rows}


def words_of(told: Ran) -> str:
    return " ".join(told.err.split())


# Creating -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bots", "words"),
    [
        (["random_bot"], "A ladder in Xeri with 2 seats needs at least 2 bots, not 1."),
        (["random_bot", "first_bot", "random_bot"], "random is given twice"),
        (["random_bot", "first_bo"], "Did you mean"),
        (["random_bot", "builtin:random"], "builtin:random is part of the arena"),
    ],
)
def test_a_ladder_that_cannot_run_as_it_is_given_is_not_created(
    arena: Arena, samples: Path, bots: list[str], words: str
) -> None:
    given = [bot if ":" in bot else samples / bot for bot in bots]
    told = arena("ladder", "create", "main", "xeri", *given)
    assert told.code == 2
    assert words in words_of(told)
    assert arena("ladder", "list").code in (0, 2)
    assert "main" not in arena("ladder", "list").out


def test_a_mistyped_bot_is_not_reported_as_a_builtin_one(arena: Arena) -> None:
    told = arena("ladder", "create", "main", "xeri", "nobody", "nowhere")
    assert "There is no bot nobody" in told.err
    assert "builtin" not in told.err


def test_partners_of_one_version_need_one_bot_a_team(arena: Arena, samples: Path) -> None:
    two = (samples / "random_bot", samples / "first_bot")
    assert arena("ladder", "create", "same", "seven-euchre", *two).code == 0
    told = arena("ladder", "create", "any", "seven-euchre", *two, "--partners", "any")
    assert "needs at least 4 bots, not 2" in words_of(told)


def test_the_draw_probability_may_be_chosen(arena: Arena) -> None:
    chosen = ("--draw-probability", 0.25)
    assert arena("ladder", "create", "main", "xeri", *chosen).code == 0
    assert arena("ladder", "show", "main", "--json").json["draw_probability"] == 0.25
    told = arena("ladder", "create", "other", "xeri", "--draw-probability", 2)
    assert told.code == 2
    assert "0.005" in words_of(told)


# Changing -----------------------------------------------------------------------------------------


def test_bots_enter_leave_and_come_back(arena: Arena, data: Path, samples: Path) -> None:
    told = arena("ladder", "enter", "main", samples / "last_bot")
    assert told.code == 0
    assert "Entered into the ladder main: last." in words_of(told)
    assert bots_on(arena, "main") == {"random": "active", "first": "active", "last": "active"}
    told = arena("ladder", "leave", "main", "last", "first")
    assert "The ladder main has 1 bot that can play, and needs 2." in words_of(told)
    assert bots_on(arena, "main") == {
        "random": "active",
        "first": "withdrawn",
        "last": "withdrawn",
    }
    assert arena("ladder", "enter", "main", samples / "first_bot").err.count("has 1 bot") == 0
    assert bots_on(arena, "main")["first"] == "active"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("leave", "main", "rundom"), "no bot 'rundom' on the ladder main. Did you mean random?"),
        (("leave", "mine", "random"), "no ladder 'mine'. Did you mean main?"),
        (("enter", "mine", "random"), "no ladder 'mine'. Did you mean main?"),
        (("enter", "main", "euchre_counter"), "does not play xeri"),
        (("pause", "mine"), "no ladder 'mine'"),
        (("delete", "main"), "Pause it instead: arena ladder pause main"),
    ],
)
def test_a_change_that_cannot_be_made_changes_nothing(
    arena: Arena, data: Path, samples: Path, arguments: tuple[str, ...], words: str
) -> None:
    before = bots_on(arena, "main")
    given = [samples / word if "_" in word else word for word in arguments]
    told = arena("ladder", *given)
    assert told.code == 2
    assert words in words_of(told)
    assert bots_on(arena, "main") == before


def test_a_ladder_is_paused_and_resumed(arena: Arena, data: Path) -> None:
    assert "The ladder main is paused." in arena("ladder", "pause", "main").err
    assert arena("ladder", "run", "main", "--sandbox", "none").code == 2
    assert arena("ladder", "resume", "main").code == 0
    assert arena("ladder", "show", "main", "--json").json["state"] == "running"


def test_a_change_is_printed_as_the_document_of_the_ladder(arena: Arena, data: Path) -> None:
    created = arena("ladder", "create", "other", "xeri", "--json").json
    assert (created["ladder"], created["state"]) == ("other", "running")
    left = arena("ladder", "leave", "main", "first", "--json")
    assert left.json["obstacle"] == "The ladder main has 1 bot that can play, and needs 2."
    assert left.err == ""
    paused = arena("ladder", "pause", "main", "--json").json
    assert paused == arena("ladder", "show", "main", "--json").json
    assert paused["state"] == "paused"
    assert arena("ladder", "delete", "other", "--json").json == {"ladder": "other"}


def test_a_ladder_without_matches_is_deleted_with_all_that_is_its_own(
    arena: Arena, data: Path, samples: Path
) -> None:
    arena("ladder", "create", "second", "xeri", samples / "last_bot", samples / "first_bot")
    assert arena("ladder", "delete", "second").code == 0
    assert [row["ladder"] for row in arena("ladder", "list", "--json").json["ladders"]] == ["main"]
    assert bots_on(arena, "main") == {"random": "active", "first": "active"}
    again = arena("ladder", "create", "second", "xeri", samples / "last_bot", samples / "first_bot")
    assert again.code == 0


def test_changes_need_an_arena(arena: Arena, tmp_path: Path) -> None:
    assert "There is no arena in" in arena("ladder", "pause", "main").err
    assert not (tmp_path / "arena-data").exists()


# Output -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "name", "words"),
    [
        ("bot", "rondom", "There is no bot 'rondom'. Did you mean random?"),
        ("bot", "zzz", "There is no bot 'zzz'; there are: first, random."),
        ("ladder", "mein", "There is no ladder 'mein'. Did you mean main?"),
    ],
)
def test_matches_of_what_is_not_there_are_not_merely_none(
    arena: Arena, data: Path, option: str, name: str, words: str
) -> None:
    told = arena("matches", f"--{option}", name, "--json")
    assert told.code == 2
    assert told.error["field"] == option
    assert words in told.error["sentence"]


def test_hints_name_the_data_folder_that_was_given(arena: Arena, data: Path, samples: Path) -> None:
    assert arena("matches").out.splitlines()[-1].startswith("read one: arena log ")
    assert "--data" not in arena("matches").out
    place = "the other arena"
    data.rename(data.parent / place)
    assert f"--data '{place}'" in arena("matches", "--data", place).out
    told = arena("ladder", "create", "second", "xeri", "--data", place)
    assert f"arena serve --data '{place}'" in words_of(told)


def test_a_rebuild_names_the_bots_concerned(arena: Arena, data: Path) -> None:
    assert "none of them changed" in words_of(arena("ratings", "main", "--rebuild"))
    store = open_store(data, "write")
    with store.writing() as session:
        ladder_named(session, "main").draw_probability = 0.5
    store.close()
    told = words_of(arena("ratings", "main", "--rebuild"))
    assert "changed: " in told
    assert "first version 1" in told
    assert "random version 1" in told


@pytest.mark.usefixtures("data")
def test_a_recount_of_matches_that_were_counted_changes_nothing(arena: Arena) -> None:
    [found] = arena("recount", "--json").json["competitions"]
    assert found["matches"] > 0
    assert found == {"competition": "main", "matches": found["matches"], "changed": []}
    said = f"main: {found['matches']} matches were counted again; no number changed."
    assert " ".join(arena("recount", "main").out.split()) == said


@pytest.mark.slow
def test_a_run_without_workers_says_who_is_to_work(arena: Arena, data: Path) -> None:
    told = arena(
        *("ladder", "run", "main", "--matches", 3, "--workers", 0, "--sandbox", "none"),
    )
    assert told.code == 0
    assert "This command starts no workers. Start some with `arena worker`." in words_of(told)


def test_paused_ladders_are_listed_apart(arena: Arena) -> None:
    for name in ("aging", "young"):
        assert arena("ladder", "create", name, "xeri").code == 0
    assert arena("ladder", "pause", "aging").code == 0
    running, paused = arena("ladder", "list").out.split("\n\n")
    assert ("young" in running, "aging" in running) == (True, False)
    assert ("young" in paused, "aging" in paused) == (False, True)
