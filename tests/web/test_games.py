from __future__ import annotations

import pytest

from arena.web.rules_as_html import rules_of
from sevens_games import load, slugs
from tests.support.fetched import fetched


def test_all_games_are_listed_with_their_ladders(busy_site: str) -> None:
    page = fetched(f"{busy_site}/games")
    for slug in slugs():
        assert f'href="/games/{slug}"' in page.html
        assert load(slug).summary in page.words
    assert 'href="/ladders/main"' in page.html


@pytest.mark.parametrize("slug", slugs())
def test_each_game_is_explained(busy_site: str, slug: str) -> None:
    game = load(slug)
    page = fetched(f"{busy_site}/games/{slug}")
    assert page.status == 200
    for sentence in (game.cards, *game.zones.values(), *game.actions.values()):
        assert " ".join(sentence.split()) in page.words
    for option in game.options.values():
        assert option.sentence in page.words


def test_a_game_links_to_its_competitions(busy_site: str) -> None:
    page = fetched(f"{busy_site}/games/xeri")
    for address in ("/ladders/main", "/tournaments/bracket", "/comparisons/duel"):
        assert f'href="{address}"' in page.html
    assert "None yet" in fetched(f"{busy_site}/games/dingo").words


@pytest.mark.parametrize("slug", slugs())
def test_the_rules_are_a_page_that_keeps_the_policy(busy_site: str, slug: str) -> None:
    page = fetched(f"{busy_site}/games/{slug}/rules")
    assert page.status == 200
    assert "<table>" in page.html
    assert "style=" not in page.html
    assert "generated:" not in page.html
    for part in ("options", "actions", "zones", "facts", "events"):
        assert f'href="#{part}"' not in page.html or f'id="{part}"' in page.html


def test_rules_that_a_visitor_has_are_not_sent_again(busy_site: str) -> None:
    address = f"{busy_site}/games/xeri/rules"
    tag = fetched(address).headers["ETag"]
    assert fetched(address, If_None_Match=tag).status == 304
    other = fetched(address, If_None_Match=tag, Cookie="theme=dark")
    assert (other.status, 'data-theme="dark"' in other.html) == (200, True)


def test_a_mistyped_game_gets_a_question(busy_site: str) -> None:
    for path in ("/games/xerii", "/games/xerii/rules"):
        page = fetched(busy_site + path)
        assert page.status == 404
        assert "Did you mean xeri?" in page.words


def test_markup_in_rules_is_shown_as_text() -> None:
    assert "<script" not in str(rules_of("xeri"))
    assert rules_of("no-such-game") is None
