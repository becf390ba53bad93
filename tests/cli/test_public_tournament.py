"""A tournament as one file: what is true in it verifies, and whatever is changed is named."""

from __future__ import annotations

import gzip
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import Arena, ran
from tests.support.run_folder import data_folder

pytestmark = pytest.mark.slow  # whole arenas play whole tournaments

SAMPLES = Path(__file__).parents[2] / "sample_bots"
BOTS = ("xeri_fisher", "random_bot", "first_bot")
Change = Callable[[dict[str, Any], list[str]], None]


def export_cup(folder: Path) -> None:
    folder.mkdir()
    bots = [SAMPLES / bot for bot in BOTS]
    terms = ("--format", "swiss", "--rounds", 2, "--set", "deals=1")
    for command in (
        ("create", "cup", "xeri", *bots, *terms),
        ("start", "cup", "--workers", "2", "--sandbox", "none"),
        ("export", "cup", "cup.jsonl"),
    ):
        told = ran("tournament", *command, folder=folder)
        assert told.code == 0, told.err


cup_folder = data_folder(export_cup)


@pytest.fixture
def exported(cup_folder: Path) -> Path:
    """The file of a Swiss of three bots and two rounds, with a bye in each."""
    return cup_folder / "cup.jsonl"


def test_a_true_file_verifies_compressed_or_not(arena: Arena, exported: Path) -> None:
    chain = json.loads(exported.read_text().splitlines()[0])["chain"]
    sentences = [
        "The results of the tournament cup follow from its records.",
        "Late entries, withdrawals and pauses, with their times and reasons, are as the file states"
        " them (0 entries and withdrawals).",
        f"Plan and events are the arena's own if their chain ends, as it published, with {chain}.",
    ]
    assert arena("tournament", "verify", exported).out.splitlines() == sentences
    Path("cup.jsonl.gz").write_bytes(gzip.compress(exported.read_bytes()))
    assert arena("tournament", "verify", "cup.jsonl.gz").out.splitlines() == sentences
    document = arena("tournament", "verify", exported, "--json").json
    assert document == {
        "tournament": "cup",
        "problems": [],
        "asserted": [sentences[1]],
        "chain": chain,
    }


def test_a_published_digest_binds_the_rest(arena: Arena, exported: Path) -> None:
    chain = json.loads(exported.read_text().splitlines()[0])["chain"]
    bound = arena("tournament", "verify", exported, "--published", chain)
    assert bound.out.endswith("Plan and events are those that the arena published.\n")
    other = arena("tournament", "verify", exported, "--published", "0" * 64)
    assert (other.code, other.out) == (
        1,
        f"The chain ends with {chain}, not with {'0' * 64}, which was published: the plan or an"
        " event is another one, or is missing.\n",
    )


def other_points(document: dict[str, Any], records: list[str]) -> None:
    points = document["rounds"][0]["tables"][0]["groups"][0]["points"]
    points[:] = [points[0] + 0.125, points[1] - 0.125]


def other_secret(document: dict[str, Any], records: list[str]) -> None:
    document["secret"] = "0" * 64


def other_place(document: dict[str, Any], records: list[str]) -> None:
    document["standings"][0]["place"] = 2


def other_probability(document: dict[str, Any], records: list[str]) -> None:
    document["places"]["1"] = {"1": 0.123456}


def no_record(document: dict[str, Any], records: list[str]) -> None:
    records.pop()


def twice(document: dict[str, Any], records: list[str]) -> None:
    records.append(records[0])


def other_move(document: dict[str, Any], records: list[str]) -> None:
    record = json.loads(records[0])
    record["result"]["scores"][0] += 1
    records[0] = json.dumps(record)


def other_bot(document: dict[str, Any], records: list[str]) -> None:
    document["entrants"][0]["version"] = "f" * 64


def other_bye(document: dict[str, Any], records: list[str]) -> None:
    first = document["rounds"][0]
    [table], [bye] = first["tables"], first["byes"]
    first["byes"] = [table["entrants"][1]]
    table["entrants"][1] = bye


def other_costs(document: dict[str, Any], records: list[str]) -> None:
    document["rounds"][1]["costs"][0]["value"] += 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (other_points, "points by the records, not"),
        (other_secret, "The secret is not the one to which the arena committed."),
        (other_secret, "seed_text is"),
        (other_place, "The standings do not follow from the results."),
        (other_probability, "The chances of the places do not follow"),
        (no_record, "is missing."),
        (twice, "belongs to no group, or is there twice."),
        (other_move, "is not true: result.scores"),
        (other_bot, "the versions at the seats is"),
        (other_bye, "Round 1: the rules pair"),
        (other_costs, "Round 2: the stated cost is not the cost of this pairing."),
    ],
)
def test_whatever_is_changed_is_named(
    arena: Arena, exported: Path, change: Change, sentence: str
) -> None:
    first, *records = exported.read_text().splitlines()
    document = json.loads(first)
    change(document, records)
    Path("changed.jsonl").write_text("\n".join([json.dumps(document), *records, ""]))
    told = arena("tournament", "verify", "changed.jsonl", "--json")
    assert told.code == 1
    assert any(sentence in problem for problem in told.json["problems"]), told.out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "is empty"),
        (b"{}", "is no tournament of format 1: format: Field required"),
        (b'{"format": 2}', "format: Input should be 1"),
        (b"\xff\xfe", "cannot be read as text"),
        (b"no json", "is no tournament of format 1"),
    ],
)
def test_other_files_are_refused_in_a_sentence(arena: Arena, text: bytes, sentence: str) -> None:
    Path("x.jsonl").write_bytes(text)
    told = arena("tournament", "verify", "x.jsonl")
    assert told.code == 2
    assert sentence in told.err.replace("\n", " "), told.err
    assert "Traceback" not in told.err


def other_field(document: dict[str, Any]) -> None:
    document["entrants"][0]["rank"] = 1


def no_byes(document: dict[str, Any]) -> None:
    del document["rounds"][0]["byes"]


def seats_as_text(document: dict[str, Any]) -> None:
    document["seats"] = "2"


def no_number(document: dict[str, Any]) -> None:
    document["rounds"][0]["tables"][0]["groups"][0]["points"][0] = float("nan")


def other_term(document: dict[str, Any]) -> None:
    document["terms"]["knights"] = 1


def term_of_no_kind(document: dict[str, Any]) -> None:
    document["terms"]["format"] = "knockout"


def no_term(document: dict[str, Any]) -> None:
    del document["terms"]["groups"]


def padded_number(document: dict[str, Any]) -> None:
    document["places"]["01"] = document["places"].pop("1")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (other_field, "entrants.0.rank: Extra inputs are not permitted."),
        (no_byes, "rounds.0.byes: Field required."),
        (seats_as_text, "seats: Input should be a valid integer."),
        (no_number, "rounds.0.tables.0.groups.0.points.0: Input should be a finite number."),
        (other_term, "terms.knights: "),
        (term_of_no_kind, "`format` is 'knockout'; choose one of: auto,"),
        (no_term, "terms are missing, or numbers are written in another way."),
        (padded_number, "terms are missing, or numbers are written in another way."),
    ],
)
def test_a_document_of_another_form_is_refused_with_the_place(
    arena: Arena, exported: Path, change: Callable[[dict[str, Any]], None], sentence: str
) -> None:
    first, *records = exported.read_text().splitlines()
    document = json.loads(first)
    change(document)
    Path("changed.jsonl").write_text("\n".join([json.dumps(document), *records]))
    told = arena("tournament", "verify", "changed.jsonl")
    assert told.code == 2
    assert "changed.jsonl is no tournament of format 1: " in told.err
    assert sentence in told.err.replace("\n", " "), told.err


def test_strangers_and_short_groups_are_refused(arena: Arena, exported: Path) -> None:
    first, *records = exported.read_text().splitlines()
    document = json.loads(first)
    document["rounds"][0]["tables"][0]["entrants"] = [1, 99]
    Path("changed.jsonl").write_text("\n".join([json.dumps(document), *records]))
    told = arena("tournament", "verify", "changed.jsonl")
    assert told.out == "Round 1: table 1 is out of order, or has strangers.\n"
    document = json.loads(first)
    document["rounds"][0]["tables"][0]["groups"][0]["matches"].pop()
    Path("changed.jsonl").write_text("\n".join([json.dumps(document), *records]))
    told = arena("tournament", "verify", "changed.jsonl")
    assert told.code == 2
    assert "group 1: it has 2 matches, not 1" in told.err


def test_a_file_that_is_not_there_or_cannot_be_written(arena: Arena, exported: Path) -> None:
    assert "cannot be read: No such file" in arena("tournament", "verify", "nowhere.gz").err
    shutil.copytree(exported.parent / "arena-data", "arena-data")
    told = arena("tournament", "export", "cup", "nowhere/cup.jsonl")
    assert (told.code, told.err) == (
        2,
        "error: nowhere/cup.jsonl cannot be written: No such file or directory.\n",
    )


def test_a_dutch_swiss_is_verified_with_its_library_and_named_without(
    arena: Arena, samples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [samples / bot for bot in BOTS]
    terms = ("--format", "swiss", "--rounds", 2, "--groups", 1, "--set", "deals=1")
    create = ("tournament", "create", "cup", "xeri", *bots, *terms, "--pairing", "dutch")
    assert arena(*create).code == 0
    assert arena("tournament", "start", "cup", "--workers", 2, "--sandbox", "none").code == 0
    shown = arena("tournament", "show", "cup").out
    assert "pairing: dutch" in shown
    assert "paired by: FIDE Dutch system, by py4swiss" in shown
    assert arena("tournament", "export", "cup", "cup.jsonl").code == 0
    assert arena("tournament", "verify", "cup.jsonl").code == 0
    monkeypatch.delitem(sys.modules, "arena.tournament.dutch")
    monkeypatch.setitem(sys.modules, "py4swiss.engines", None)
    without = arena("tournament", "verify", "cup.jsonl")
    assert (without.code, without.out) == (2, "")
    assert "pip install 'sevens-arena[dutch]'" in without.err
    create = ("tournament", "create", "other", "xeri", *terms, "--pairing", "dutch")
    assert "pip install 'sevens-arena[dutch]'" in arena(*create).err
    assert "other" not in arena("tournament", "list").out
