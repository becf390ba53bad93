"""`arena bot check`: a good bot passes every check, a bad one fails exactly the checks it
should."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.cli.commands.bot import check as check_command
from arena.conformance.subject import Patience
from tests.support import bad_bots
from tests.support.command_line import Arena, Ran

NAMES = [
    "hello",
    "play xeri",
    "many matches",
    "simultaneous decisions",
    "repeated decisions",
    "unknown fields",
    "largest frame",
    "stale answers",
    "ping",
    "refusal",
    "reconnect",
    "drain",
    "output",
]
Check = Callable[..., Ran]
# More time than users' bots get, for the machine may be busy.
PATIENCE = Patience(answer=60, leave=60, come_back=60)
# With these a check waits until some time has passed, in seconds.
WAITED_FOR = {
    bad_bots.STARTS_TOO_SLOWLY: Patience(answer=1, leave=1),
    bad_bots.READS_SMALL_FRAMES_ONLY: Patience(answer=5),
    bad_bots.IGNORES_PINGS: Patience(answer=5),
    bad_bots.DIALS_IN_AGAIN_WHEN_REFUSED: Patience(leave=4),
    bad_bots.IGNORES_GOODBYE: Patience(leave=4),
    bad_bots.WAITS_WHEN_ITS_STREAM_BREAKS: Patience(come_back=2),
}


@pytest.fixture(autouse=True)
def no_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_command, "PATIENCE", PATIENCE)


@pytest.fixture
def check(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Checks a bot with some source in one game."""

    def of_source(source: str, *options: object) -> Ran:
        (tmp_path / "author.py").write_text(source)
        monkeypatch.setattr(check_command, "PATIENCE", WAITED_FOR.get(source, PATIENCE))
        return arena("bot", "check", "author.py", "--game", "xeri", "--sandbox", "none", *options)

    return of_source


def failures(told: Ran) -> dict[str, dict[str, Any]]:
    """Returns the failed checks by name, without those that were not run."""
    return {row["name"]: row for row in told.json["checks"] if row["ok"] is False}


@pytest.mark.slow
def test_the_random_bot_passes_everything(arena: Arena, samples: Path) -> None:
    told = arena("bot", "check", samples / "random_bot", "--sandbox", "none", "--json")
    assert told.code == 0
    assert all(row["ok"] for row in told.json["checks"])
    assert {row["name"] for row in told.json["checks"]} > {*NAMES, "play seven-euchre"}
    assert told.json["repeatable"]
    latency = told.json["latency_ms"]
    assert 0 < latency["p50"] <= latency["p95"] <= latency["p99"] <= latency["max"]
    assert told.json["decisions"] > 2000


@pytest.mark.slow
def test_people_read_a_line_per_check_and_the_time_at_the_end(arena: Arena, samples: Path) -> None:
    told = arena("bot", "check", samples / "xeri_fisher", "--sandbox", "none", "--deterministic")
    lines = told.out.splitlines()
    expected = [*NAMES, "deterministic"]
    names = [line.partition(":")[0] for line in lines[: len(expected)]]
    assert names == [f"✓ {name}" for name in expected], told.out
    assert "Time per decision: p50" in told.out
    assert "The answer to a repeated question is the same." in told.out


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
def test_a_single_file_is_checked_in_the_sandbox_in_the_games_that_its_hello_names(
    arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "author.py").write_text(bad_bots.RANDOM + 'run(Author, games=["xeri"])\n')
    told = arena("bot", "check", "author.py", "--sandbox", "bubblewrap", "--json")
    assert told.code == 0
    assert told.json["repeatable"]
    assert [row["name"] for row in told.json["checks"]] == NAMES


@pytest.mark.slow
def test_what_a_bot_prints_is_not_taken_for_protocol(check: Check) -> None:
    told = check(bad_bots.PRINTS_BYTES, "--json")
    assert told.code == 0
    assert "It printed up to" in told.json["checks"][-1]["sentence"]


@pytest.mark.slow
def test_a_bot_that_takes_one_match_at_a_time_passes(
    arena: Arena, samples: Path, tmp_path: Path
) -> None:
    (tmp_path / "bot.toml").write_text(
        'name = "single"\nrun = ["python", "bot.py"]\ngames = ["xeri"]\n'
        "[limits]\nmatches_at_once = 1\n"
    )
    (tmp_path / "bot.py").write_text((samples / "random_bot" / "bot.py").read_text())
    told = arena("bot", "check", tmp_path, "--sandbox", "none")
    assert told.code == 0
    assert "3 matches, one after another" in told.out


def test_a_bot_that_never_says_hello_is_told_to_connect(check: Check) -> None:
    told = check(bad_bots.NEVER_SAYS_HELLO, "--grace", 0.3, "--json")
    assert told.code == 1
    [(name, failure)] = failures(told).items()
    assert name == "hello"
    assert "ARENA_ADDRESS" in failure["sentence"]
    assert all(row["ok"] is None for row in told.json["checks"][1:])


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (bad_bots.EXITS_AT_ONCE, "model.bin is not there"),
        (bad_bots.SPEAKS_ANOTHER_VERSION, "version 2 of the protocol"),
    ],
)
def test_a_bot_that_does_not_get_in_is_told_why(check: Check, source: str, words: str) -> None:
    told = check(source, "--json")
    assert list(failures(told)) == ["hello"]
    assert words in failures(told)["hello"]["sentence"]


@pytest.mark.slow
def test_a_bot_that_starts_too_slowly_is_told_how_long_it_may_take(check: Check) -> None:
    told = check(bad_bots.STARTS_TOO_SLOWLY, "--grace", 5, "--json")
    failure = failures(told)["play xeri"]
    assert "start-failed" in failure["sentence"]
    assert "5 s" in failure["sentence"]
    assert failure["sent"].startswith("the start of match")
    assert failure["came_back"] == "nothing"


@pytest.mark.slow
def test_a_game_is_played_with_as_many_as_may_sit_at_its_table(
    arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "author.py").write_text(bad_bots.FAILS_AT_LARGER_TABLES)
    options = ("--game", "forty-thieves", "--sandbox", "none", "--json")
    failure = failures(arena("bot", "check", "author.py", *options))["play forty-thieves"]
    assert "in forty-thieves with 8 players" in failure["sentence"]
    assert "I count on fewer players" in failure["sentence"]


def test_an_illegal_answer_is_shown_with_the_decision(check: Check) -> None:
    told = check(bad_bots.ANSWERS_ILLEGALLY)
    assert told.code == 1
    assert "✗ play xeri: " in told.out
    assert "The answer was not among the" in told.out
    assert "It answered 'fold'; " in told.out
    assert "sent: decision 1 of match" in told.out
    assert "received: 'fold'" in told.out
    assert told.out.count("✗") == 1
    assert "- many matches: Not checked, because play xeri did not pass." in told.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "name", "words"),
    [
        ("CRASHES_IN_A_SECOND_MATCH", "many matches", "two matches are too many"),
        ("MIXES_UP_ITS_ANSWERS", "many matches", "illegal-action"),
        ("READS_SMALL_FRAMES_ONLY", "largest frame", "Allow gRPC messages of that size"),
        ("STUMBLES_OVER_UNKNOWN_FIELDS", "unknown fields", "field 1000 of the observation is new"),
        ("CHOOSES_BY_THE_BYTES_OF_A_DECISION", "unknown fields", "when it was encoded differently"),
        ("ANSWERS_PINGS_WITHOUT_THEIR_NUMBER", "ping", "has to repeat the number"),
        ("ENDS_WELL_WHEN_REFUSED", "refusal", "as if all were well"),
        (
            "ANSWERS_FOR_ENDED_MATCHES",
            "stale answers",
            "after it had received the end of that match",
        ),
        ("ENDS_WHEN_ITS_STREAM_BREAKS", "reconnect", "ended with exit code 1"),
        ("LEAVES_WITHOUT_ITS_LAST_ANSWER", "drain", "without an answer to a decision"),
        ("PRINTS_TOO_MUCH", "output", "the beginning was lost"),
        *(
            pytest.param(*bot, marks=pytest.mark.nightly)
            for bot in (  # which fail a check in another way than a bot above
                ("IGNORES_PINGS", "ping", "did not answer a ping within 5 seconds"),
                ("DIALS_IN_AGAIN_WHEN_REFUSED", "refusal", "4 seconds after it was refused"),
                ("ANSWERS_TWICE", "stale answers", "2 answers to one decision"),
                ("WAITS_WHEN_ITS_STREAM_BREAKS", "reconnect", "not come back within 2 seconds"),
                ("IGNORES_GOODBYE", "drain", "still running 4 seconds after a goodbye"),
                ("LEAVES_WITH_A_FAILURE", "drain", "cannot save what was learnt"),
            )
        ),
    ],
)
def test_a_bad_bot_fails_exactly_the_check_that_is_meant(
    check: Check, source: str, name: str, words: str
) -> None:
    told = check(getattr(bad_bots, source), "--json")
    assert told.code == 1
    assert list(failures(told)) == [name], failures(told)
    assert words in failures(told)[name]["sentence"]
    if name != "output":  # no single exchange is to blame for the printed total
        assert failures(told)[name]["sent"]
        assert failures(told)[name]["came_back"]
    assert told.json["repeatable"] is (name != "many matches")


@pytest.mark.slow
def test_a_bot_that_answers_by_chance_is_not_deterministic(check: Check) -> None:
    told = check(bad_bots.ANSWERS_DIFFERENTLY_WHEN_ASKED_AGAIN, "--deterministic", "--json")
    assert list(failures(told)) == ["repeated decisions", "deterministic"]
    assert not told.json["repeatable"]
    repeated, failure = failures(told).values()
    assert "draw all randomness from" in repeated["sentence"]
    assert repeated["sent"]
    assert repeated["came_back"]
    assert "seed in the match's start" in failure["sentence"]
    assert "first answer: 'play " in failure["sent"]
    assert failure["came_back"].startswith("'play ")


def test_a_program_that_is_nowhere_is_reported_with_the_build(arena: Arena, tmp_path: Path) -> None:
    manifest = 'name = "unbuilt"\nrun = ["my-own-bot"]\nbuild = ["cc", "-o", "bot", "my check.c"]\n'
    (tmp_path / "bot.toml").write_text(manifest)
    told = arena("bot", "check", tmp_path, "--sandbox", "none", "--json")
    sentence = failures(told)["hello"]["sentence"]
    assert "could not be started" in sentence
    assert "in its folder, by: cc -o bot 'my check.c'" in sentence


def test_a_hello_that_names_fewer_games_than_the_manifest_fails(
    arena: Arena, tmp_path: Path
) -> None:
    manifest = 'name = "two"\nrun = ["python", "bot.py"]\ngames = ["xeri", "seven-euchre"]\n'
    (tmp_path / "bot.toml").write_text(manifest)
    source = bad_bots.RANDOM + 'run(Author, games=["xeri"])\n'
    (tmp_path / "bot.py").write_text(source)
    told = arena("bot", "check", tmp_path, "--sandbox", "none", "--json")
    assert "bot.toml names seven-euchre" in failures(told)["hello"]["sentence"]


@pytest.mark.parametrize(
    ("arguments", "field", "words"),
    [
        (("nowhere",), "bot", "There is no bot nowhere"),
        (("builtin:random",), "bot", "built into the arena"),
        (("author.py", "--game", "bridge"), "game", "There is no game 'bridge'"),
    ],
)
def test_wrong_input_is_reported_before_anything_starts(
    arena: Arena, tmp_path: Path, arguments: tuple[str, ...], field: str, words: str
) -> None:
    (tmp_path / "author.py").write_text("")
    told = arena("bot", "check", *arguments, "--json")
    assert told.code == 2
    assert told.out == ""
    assert told.error["field"] == field
    assert words in told.error["sentence"]
