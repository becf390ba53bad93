"""`arena ratings` on a ladder that was played: the fit, the reasons for a rating, calibration."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from math import log
from pathlib import Path
from typing import Any

import pytest

from arena.cli.output import stdout
from arena.ratings import Skill
from arena.ratings.prediction import odds
from tests.support.command_line import Arena


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> int:
    """Narrows the terminal; returns its width in columns."""
    monkeypatch.setattr(stdout, "width", 80)
    return 80


def rows(arena: Arena) -> dict[str, Any]:
    return {row["bot"]: row for row in arena("ratings", "main", "--json").json["ratings"]}


@pytest.mark.usefixtures("data")
def test_a_rebuild_shows_the_fit_beside_the_running_ratings(arena: Arena, narrow: int) -> None:
    before = arena("ratings", "main", "--json").json
    assert (before["rated_jobs"], before["fitted_jobs"]) == (3, None)
    assert [row["fit"] for row in before["ratings"]] == [None, None]
    assert " fit " not in arena("ratings", "main").out
    told = arena("ratings", "main", "--rebuild")
    assert "none of them changed" in told.err
    lines = told.out.splitlines()
    assert lines[-1] == "fitted after job 3 of 3"
    assert max(map(len, lines)) <= narrow
    document = arena("ratings", "main", "--json").json
    assert (document["rated_jobs"], document["fitted_jobs"]) == (3, 3)
    for old, new, line in zip(before["ratings"], document["ratings"], lines[2:], strict=False):
        fit = new.pop("fit")
        assert old == {**new, "fit": None}
        assert fit["rating"] == pytest.approx(fit["mu"] - 3 * fit["sigma"])
        assert f"{fit['mu']:.2f}" in line.split()
    # Two bots say nothing about where both are: the prior's mean stays that of both.
    fits = [row["fit"]["mu"] for row in arena("ratings", "main", "--json").json["ratings"]]
    assert sum(fits) == pytest.approx(50)
    assert "fitted after job 3 of 3" in arena("ladder", "show", "main").out


@pytest.mark.usefixtures("data")
def test_a_rating_is_explained_job_by_job(arena: Arena, narrow: int) -> None:
    found = arena("ratings", "main", "--explain", "first", "--json").json
    row = rows(arena)["first"]
    assert (found["ladder"], found["bot"], found["number"]) == ("main", "first", 1)
    assert (found["mu"], found["sigma"], found["rating"]) == (
        row["mu"],
        row["sigma"],
        row["rating"],
    )
    [history] = arena("bot", "history", "first", "--json").json["ladders"]
    draws = arena("ladder", "show", "main", "--json").json["draw_probability"]
    assert found["rated_jobs"] == len(found["jobs"]) == len(history["changes"])
    for job, change in zip(found["jobs"], history["changes"], strict=True):
        assert {key: job[key] for key in ("sequence", "before", "after", "rating")} == {
            key: change[key] for key in ("sequence", "before", "after", "rating")
        }
        assert job["matches"] == [match["match"] for match in change["matches"]]
        [opponent] = job["opponents"]
        skills = [[Skill(**job["before"])], [Skill(**opponent["before"])]]
        right = odds(skills, 0, 1, draws)
        assert (opponent["bot"], job["partners"]) == ("random", [])
        assert (opponent["win"], opponent["tie"], opponent["loss"]) == pytest.approx(
            (right.win, right.tie, right.loss)
        )
        assert job["expected"] == pytest.approx(right.points)
        ranks = {seat["bot"]: seat["rank"] for seat in change["matches"][0]["seats"]}
        ahead = ranks["random"] - ranks["first"]
        assert job["points"] == opponent["points"] == (ahead + 1) / 2
    [against] = found["opponents"]
    assert (against["bot"], against["jobs"], against["matches"]) == ("random", 3, 3)
    assert against["expected"] == pytest.approx(sum(job["expected"] for job in found["jobs"]))
    assert against["points"] == sum(job["points"] for job in found["jobs"])
    assert against["difference"] == pytest.approx(against["points"] - against["expected"])

    lines = arena("ratings", "main", "--explain", "first@1").out.splitlines()
    assert lines[0] == (
        f"first version 1 on main: rating {row['rating']:.2f} (mu {row['mu']:.2f}, sigma"
        f" {row['sigma']:.2f}), rated jobs: 3"
    )
    assert re.fullmatch(r"random +3 +3 +\d\.\d +\d\.\d +[+-]\d\.\d", lines[4])
    word = "better" if against["difference"] > 0 else "worse"
    assert lines[5].startswith(f"{word} than expected against random: {against['points']:.1f} ")
    assert len([line for line in lines if re.search(r" → .* [+-]\d+\.\d\d$", line)]) == 3
    assert max(map(len, lines)) <= narrow
    match = lines[-1].removeprefix("read one: arena log ")
    assert arena("log", match, "--json").json["match"] == found["jobs"][0]["matches"][0]


@pytest.mark.usefixtures("data")
def test_the_jobs_that_moved_a_rating_most_come_first_if_wanted(arena: Arena) -> None:
    def jobs(*options: object) -> list[dict[str, Any]]:
        found = arena("ratings", "main", "--explain", "random", *options, "--json").json
        assert found["rated_jobs"] == 3
        return list(found["jobs"])

    assert [job["sequence"] for job in jobs()] == [3, 2, 1]
    moved = {job["sequence"]: abs(job["after"]["mu"] - job["before"]["mu"]) for job in jobs()}
    most = sorted(moved, key=lambda sequence: -moved[sequence])
    assert [job["sequence"] for job in jobs("--moved-most")] == most
    assert [job["sequence"] for job in jobs("--moved-most", "--limit", 2)] == most[:2]


@pytest.mark.usefixtures("data")
def test_a_bot_without_rated_matches_says_so(arena: Arena, samples: Path) -> None:
    assert arena("ladder", "enter", "main", samples / "last_bot").code == 0
    told = arena("ratings", "main", "--explain", "last")
    assert told.out == "last version 1 on main has no rated match yet.\n"
    found = arena("ratings", "main", "--explain", "last", "--json").json
    assert (found["rated_jobs"], found["jobs"], found["opponents"]) == (0, [], [])
    arena("ratings", "main", "--rebuild")
    assert rows(arena)["last"]["fit"] is None


@pytest.mark.usefixtures("data")
def test_predictions_are_compared_with_results(arena: Arena) -> None:
    found = arena("ratings", "main", "--calibration", "--json").json
    assert (found["ladder"], found["jobs"], found["pairs"]) == ("main", 3, 3)
    jobs = arena("ratings", "main", "--explain", "first", "--json").json["jobs"]
    played = [one for one in found["classes"] if one["pairs"]]
    assert sum(one["pairs"] for one in played) == 3
    total = sum(one["predicted"] * one["pairs"] for one in played)
    assert total == pytest.approx(sum(max(job["expected"], 1 - job["expected"]) for job in jobs))
    # Whoever's side a prediction is seen from, what happened had the same probability.
    names = {1: "win", 0.5: "tie", 0: "loss"}
    odds = [{one: job["opponents"][0][name] for one, name in names.items()} for job in jobs]
    results = [job["points"] for job in jobs]
    brier = [
        sum((p - (one == result)) ** 2 for one, p in of_job.items())
        for of_job, result in zip(odds, results, strict=True)
    ]
    assert found["score"]["brier"] == pytest.approx(sum(brier) / 3)
    given = [of_job[result] for of_job, result in zip(odds, results, strict=True)]
    assert found["score"]["log_loss"] == pytest.approx(-sum(map(log, given)) / 3)
    assert found["ties"] == results.count(0.5)
    told = arena("ratings", "main", "--calibration").out
    assert re.search(rf"^Brier score +{found['score']['brier']:.3f} ", told, re.MULTILINE)
    assert len(re.findall(r" to \d\.\d\d *$", told, re.MULTILINE)) == len(played)


def test_a_ladder_without_matches_has_nothing_to_calibrate(arena: Arena) -> None:
    arena("ladder", "create", "main", "xeri")
    told = arena("ratings", "main", "--calibration")
    assert told.out == "No job has been rated on main yet.\n"
    found = arena("ratings", "main", "--calibration", "--json").json
    assert (found["jobs"], found["score"], found["baseline"]) == (0, None, None)


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("command", "field", "words"),
    [
        ("mian --explain first", "ladder", "Did you mean main?"),
        ("main --explain frist", "bot", "Did you mean first?"),
        ("main --explain first@7", "bot", "has no version 7 on the ladder main, but 1."),
        ("main --explain first@x", "bot", "first@x is not a version: write BOT@NUMBER"),
        ("mian --calibration", "ladder", "Did you mean main?"),
        ("main --calibration --server 127.0.0.1:1", "calibration", "leave out --server"),
        ("main --rebuild --server 127.0.0.1:1", "rebuild", "leave out --server"),
        ("main --explain first --calibration", "calibration", "--explain or --calibration"),
    ],
)
def test_mistakes_are_named(arena: Arena, command: str, field: str, words: str) -> None:
    told = arena("ratings", *command.split(), "--json")
    assert (told.code, told.out, told.error["field"]) == (2, "", field)
    assert words in told.error["sentence"]


@pytest.mark.parametrize("option", ["--calibration", "--explain first"])
def test_a_damaged_history_names_the_remedy(arena: Arena, data: Path, option: str) -> None:
    with closing(sqlite3.connect(data / "arena.sqlite3")) as database, database:
        database.execute(
            "DELETE FROM rating_changes WHERE sequence = 2 AND version IN"
            " (SELECT digest FROM versions WHERE bot = 'random')"
        )
    told = arena("ratings", "main", *option.split())
    assert told.out == ""
    assert "arena ratings main --rebuild" in told.err
    assert "Traceback" not in told.err
    arena("ratings", "main", "--rebuild")
    assert arena("ratings", "main", *option.split()).code == 0
