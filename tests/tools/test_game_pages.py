"""The tables of `docs/games/`, and the list of all games, match the games' current declarations."""

import pytest

from sevens_games import load
from sevens_games.registry import own_slugs
from tools.game_pages import LIST, PAGES, TABLES, listed, page_of, seats, written

SLUGS = sorted(own_slugs())


@pytest.mark.parametrize("slug", SLUGS)
def test_the_tables_of_the_page_are_up_to_date(slug: str) -> None:
    page = page_of(slug).read_text()
    assert page == written(page, load(slug)), "run `python -m tools.game_pages`"


def test_every_game_of_ours_has_a_page_and_every_page_a_game() -> None:
    assert sorted(page.stem for page in PAGES.glob("*.md")) == SLUGS


def test_a_page_has_every_name_that_its_game_declares() -> None:
    regions = "".join(f"<!-- generated: {name} -->\n<!-- /generated -->\n" for name in TABLES)
    game = load("insidious-sevens")
    page = written(regions, game)
    declared = [game.options, game.actions, game.zones, game.all_facts, game.events]
    for name in [name for names in declared for name in names]:
        assert f"| `{name}` |" in page
    assert "| `piiko` | true or false | `false` |" in page


def test_what_is_written_by_hand_stays() -> None:
    regions = "".join(f"<!-- generated: {name} -->\nold\n<!-- /generated -->\n" for name in TABLES)
    page = written(f"By hand.\n{regions}More.\n", load("seven7s"))
    assert page.startswith("By hand.\n<!-- generated: options -->\nThis game has no options.\n")
    assert page.endswith("<!-- /generated -->\nMore.\n")
    assert "old" not in page


def test_a_page_that_lacks_a_table_is_refused() -> None:
    page = "<!-- generated: zones -->\n<!-- /generated -->\n"
    with pytest.raises(ValueError, match=r"page of xeri must have .* options, .*it has zones\."):
        written(page, load("xeri"))


def test_the_list_of_games_is_up_to_date() -> None:
    page = LIST.read_text()
    assert page == listed(page), "run `python -m tools.game_pages`"
    assert page.count("](games/") == len(SLUGS)


@pytest.mark.parametrize(
    ("players", "short"),
    [((2,), "2"), ((2, 3), "2, 3"), ((2, 3, 4), "2 to 4"), ((4, 6, 8), "4, 6, 8")],
)
def test_numbers_of_players_are_short(players: tuple[int, ...], short: str) -> None:
    assert seats(players) == short
