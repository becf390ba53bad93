"""`arena play`, and the commands that read the records it writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sevens_games import load, slugs
from tests.support.command_line import Arena

RANDOM = "builtin:random"


@pytest.mark.parametrize("slug", slugs())
def test_play_prints_results_and_leaves_records_that_verify(arena: Arena, slug: str) -> None:
    players = load(slug).ladder_players
    told = arena("play", slug, *[RANDOM] * players, "--seed", "s", "--json")
    assert told.code == 0
    document = told.json
    assert document["game"] == slug
    assert document["seed"] == "s"
    assert document["players"] == players
    [match] = document["matches"]
    assert len(match["seats"]) == players
    assert json.loads(Path(match["record"]).read_text())["digest"] == match["digest"]
    assert arena("verify", match["record"]).code == 0
    assert arena("log", match["record"]).out
    assert arena("replay", match["record"], "--seat", 0, "--decision", 1).out


def test_verify_ignores_the_private_logs_next_to_records(arena: Arena) -> None:
    told = arena("play", "xeri", RANDOM, RANDOM, "--seed", "s", "--json")
    folder = Path(told.json["matches"][0]["record"]).parent
    assert len(list(folder.glob("*.json"))) == 2
    verified = arena("verify", *folder.glob("*.json"), "--json")
    assert verified.code == 0
    assert len(verified.json["records"]) == 1
    alone = arena("verify", *folder.glob("*.private.json"))
    assert alone.code == 2
    assert "Private logs are not records" in alone.err


def test_replay_shows_a_decision_of_the_match_as_a_seat_saw_it(arena: Arena) -> None:
    told = arena("play", "xeri", RANDOM, RANDOM, "--seed", "s", "--json")
    record = told.json["matches"][0]["record"]
    [shown] = arena("replay", record, "--seat", 0, "--at", 20, "--json").json["decisions"]
    assert shown["seat"] == 0
    assert shown["decision"] in (20, 21)  # the seats take turns
    beyond = arena("replay", record, "--at", 9999)
    assert beyond.code == 2
    assert "decision 9999" in beyond.err
    assert arena("replay", record, "--at", 1, "--decision", 1).code == 2


@pytest.mark.parametrize("command", ["log", "replay"])
def test_a_record_that_is_not_true_is_refused_in_a_sentence(arena: Arena, command: str) -> None:
    told = arena("play", "xeri", RANDOM, RANDOM, "--seed", "s", "--json")
    record = Path(told.json["matches"][0]["record"])
    record.write_text(record.read_text().replace('"action":"play ', '"action":"lay ', 1))
    refused = arena(command, record, "--json")
    assert refused.code == 2
    assert "choices[0].action" in refused.error["sentence"]
    record.write_text(record.read_text()[:100])
    assert arena(command, record).code == 2


def test_the_same_seed_gives_the_same_matches(arena: Arena) -> None:
    first, again = (
        arena("play", "xeri", RANDOM, RANDOM, "--seed", "s", "-n", 3, "--json").json
        for _ in range(2)
    )
    scores = [
        [[seat["score"] for seat in match["seats"]] for match in run["matches"]]
        for run in (first, again)
    ]
    assert scores[0] == scores[1]


def test_a_run_with_a_seed_used_before_leaves_the_earlier_records_alone(arena: Arena) -> None:
    """Another option means other matches, which would mix in one folder."""
    seeded = ("play", "xeri", RANDOM, RANDOM, "--seed", "s", "--json")
    [first] = arena(*seeded).json["matches"]
    before = Path(first["record"]).read_bytes()
    [again] = arena(*seeded).json["matches"]
    shorter = arena(*seeded, "--set", "deals=1", "-n", 2).json["matches"]
    folders = [Path(match["record"]).parent.name for match in (first, again, *shorter)]
    assert folders == ["xeri-s", "xeri-s.2", "xeri-s.3", "xeri-s.3"]
    assert Path(first["record"]).read_bytes() == before
    choices = [json.loads(Path(match["record"]).read_text())["choices"] for match in (first, again)]
    assert actions(choices[0]) == actions(choices[1])


def actions(choices: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(choice["seat"], choice["action"]) for choice in choices]


def test_a_record_that_cannot_be_stored_ends_the_run_and_is_reported(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("arena.records.record.SealedRecord.save", full)
    told = arena("play", "xeri", RANDOM, RANDOM)
    assert told.code == 4
    assert "is full; make room there. The record of a match was not saved" in told.err


def test_a_run_that_comes_to_nothing_leaves_no_folder(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_runtime() -> Path:
        raise FileNotFoundError("there is none")

    (tmp_path / "mine.py").write_text("")
    monkeypatch.setattr("arena.bots.host.python_folder", no_runtime)
    assert arena("play", "xeri", "mine.py", RANDOM, "--sandbox", "none").code == 4
    assert not list((tmp_path / "arena-data" / "played").iterdir())


def test_duplicate_plays_every_seating_of_each_deal(arena: Arena, samples: Path) -> None:
    told = arena(
        *("play", "xeri", samples / "xeri_fisher", samples / "random_bot"),
        *("-n", 2, "--duplicate", "--sandbox", "none", "--json"),
    )
    assert told.code == 0
    seated = [[seat["bot"] for seat in match["seats"]] for match in told.json["matches"]]
    assert seated == [["xeri-fisher", "random"], ["random", "xeri-fisher"]] * 2
    [one, two] = [json.loads(Path(m["record"]).read_text()) for m in told.json["matches"][:2]]
    assert one["shuffles"] == two["shuffles"]


def test_a_program_in_the_sandbox_plays_without_fault(arena: Arena, samples: Path) -> None:
    told = arena("play", "xeri", samples / "xeri_fisher", RANDOM, "--json")
    assert told.code == 0
    assert {total["bot"]: total["faults"] for total in told.json["totals"]} == {
        "xeri-fisher": 0,
        RANDOM: 0,
    }


def test_one_bot_for_each_team_is_its_own_partner(arena: Arena, samples: Path) -> None:
    told = arena(
        *("play", "seven-euchre", samples / "euchre_counter", RANDOM, "--set", "max_deals=2"),
        *("--sandbox", "none", "--json"),
    )
    [match] = told.json["matches"]
    assert [seat["bot"] for seat in match["seats"]] == ["euchre-counter", RANDOM] * 2
    assert told.json["options"] == {"target": 100, "max_deals": 2}


def test_a_bot_that_fails_is_told_with_its_last_words_and_the_answer_is_no(
    arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "broken.py").write_text("import a_module_that_is_not_there\n")
    told = arena("play", "xeri", "broken.py", RANDOM, "--sandbox", "none")
    assert told.code == 1
    assert "a_module_that_is_not_there" in told.out
    assert "start-failed" in told.out


FAILS_AT_THE_END = """
from sevens_sdk import Bot, run

class Author(Bot):
    def choose(self, decision):
        return self.random.choice(decision.legal)

    def on_end(self, end):
        raise OSError("cannot save what was learnt")

run(Author)
"""


def test_a_bot_that_fails_after_its_last_match_is_reported_and_not_at_fault(
    arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "learner.py").write_text(FAILS_AT_THE_END)
    told = arena("play", "xeri", "learner.py", RANDOM, "--sandbox", "none")
    assert told.code == 0
    assert "learner, while no answer was due:" in told.out
    assert "OSError: cannot save what was learnt" in told.out
    told = arena("play", "xeri", "learner.py", RANDOM, "--sandbox", "none", "--json")
    [warning] = told.json["warnings"]
    assert warning["bot"] == "learner"
    assert [total["faults"] for total in told.json["totals"]] == [0, 0]


def test_a_good_bot_is_not_warned_of(arena: Arena, samples: Path) -> None:
    told = arena("play", "xeri", samples / "random_bot", RANDOM, "--sandbox", "none", "--json")
    assert told.json["warnings"] == []


def test_a_bot_that_never_runs_is_told_what_it_may_have_forgotten(
    arena: Arena, tmp_path: Path
) -> None:
    (tmp_path / "forgetful.py").write_text(FAILS_AT_THE_END.replace("run(Author)", ""))
    told = arena("play", "xeri", "forgetful.py", RANDOM, "--sandbox", "none")
    assert told.code == 1
    assert "does not call its SDK's `run`" in told.out


def test_a_bot_that_takes_too_long_is_quoted_and_the_log_is_pointed_to(
    arena: Arena, tmp_path: Path
) -> None:
    slow = "import time; print('loading a big table', flush=True); time.sleep(2)\n        return"
    (tmp_path / "slow.py").write_text(FAILS_AT_THE_END.replace("return", slow))
    told = arena(
        *("play", "xeri", "slow.py", RANDOM, "--sandbox", "none"),
        *("--bank-ms", 100, "--increment-ms", 0),
    )
    assert told.code == 1
    assert "timeout" in told.out
    assert "Its last output on stderr:\n    loading a big table" in told.out
    assert "read one: arena log " in told.out


def test_a_bot_that_does_not_play_the_game_is_refused(arena: Arena, samples: Path) -> None:
    told = arena("play", "xeri", samples / "euchre_counter", RANDOM)
    assert told.code == 2
    assert "euchre-counter does not play xeri, only seven-euchre;" in told.err


def test_a_changed_record_is_found_out(arena: Arena) -> None:
    [match] = arena("play", "xeri", RANDOM, RANDOM, "--json").json["matches"]
    path = Path(match["record"])
    record = json.loads(path.read_text())
    record["result"]["scores"][0] += 1
    path.write_text(json.dumps(record))
    told = arena("verify", path)
    assert told.code == 1
    assert "result.scores[0]" in told.out
