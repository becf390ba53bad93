"""`arena token roster`: tokens for a whole class."""

from __future__ import annotations

import csv
from pathlib import Path
from stat import S_IMODE

import pytest

from tests.support.command_line import Arena


def test_a_class_gets_its_tokens_in_a_private_file(arena: Arena, tmp_path: Path) -> None:
    Path("class.csv").write_text('\ufeffgroup,owner\n7a,Ann\n7b,"O\'Neill, Bo"\n')
    refused = arena("token", "roster", "class.csv", "tokens.csv", "--json")
    assert refused.code == 2
    Path("class.csv").write_text("group,owner\n7a,Ann\n7b,Bo\n")
    made = arena("token", "roster", "class.csv", "tokens.csv", "--expires", "2100-01-31")
    assert made.err == "2 tokens of the role owner are in tokens.csv.\n"
    assert S_IMODE(Path("tokens.csv").stat().st_mode) == 0o600
    with Path("tokens.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["group"], row["owner"]) for row in rows] == [("7a", "Ann"), ("7b", "Bo")]
    assert all(row["token"].startswith("sat_") for row in rows)
    listed = arena("token", "list", "--json").json["tokens"]
    assert [one["expires_at"] for one in listed] == ["2100-02-01T00:00:00.000Z"] * 2
    again = arena("token", "roster", "class.csv", "tokens.csv")
    assert (again.code, "tokens.csv cannot be created" in again.err) == (2, True)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "needs a first line with the column `owner`"),
        ("name\nAnn\n", "needs a first line with the column `owner`"),
        ("owner\nAnn,7a\n", "needs a first line"),
        ("owner,token\nAnn,x\n", "no column `token`"),
        ("owner\nAnn\nann\n", "Ann is in the list twice."),
        ("owner\nAnn\n-\n", "An owner's name begins with"),
    ],
)
def test_a_roster_that_is_none_leaves_nothing(arena: Arena, text: str, sentence: str) -> None:
    Path("class.csv").write_text(text)
    refused = arena("token", "roster", "class.csv", "tokens.csv")
    assert (refused.code, sentence in refused.err) == (2, True), refused.err
    assert not Path("tokens.csv").exists()


def test_a_roster_that_is_missing(arena: Arena, tmp_path: Path) -> None:
    assert "class.csv cannot be read" in arena("token", "roster", "class.csv", "x.csv").err
