"""`arena tournament`, as an organiser uses it on one machine."""

from __future__ import annotations

import csv
import shutil
from io import StringIO
from pathlib import Path

import pytest

from arena.store.data_folder import DataFolder
from tests.support.command_line import Arena, ran
from tests.support.run_folder import data_folder

SAMPLES = Path(__file__).parents[2] / "sample_bots"
BOTS = ("xeri_fisher", "random_bot", "first_bot")


def create_cup(data: Path) -> None:
    bots = [SAMPLES / bot for bot in BOTS]
    here = ("--set", "deals=1", "--data", data)
    created = ran("tournament", "create", "cup", "xeri", *bots, *here)
    assert created.code == 0, created.err
    assert "xeri-fisher is number 1 in the tournament cup." in created.err
    assert "Start it: arena tournament start cup" in created.err


created_cup = data_folder(create_cup)


@pytest.fixture
def cup(arena: Arena, created_cup: Path) -> Path:
    """A tournament of three bots that has not begun."""
    return Path(shutil.copytree(created_cup, "arena-data"))


@pytest.mark.slow
@pytest.mark.usefixtures("cup")
def test_a_tournament_is_played_to_its_end_and_printed_in_every_form(arena: Arena) -> None:
    played = arena("tournament", "start", "cup", "--workers", "2", "--sandbox", "none")
    assert played.code == 0, played.err
    assert "cup: xeri, round-robin, over" in played.out
    document = arena("tournament", "show", "cup", "--json").json
    assert [one["bot"] for one in document["entrants"]] == ["xeri-fisher", "random", "first"]
    assert [len(played["tables"]) for played in document["rounds"]] == [1, 1, 1]
    assert all(
        len(table["groups"]) == 2 and len(group["matches"]) == 2
        for played in document["rounds"]
        for table in played["tables"]
        for group in table["groups"]
    )
    assert len(document["secret"]) == 64
    assert {one["place"] for one in document["standings"]} <= {1, 2, 3}
    assert set(document["places"]) == {"1", "2", "3"}
    shown = arena("tournament", "show", "cup", "--round", 2).out
    assert "round 2" in shown
    assert "paired by: round robin in which each pair meets once, and each has 1 bye" in shown
    assert "byes: " in shown
    [listed] = arena("tournament", "list", "--json").json["tournaments"]
    assert (listed["state"], listed["round"], listed["matches"]) == ("over", 3, 12)
    rows = list(csv.DictReader(StringIO(arena("tournament", "standings", "cup", "--csv").out)))
    for row, one in zip(
        arena("tournament", "standings", "cup", "--json").json["standings"],
        document["standings"],
        strict=True,
    ):
        values = [row[name] for name in document["terms"]["tie_breaks"]]
        assert [value for value in values if value is not None] == one["tie_breaks"]
    assert [row["bot"] for row in rows] == [one["bot"] for one in document["standings"]]
    cross = arena("tournament", "standings", "cup", "--as", "crosstable", "--json").json
    assert [row["bot"] for row in cross["crosstable"]] == [row["bot"] for row in rows]
    matches = arena("matches", "--limit", 100, "--json").json["matches"]
    assert {match["tournament"] for match in matches} == {"cup"}
    assert len(matches) == 12
    assert arena("verify", matches[0]["match"]).code == 0
    again = arena("tournament", "start", "cup", "--sandbox", "none")
    assert again.code == 2
    assert again.err == "error: The tournament cup is over.\n"


@pytest.mark.usefixtures("cup")
def test_it_is_paused_left_entered_again_and_cancelled(arena: Arena, samples: Path) -> None:
    assert arena("tournament", "pause", "cup").err == "error: The tournament cup is open.\n"
    left = arena("tournament", "leave", "cup", "random")
    assert left.err == "random plays no further matches from round 1 on.\n"
    back = arena("tournament", "enter", "cup", "random")
    assert "random has left the tournament cup, and cannot come back." in back.err
    entered = arena("tournament", "enter", "cup", samples / "last_bot", "xeri-fisher")
    assert entered.err.splitlines() == [
        "last is number 4 in the tournament cup.",
        "xeri-fisher is number 1 in the tournament cup.",
    ]
    same = arena("tournament", "enter", "cup", "last", "xeri-fisher", "--json").json
    assert [(one["bot"], one["number"]) for one in same["entrants"]] == [
        ("last", 4),
        ("xeri-fisher", 1),
    ]
    cancelled = arena("tournament", "cancel", "cup")
    assert (cancelled.code, cancelled.err) == (0, "The tournament cup is cancelled.\n")
    assert arena("tournament", "cancel", "cup") == cancelled
    shown = arena("tournament", "show", "cup", "--json").json
    assert (shown["state"], len(shown["secret"])) == ("cancelled", 64)
    assert arena("tournament", "start", "cup", "--sandbox", "none").code == 2
    assert arena("tournament", "export", "cup", "cup.jsonl").code == 0
    verified = arena("tournament", "verify", "cup.jsonl")
    assert (verified.code, verified.out.splitlines()[1:]) == (
        0,
        ["It is cancelled, so matches that were not played are missing."],
    )


@pytest.mark.slow
def test_one_with_a_beacon_is_played_once_its_value_is_drawn(arena: Arena, samples: Path) -> None:
    bots = [samples / bot for bot in BOTS[1:]]
    terms = ("--set", "deals=1", "--groups", 1, "--beacon", "round 7", "--seed-by-lot")
    created = arena("tournament", "create", "cup", "xeri", *bots, *terms)
    assert created.code == 0, created.err
    closed = arena("tournament", "start", "cup", "--sandbox", "none")
    assert (closed.code, closed.err.splitlines()) == (
        0,
        [
            "Its field is closed. The deals await the value of round 7.",
            "Give it: arena tournament draw cup VALUE",
        ],
    )
    assert "beacon: round 7: not drawn yet" in arena("tournament", "show", "cup").out
    assert "closed until" in arena("tournament", "start", "cup", "--sandbox", "none").err
    drawn = arena("tournament", "draw", "cup", "5f0c")
    assert drawn.err == (
        "The deals of cup are drawn. Play it, unless an arena does: arena tournament start cup\n"
    )
    assert arena("tournament", "start", "cup", "--workers", 2, "--sandbox", "none").code == 0
    assert arena("tournament", "export", "cup", "cup.jsonl").code == 0
    verified = arena("tournament", "verify", "cup.jsonl")
    assert verified.code == 0, verified.out
    assert "The value of its beacon, round 7, is 5f0c: look it up there" in verified.out


MISTAKES = {
    "no such game": (["create", "c", "xeriii"], "Did you mean xeri?"),
    "no such bot": (["create", "c", "xeri", "nobody"], "There is no bot 'nobody'"),
    "no such tournament": (["start", "cupp", "--sandbox", "none"], "Did you mean cup?"),
    "a name in use": (["create", "cup", "xeri"], "There is a tournament 'cup' already."),
    "a wrong name": (["create", "Cup!", "xeri"], "A tournament's name consists of"),
    "no such format": (["create", "c", "xeri", "--format", "knockout"], "`format` is 'knockout'"),
    "rounds of a bracket": (
        ["create", "c", "xeri", "--format", "single-elimination", "--rounds", 3],
        "`rounds` cannot be chosen in an elimination",
    ),
    "pools of a Swiss": (
        ["create", "c", "xeri", "--format", "swiss", "--pools", 4],
        "`pool_size` is 4, but pools come before an elimination with two at a table",
    ),
    "seats that the game lacks": (["create", "c", "xeri", "--seats", 7], "has 2 seats, not 7"),
    "no such tie-break": (["create", "c", "xeri", "--tie-breaks", "elo"], "`tie_breaks` has 'elo'"),
    "the Dutch system at larger tables": (
        ["create", "c", "dingo", "--seats", 4, "--pairing", "dutch"],
        "`pairing` is dutch, which pairs two at a table; here 4 meet.",
    ),
    "a bot for another game": (["create", "c", "dingo", "xeri_fisher"], "does not play dingo"),
    "a round to come": (["show", "cup", "--round", 9], "Round 9 has not been paired; so far: 0."),
}


@pytest.mark.usefixtures("cup")
@pytest.mark.parametrize(("words", "sentence"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_a_sentence_and_changes_nothing(
    arena: Arena, samples: Path, words: list[object], sentence: str
) -> None:
    before = arena("tournament", "list", "--json").out
    told = arena(*("tournament", *(samples / w if w == BOTS[0] else w for w in words)))
    assert told.code == 2
    assert sentence in told.err.replace("\n", " "), told.err
    assert "Traceback" not in told.err
    assert arena("tournament", "list", "--json").out == before


def test_too_few_entrants_do_not_start(arena: Arena, samples: Path) -> None:
    assert arena("tournament", "create", "solo", "xeri", samples / "first_bot").code == 0
    told = arena("tournament", "start", "solo", "--sandbox", "none")
    assert told.err == "error: The tournament solo has 1 entrant, and a table needs 2.\n"


@pytest.mark.usefixtures("cup")
def test_where_an_arena_runs_on_the_folder_it_plays_the_tournament(arena: Arena) -> None:
    with DataFolder(Path("arena-data")).hold() as hold:
        hold.announce("unix:///nowhere", only=None)
        told = arena("tournament", "start", "cup", "--sandbox", "none")
    assert told.code != 0  # this one has no server that could be told
    assert "Traceback" not in told.err
    shutil.rmtree("arena-data")
