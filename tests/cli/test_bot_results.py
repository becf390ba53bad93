"""What a contestant looks up after a lost match: matches, faults, the history of a rating."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from arena.cli.output import stdout
from arena.store.open import open_store
from arena.store.schema import Match, MatchSeat
from tests.support.command_line import Arena, ran
from tests.support.run_folder import data_folder
from tests.support.stored_matches import AT, add_bots, add_match

Words = Callable[[int], tuple[str, str]]


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> int:
    """Narrows the terminal; returns its width in columns."""
    monkeypatch.setattr(stdout, "width", 80)
    return 80


def trace(line: int, value: int, match: str) -> str:
    return (
        f'Traceback (most recent call last):\n  File "/bot/bot.py", line {line}, in choose\n'
        f"KeyError: {value}\nThis was the bot's choice in match {match} (xeri), seat 0, decision 9."
    )


def play_faultily(data: Path) -> None:
    here = ("--set", "deals=1", "--data", data)
    assert ran("ladder", "create", "main", "xeri", *here).code == 0
    store = open_store(data, "write")
    lines = (31, 31, 40, 31, 31, 31)
    with store.writing() as session:
        add_bots(session)
        for number, line in enumerate(lines):
            match = f"{number}{'ab12' * 7}-1"
            add_match(session, match, "main", number)
            seat = session.get_one(MatchSeat, (match, 0))
            seat.fault_words = trace(line, 17 + number, match)
            seat.fault_decision = 3 + number
            seat.fault_sentence = f"The bot's process took {5000 + number:,} ms."
            if number == 4:
                seat.fault_kind = "timeout"
        session.get_one(Match, f"5{'ab12' * 7}-1").finished_at = AT + timedelta(days=1)
    store.close()


faults = data_folder(play_faultily)


@pytest.fixture
def faulty(arena: Arena, faults: Path) -> Arena:
    """An arena in which Ann's bot was at fault 6 times: 4 times alike."""
    shutil.copytree(faults, "arena-data")
    return arena


def test_equal_faults_are_listed_once(faulty: Arena, narrow: int) -> None:
    lines = faulty("bot", "faults", "ann-bot").out.splitlines()
    heads = [line for line in lines if line.startswith("ann-bot")]
    assert heads == [
        "ann-bot version 1 on main: crashed at decision 8  \N{MULTIPLICATION SIGN}4",
        "ann-bot version 1 on main: timeout at decision 7",
        "ann-bot version 1 on main: crashed at decision 5",
    ]
    assert lines[1:3] == [
        "    latest match 5ab12ab12a-1 (2026-07-08 00:00 UTC)",
        "    first match 0ab12ab12a-1 (2026-07-07 00:00 UTC)",
    ]
    assert sum("line 31" in line for line in lines) == 2
    assert max(len(line) for line in (*heads, *lines[1:3], *lines[-2:])) <= narrow
    assert "each of them: --all --limit 1000" in lines


def test_each_fault_is_listed_if_wanted(faulty: Arena) -> None:
    told = faulty("bot", "faults", "--all").out
    assert len(re.findall("^ann-bot", told, re.MULTILINE)) == 6
    assert "\N{MULTIPLICATION SIGN}" not in told
    assert len(faulty("bot", "faults", "--limit", 4, "--json").json["faults"]) == 4
    shown = faulty("bot", "faults", "--limit", 1).out
    assert len(re.findall("^ann-bot", shown, re.MULTILINE)) == 1
    assert "more: --limit 3" in shown


@pytest.mark.parametrize(
    ("command", "field", "words"),
    [
        ("bot faults ann-bto", "bot", "There is no bot 'ann-bto'. Did you mean ann-bot?"),
        ("bot list ann-bto", "bot", "There is no bot 'ann-bto'. Did you mean ann-bot?"),
        ("bot history ann-bto", "bot", "There is no bot 'ann-bto'. Did you mean ann-bot?"),
        ("bot list --owner Anne", "owner", "There is no owner 'Anne'. Did you mean Ann?"),
        ("bot faults --owner Anne", "owner", "There is no owner 'Anne'. Did you mean Ann?"),
        ("bot faults --ladder mian", "ladder", "There is no ladder 'mian'. Did you mean main?"),
        ("bot history ann-bot --ladder mian", "ladder", "There is no ladder 'mian'"),
        ("matches --bot ann-bto", "bot", "There is no bot 'ann-bto'. Did you mean ann-bot?"),
        (
            "matches --bot ann-bot --against bbo-bot",
            "against",
            "Did you mean bob-bot?",
        ),
        ("matches --against bob-bot", "bot", "--against bob-bot also needs --bot."),
        ("matches --lost", "bot", "--lost also needs --bot."),
        ("matches --won", "bot", "--won also needs --bot."),
        ("matches --bot ann-bot --won --lost", "won", "A match is never both won and lost"),
        ("bot history ann-bot --after 7", "ladder", "give --ladder"),
    ],
)
def test_what_is_not_there_is_a_mistake(
    faulty: Arena, command: str, field: str, words: str
) -> None:
    told = faulty(*command.split(), "--json")
    assert (told.code, told.out, told.error["field"]) == (2, "", field)
    assert words in told.error["sentence"]


def test_lost_matches_against_a_bot_are_found(faulty: Arena) -> None:
    def found(*options: object) -> int:
        return len(faulty("matches", *options, "--json").json["matches"])

    mine = ("--bot", "ann-bot", "--against", "bob-bot")
    assert found(*mine, "--lost") == 6
    assert found(*mine, "--won") == 0
    assert found("--bot", "bob-bot", "--won") == 6
    assert found("--faulted") == 6
    assert found("--bot", "bob-bot", "--faulted") == 0
    page = faulty("matches", *mine, "--lost", "--limit", 4, "--json").json
    assert len(page["matches"]) == 4
    assert found(*mine, "--lost", "--after", page["next"]) == 2
    assert faulty("matches", *mine, "--won").out == "There are no such matches yet.\n"


def test_matches_are_found_by_fault_seat_table_time_and_order(faulty: Arena) -> None:
    def found(*options: object) -> list[str]:
        listed = faulty("matches", *options, "--json").json["matches"]
        return [match["match"] for match in listed]

    everything = found()
    assert len(everything) == 6
    assert found("--game", "xeri") == found("--seats", 2) == everything
    assert found("--seats", 3) == []
    assert [len(found("--fault", kind)) for kind in ("crashed", "timeout", "any")] == [5, 1, 6]
    assert [len(found("--bot", "ann-bot@1", "--seat", seat)) for seat in (0, 1)] == [6, 0]
    assert found("--since", "2026-01-01", "--until", "2026-01-02") == []
    assert found("--since", "2026-01-01T07:07Z") == everything
    assert found("--slowest", 10**9) == []
    worst = found("--bot", "ann-bot", "--order", "worst")
    assert worst == found("--bot", "ann-bot", "--order", "best")[::-1]
    assert sorted(worst) == sorted(everything)


@pytest.mark.parametrize(
    ("options", "field", "words"),
    [
        (("--fault", "lost"), "fault", "fault is one of any, "),
        (("--seat", "0"), "seat", "seat is about a bot: name it as well"),
        (("--bot", "ann-bot", "--seat", "first"), "seat", "takes a whole number from 0"),
        (("--seats", "0"), "seats", "takes a whole number from 1"),
        (("--since", "yesterday"), "since", "is a day or a moment, like 2026-07-07"),
        (("--since", "2026-07-07", "--until", "2026-07-06"), "until", "later than since"),
        (("--slowest", "1s"), "slowest", "takes a whole number"),
        (("--order", "worst"), "order", "are those of a bot"),
        (("--bot", "ann-bot", "--order", "wurst"), "order", "latest, worst, best"),
        (("--game", "xery"), "game", "Did you mean xeri?"),
    ],
)
def test_filters_that_cannot_be_say_why(
    faulty: Arena, options: tuple[str, ...], field: str, words: str
) -> None:
    told = faulty("matches", *options, "--json")
    assert (told.code, told.out, told.error["field"]) == (2, "", field)
    assert words in told.error["sentence"]


def test_the_history_of_a_rating_is_shown_match_by_match(
    arena: Arena, data: Path, narrow: int
) -> None:
    ladder = {row["bot"]: row for row in arena("ratings", "main", "--json").json["ratings"]}
    [history] = arena("bot", "history", "first", "--json").json["ladders"]
    changes = history["changes"]
    assert (history["ladder"], history["next"], len(changes)) == ("main", None, 3)
    assert changes[0]["rating"] == ladder["first"]["rating"]
    assert changes[-1]["before"] == {"mu": 25.0, "sigma": 25 / 3}
    assert [change["before"] for change in changes[:-1]] == [
        change["after"] for change in changes[1:]
    ]
    told = arena("bot", "history", "first").out.splitlines()
    assert told[0] == "first on main"
    curve = re.fullmatch("  version 1  ([▁-█]{4})  0.00 → (.*)", told[1])
    assert curve is not None
    assert float(curve[2]) == pytest.approx(changes[0]["rating"], abs=0.005)
    rows = [line for line in told if re.match(r"\d{4}-\d\d-\d\d ", line)]
    assert len(rows) == 3
    for row, change in zip(rows, changes, strict=True):
        assert change["matches"][0]["match"][:10] in row
        seats = {seat["bot"]: seat["rank"] for seat in change["matches"][0]["seats"]}
        words = {1: "lost to random", -1: "beat random", 0: "tied with random"}
        assert words[seats["first"] - seats["random"]] in row
    assert max(map(len, told)) <= narrow
    assert len(arena("bot", "history", "first", "--limit", 1).out.splitlines()) == len(told) - 2


def test_a_history_continues_where_a_page_ends(arena: Arena, data: Path) -> None:
    history = ("bot", "history", "first", "--ladder", "main", "--json", "--limit", 2)
    [first] = arena(*history).json["ladders"]
    [second] = arena(*history, "--after", first["next"]).json["ladders"]
    numbers = [change["sequence"] for page in (first, second) for change in page["changes"]]
    assert (numbers, second["next"]) == ([3, 2, 1], None)


def test_a_bot_without_matches_has_no_history(faulty: Arena) -> None:
    told = faulty("bot", "history", "ann-bot")
    assert told.out.startswith("ann-bot has no rated match on main yet.\n")
