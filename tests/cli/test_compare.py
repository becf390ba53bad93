"""`arena compare`, as a contestant uses it on one machine, in too few groups for a verdict;
tests/documents/test_tutorial.py and, at night, test_search_budgets.py play until there is one."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command_line import Arena, ran
from tests.support.run_folder import data_folder

SAMPLES = Path(__file__).parents[2] / "sample_bots"
FISHER, RANDOM = SAMPLES / "xeri_fisher", SAMPLES / "random_bot"
DEALS = ("--game", "xeri", "--set", "deals=1")
HERE = ("--workers", "2", "--sandbox", "none")


TERMS = (*DEALS, *HERE, "--most-groups", 3)


def compare_two(folder: Path) -> None:
    folder.mkdir()
    told = ran("compare", FISHER, RANDOM, *TERMS, "--name", "duel", folder=folder)
    assert told.code == 1, told.err
    assert "question: is xeri-fisher@1 better than random@1?" in told.out
    assert "Undecided after 3 groups, the most that were agreed" in told.out
    assert "duel.jsonl.gz has the comparison duel and the records of " in told.err


# The folder in which a fisher was compared with a bot that chooses at random.
played = data_folder(compare_two)


@pytest.mark.slow
def test_a_comparison_is_shown_listed_and_verified(arena: Arena, played: Path) -> None:
    data = ("--data", played / "arena-data")
    status = arena("compare", "show", "duel", "--json", *data).json
    assert (status["state"], status["findings"]["verdict"]) == ("over", "undecided")
    assert status["started"] == status["findings"]["groups"] == 3
    assert (status["new_faults"], status["old_faults"]) == (0, 0)
    shown = arena("compare", "show", "duel", *data).out
    assert "of the points between the two went to NEW" in shown
    [listed] = arena("compare", "list", "--json", *data).json["comparisons"]
    assert (listed["new"], listed["old"]) == ("xeri-fisher@1", "random@1")
    matches = arena("matches", "--comparison", "duel", "--limit", 5, "--json", *data).json
    assert {match["comparison"] for match in matches["matches"]} == {"duel"}
    checked = arena("compare", "verify", played / "duel.jsonl.gz")
    assert checked.code == 0, checked.out
    assert "Everything follows from the plan and the records" in checked.out


@pytest.mark.slow
def test_asked_again_it_is_not_played_again(arena: Arena, played: Path) -> None:
    data = ("--data", played / "arena-data")
    bots = (FISHER, "random@1")
    before = arena("compare", "show", "duel", "--json", *data).json["matches"]
    again = arena("compare", *bots, *TERMS, "--name", "duel", *data)
    assert again.code == 1, again.err
    assert "This comparison was played before." in again.err
    assert arena("compare", "show", "duel", "--json", *data).json["matches"] == before
    other = arena("compare", "run", *bots, *DEALS, "--t1", "0.3", "--name", "duel", *data)
    assert other.code == 2
    assert "There is a comparison 'duel' already, with another plan." in other.err
    for change in ("pause", "cancel"):
        assert arena("compare", change, "duel", *data).err == (
            "error: The comparison duel is over.\n"
        )


@pytest.mark.slow
def test_replacement_among_a_house_bot_ends_undecided_if_it_must(
    arena: Arena, tmp_path: Path
) -> None:
    """Two bots that choose alike differ by chance alone, and two groups decide nothing."""
    for name in ("one", "other"):
        (tmp_path / f"{name}.py").write_text(
            f"# {name}\n{(SAMPLES / 'random_bot' / 'bot.py').read_text()}"
        )
    told = arena(
        *("compare", "one.py", "other.py", *DEALS, *HERE, "--seats", 2, "--most-groups", 2),
        *("--against", SAMPLES / "first_bot"),
    )
    assert told.code == 1, told.err
    assert "mode: replacement" in told.out
    assert "Undecided after 2 groups, the most that were agreed" in told.out
    [file] = tmp_path.glob("compare-*.jsonl.gz")
    lines = gzip.decompress(file.read_bytes()).splitlines()
    assert len(lines) == 1 + 2 * 4
    assert arena("compare", "verify", file).code == 0


def cut(lines: list[str]) -> list[str]:
    return lines[:-1]


def other_difference(lines: list[str]) -> list[str]:
    def other(stated: re.Match[str]) -> str:
        return f"{stated[1]}{0.25 - float(stated[2])}"

    return [re.sub(r'("difference":)([-.0-9]+)', other, lines[0], count=1), *lines[1:]]


def other_record(lines: list[str]) -> list[str]:
    record = json.loads(lines[-1])
    record["result"]["scores"][0] += 1
    return [*lines[:-1], json.dumps(record)]


def other_plan(lines: list[str]) -> list[str]:
    return [lines[0].replace('"alpha":0.05', '"alpha":0.01'), *lines[1:]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (cut, "is missing"),
        (other_difference, "`findings."),
        (other_record, "is not true: result.scores"),
        (other_plan, "the plan has been changed after it was published"),
    ],
)
def test_whatever_is_changed_is_named(
    arena: Arena, played: Path, change: Callable[[list[str]], list[str]], sentence: str
) -> None:
    text = gzip.decompress((played / "duel.jsonl.gz").read_bytes()).decode()
    Path("changed.jsonl").write_text("\n".join(change(text.splitlines())) + "\n")
    told = arena("compare", "verify", "changed.jsonl")
    assert told.code in (1, 2)
    assert sentence in (told.out + told.err).replace("\n", " "), told.out + told.err


MISTAKES = {
    "itself": ((RANDOM, RANDOM, *DEALS), "random@1 and random@1 are the same version"),
    "no such game": ((FISHER, RANDOM, "--game", "xerri"), "Did you mean xeri?"),
    "another game": ((FISHER, RANDOM, "--game", "dingo"), "does not play dingo"),
    "no such bot": ((FISHER, "nobody", *DEALS), "There is no bot 'nobody'"),
    "no such version": ((FISHER, "random@9", *DEALS), "random has no version 9 that plays"),
    "no version": ((FISHER, "random@x", *DEALS), "write BOT@NUMBER, such as random@3"),
    "a house that cannot sit": (
        (FISHER, RANDOM, *DEALS, "--beside", SAMPLES / "first_bot"),
        "There are places for 0 house bots, not 1",
    ),
    "two houses": (
        (FISHER, RANDOM, *DEALS, "--beside", "a", "--against", "b"),
        "Name house bots with --against or --beside, not with both.",
    ),
    "bounds that cross": ((FISHER, RANDOM, *DEALS, "--t0", "0.2"), "t1 must be larger"),
    "an error rate": ((FISHER, RANDOM, *DEALS, "--alpha", "0.5"), "`alpha`: Input should be less"),
    "no such comparison": (("show", "duell"), "There is no comparison 'duell'"),
    "no file": (("verify", "duel.jsonl"), "duel.jsonl cannot be read"),
    "files for a server": (
        (FISHER, RANDOM, *DEALS, "--server", "127.0.0.1:1"),
        "is on this machine, not on the server",
    ),
}


def enter_two(data: Path) -> None:
    two = (RANDOM, SAMPLES / "first_bot")
    assert ran("ladder", "create", "main", "xeri", *two, "--data", data).code == 0


entered = data_folder(enter_two)


@pytest.mark.parametrize(("words", "sentence"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_a_sentence_and_creates_nothing(
    arena: Arena, entered: Path, words: tuple[object, ...], sentence: str
) -> None:
    shutil.copytree(entered, "arena-data")
    told = arena("compare", *words)
    assert told.code == 2
    assert sentence in told.err.replace("\n", " "), told.err
    assert arena("compare", "list", "--json").json == {"comparisons": []}
