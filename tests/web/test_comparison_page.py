from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arena.cli.app import run
from arena.views.comparisons.comparison import Comparison
from arena.views.comparisons.figures import figures
from tests.support.fetched import fetched

COMPARISONS = ("duel", "running")


@pytest.mark.parametrize("name", COMPARISONS)
def test_the_page_says_what_the_terminal_says(
    busy: Path, busy_site: str, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert run(["compare", "show", name, "--json", "--data", str(busy)]) == 0
    comparison = Comparison.model_validate_json(capsys.readouterr().out)
    page = fetched(f"{busy_site}/comparisons/{name}")
    assert page.status == 200
    assert comparison.sentence in page.words
    for value, meaning in figures(comparison).values():
        assert f"{value} {meaning}" in page.words
    assert comparison.plan_digest in page.words
    secret = comparison.secret or "revealed once the comparison has ended"
    assert f"Secret {secret}" in page.words


def test_every_group_that_counts_is_listed_with_its_matches(
    busy: Path, busy_site: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["matches", "--comparison", "duel", "--json", "--data", str(busy)]) == 0
    played = {one["match"] for one in json.loads(capsys.readouterr().out)["matches"]}
    page = fetched(f"{busy_site}/comparisons/duel")
    assert set(re.findall(r'href="/matches/([^"]*)"', page.html)) == played
    assert page.html.count('href="/deals/') == 6


def test_the_list_of_groups_goes_on_after_a_group(busy_site: str) -> None:
    rest = fetched(f"{busy_site}/comparisons/duel?after=4")
    assert rest.html.count('href="/deals/') == 2
    assert "Earlier groups" in rest.words
    beyond = fetched(f"{busy_site}/comparisons/duel?after=400")
    assert "No more groups count." in beyond.words
    for text in ("x", "-1", "9" * 30, "%C2%B2"):
        wrong = fetched(f"{busy_site}/comparisons/duel?after={text}")
        assert (wrong.status, "such as ?after=25" in wrong.words) == (400, True)


def test_the_walk_of_the_ratio_is_drawn_up_to_its_end(busy_site: str) -> None:
    page = fetched(f"{busy_site}/comparisons/duel")
    [points] = re.findall(r'<polyline class="line" points="([^"]*)"', page.html)
    assert len(points.split()) == 1 + 6
    [end] = re.findall(r'<circle class="now" cx="([^"]*)" cy="([^"]*)" r="5"', page.html)
    assert points.split()[-1] == ",".join(number.removesuffix(".0") for number in end)


def test_unchanged_it_is_not_sent_again(busy_site: str) -> None:
    address = f"{busy_site}/comparisons/duel"
    tag = fetched(address).headers["ETag"]
    assert fetched(address, If_None_Match=tag).status == 304


def test_an_unknown_comparison_gets_a_question(busy_site: str) -> None:
    page = fetched(f"{busy_site}/comparisons/duell")
    assert (page.status, "Did you mean duel?" in page.words) == (404, True)
