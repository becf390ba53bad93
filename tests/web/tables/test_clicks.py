"""Clicks on cards and piles, in a real browser: they leave the actions that name them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.support.chromium import Visit, visiting
from tests.support.sitting_down import next_decision, play_to_the_end, sits_down

pytestmark = [pytest.mark.slow, pytest.mark.needs("chromium")]

MOST_DECISIONS = 200


def offered(page: Page) -> list[str]:
    """The actions that the page still offers."""
    shown = page.locator("form.choices button:visible")
    return shown.evaluate_all("buttons => buttons.map(button => button.dataset.action)")


@contextmanager
def reaching(
    visit: Visit, game: str, wanted: Callable[[list[str]], bool], **options: object
) -> Iterator[tuple[Page, list[str]]]:
    """Plays at random, as many matches as it takes, until there are such actions; yields the page
    of the table and the actions, and plays to the end: a table that is left counts as one at which
    the guest sits until the arena has given them up."""
    rng = Random(7)
    page, number = sits_down(visit, game, **options), "none"
    for _ in range(MOST_DECISIONS):
        number = next_decision(page, number)
        if not number:
            page, number = sits_down(visit, game, **options), "none"
            continue
        actions = offered(page)
        if wanted(actions):
            yield page, actions
            play_to_the_end(page)
            return
        page.locator("form.choices button").nth(rng.randrange(len(actions))).click()
    raise AssertionError("such actions never came")


def of_place(page: Page, name: str) -> Locator:
    return page.locator(f"[data-zone={name}].clickable").first


def click(place: Locator) -> None:
    place.click(position={"x": 5, "y": 5})


def test_a_foundation_and_a_turned_up_card_of_russian_bank(browser: Browser, origin: str) -> None:
    def several_of_stock(actions: list[str]) -> bool:
        return sum(action.split()[1:2] == ["stock"] for action in actions) > 1

    with (
        visiting(browser, origin) as visit,
        reaching(visit, "russian-bank", several_of_stock, max_turns=12) as (page, actions),
    ):
        click(of_place(page, "turned-up"))
        meant = [one for one in actions if one == "discard" or one.split()[1:2] == ["stock"]]
        assert offered(page) == meant
        page.keyboard.press("Escape")
        assert offered(page) == actions
        home = [one for one in actions if one.endswith(" foundation")]
        assert page.locator("[data-zone=clubs-1].clickable").count() == bool(home)
        if len(home) > 1:
            click(of_place(page, "clubs-1"))
            assert offered(page) == home


def test_a_meld_of_seven_rummy(browser: Browser, origin: str) -> None:
    def any_meld(actions: list[str]) -> bool:
        return any(one.startswith("layoff") for one in actions)

    with (
        visiting(browser, origin) as visit,
        reaching(visit, "seven-rummy", any_meld, deals=1) as (page, actions),
    ):
        number = next(one for one in actions if one.startswith("layoff")).split()[2]
        on_it = [one for one in actions if one.split()[::2] == ["layoff", number]]
        before = page.locator("[data-sequence]").get_attribute("data-number") or ""
        click(page.locator(f"[data-zone=table] [data-part='{number}'] .playing-card").first)
        if len(on_it) > 1:
            assert set(on_it) <= set(offered(page))
        else:
            next_decision(page, before)  # it was the only choice, so it is done


def test_a_spot_of_trash(browser: Browser, origin: str) -> None:
    def several_spots(actions: list[str]) -> bool:
        return sum(one.startswith("place") for one in actions) > 1

    with (
        visiting(browser, origin) as visit,
        reaching(visit, "trash", several_spots, start=4) as (page, actions),
    ):
        assert page.locator(".seat.far [data-zone=layout] .clickable").count() == 0
        spot = actions[1].split()[1]
        meant = page.locator(f"form.choices button[data-action='{actions[1]}']")
        value = meant.get_attribute("value")
        with page.expect_request("**/answer") as sent:
            click(page.locator(f".seat.near [data-zone=layout] [data-part='{spot}']"))
        assert f"action={value}" in (sent.value.post_data or "").split("&")
