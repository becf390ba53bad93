from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from arena.store.open import open_store
from arena.views.ladders.standing import standings
from tests.support.fetched import fetched
from tests.support.played_competitions import BOTS


@pytest.mark.parametrize("owner", sorted(set(BOTS.values())))
def test_an_owners_bots_stand_with_their_ratings(busy: Path, busy_site: str, owner: str) -> None:
    page = fetched(f"{busy_site}/owners/{quote(owner, safe='')}")
    assert page.status == 200
    store = open_store(busy, "read")
    with store.reading() as session:
        table = standings(session, "main")
    store.close()
    own = [placing for placing in table if placing.owner == owner]
    assert own
    for placing in own:
        assert f"{placing.place} of {len(table)}" in page.words
        assert f"{placing.rating:.1f}" in page.words
        assert placing.bot in page.words


def test_an_unknown_owner_gets_a_question(busy_site: str) -> None:
    page = fetched(f"{busy_site}/owners/Annn")
    assert page.status == 404
    assert "There is no owner 'Annn'. Did you mean Ann?" in page.words
