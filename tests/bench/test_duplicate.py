"""`docs/duplicate.md`: its statistics, a small run of its command, and the page itself."""

import re
from pathlib import Path

import numpy as np
import pytest

from bench.duplicate.__main__ import main
from bench.duplicate.form import HOUSE, NEW, OLD, Form, all_forms
from bench.duplicate.group import difference
from bench.duplicate.measure_luck import less_luck
from bench.duplicate.page import BEGIN, END, PAGE, seats_of, title_of, with_part
from bench.duplicate.variance import group_variance, share_left, single_variance
from sevens_games import load, own_slugs

FORMS = list(all_forms())
EMPTY = "".join(f"{BEGIN.format(name)}\n{END}\n" for name in ("duplicate", "luck"))


def rows_of(page: str, part: str) -> list[list[str]]:
    """Returns the cells of each row of a generated table."""
    text = page.partition(BEGIN.format(part))[2].partition(END)[0]
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


# The forms ----------------------------------------------------------------------------------------


def test_every_game_and_table_size_is_measured_except_those_without_rivals() -> None:
    sizes = {(slug, players) for slug in own_slugs() for players in load(slug).players}
    assert {(form.slug, form.players) for form in FORMS} == sizes - {("forty-thieves", 1)}


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_both_versions_have_every_seat_equally_often(form: Form) -> None:
    """So what a seat is worth, and the luck of the first deal, cancel in a group."""
    for group in (form.full_group(), form.rotation()):
        assert sum(
            difference(form, seating, [2.0**seat for seat in range(form.players)])
            for seating in group
        ) == pytest.approx(0)


def test_house_bots_have_the_seats_that_are_left() -> None:
    assert Form("dingo", 4).entrants == (NEW, OLD, HOUSE, HOUSE)
    assert Form("envite", 6, lines=True).entrants == (NEW, OLD) * 3
    assert len(Form("dingo", 4).rotation()) == 4
    assert Form("trash", 6).rotation() == ()  # its group is itself a selection of six


# The statistics -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("luck_of_deal", [0.0, 1.0, 3.0])
def test_duplicate_play_removes_the_luck_of_the_deal_and_of_nothing_else(
    luck_of_deal: float, seed: int
) -> None:
    """The deal favours one seat, so with its weight squared it adds to a single match's variance,
    and cancels when seats change."""
    random = np.random.default_rng(seed)
    deal = luck_of_deal * random.normal(size=(3000, 1))
    groups = np.hstack([deal, -deal]) + random.normal(size=(3000, 2))
    share = share_left(groups, group_variance)
    assert share is not None
    assert share.left == pytest.approx(1 / (1 + luck_of_deal**2), abs=0.12)
    assert share.low < share.left < share.high


def test_independent_matches_gain_nothing_from_being_grouped(seed: int) -> None:
    groups = np.random.default_rng(seed).normal(size=(4000, 12))
    assert group_variance(groups) / single_variance(groups) == pytest.approx(1, abs=0.12)


@pytest.mark.slow
def test_the_interval_covers_the_truth_about_as_often_as_it_says(seed: int) -> None:
    random = np.random.default_rng(seed)
    covered = 0
    for _ in range(40):
        deal = random.normal(size=(60, 1))
        groups = np.hstack([deal, -deal]) + random.normal(size=(60, 2))
        share = share_left(groups, group_variance)
        covered += share.low <= 0.5 <= share.high
    assert covered >= 30  # 38 are expected; fewer than 30 come once in 10,000 runs


def test_there_is_no_share_where_results_never_differ() -> None:
    assert share_left(np.ones((5, 2)), group_variance) is None


def test_luck_is_subtracted_by_the_slope_of_the_other_groups(seed: int) -> None:
    random = np.random.default_rng(seed)
    luck = random.normal(size=(200, 2))
    result = 0.4 * luck + random.normal(size=(200, 2))
    pairs = less_luck(result, luck)
    group = 17
    others = np.delete(np.arange(200), group)
    centred = result - result.mean(axis=0)
    slope = (centred[others] * luck[others]).sum() / (luck[others] ** 2).sum()
    assert pairs[group, :, 1] == pytest.approx(result[group] - slope * luck[group])
    assert np.array_equal(pairs[:, :, 0], result)


# The command and its page -------------------------------------------------------------------------


@pytest.mark.slow
def test_a_small_run_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"By hand.\n{EMPTY}More.\n")
    small = ["--games", "xeri", "seven-euchre", "--groups", "2", "--seed", "s"]
    main(["duplicate", "luck", *small, "--page", str(page)])
    text = page.read_text()
    assert text.startswith("By hand.\n")
    assert text.endswith("More.\n")
    assert text.count("| Xeri (1) | **2** |") == 2
    assert text.count("| Seven Euchre (1) | **4**, lines |") == 2
    assert "xeri, 2 seats: 2 groups" in capsys.readouterr().out

    main(["duplicate", *small, "--page", str(page)])
    again = page.read_text()
    assert rows_of(again, "luck") == rows_of(text, "luck")
    differences = [[row[2] for row in rows_of(each, "duplicate")] for each in (text, again)]
    assert differences[0] == differences[1]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["luck", "--groups", "1"], "--groups must be at least 2"),
        (["luck", "--noise", "0", "1", "2"], "--noise takes three numbers from 0 to 1"),
        (["rubber"], "There is no table rubber; choose from duplicate, luck"),
    ],
)
def test_bad_arguments_are_explained(
    given: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(given)
    assert told in capsys.readouterr().err


def test_the_page_has_every_form_by_todays_rules() -> None:
    """A change of rules takes a new measurement."""
    page = PAGE.read_text()
    for part, forms in (
        ("duplicate", FORMS),
        ("luck", [form for form in FORMS if form.is_ladder_default]),
    ):
        rows = [row[:2] for row in rows_of(page, part)]
        assert rows == [[title_of(form), seats_of(form)] for form in forms]


def test_a_page_without_its_tables_is_refused() -> None:
    with pytest.raises(ValueError, match="must have the part duplicate once; it has it 0 times"):
        with_part("Nothing.\n", "duplicate", "")


@pytest.mark.parametrize("slug", sorted(own_slugs()))
def test_new_ladders_play_duplicate_groups_where_that_pays(slug: str) -> None:
    form = Form(slug, load(slug).ladder_players)
    wanted = [title_of(form), seats_of(form)]
    [removed] = [row[4] for row in rows_of(PAGE.read_text(), "duplicate") if row[:2] == wanted]
    share, low, _ = map(int, re.findall(r"-?\d+", removed))
    assert load(slug).ladder_duplicate == (share >= 10 and low > 0)
