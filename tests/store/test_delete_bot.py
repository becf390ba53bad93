"""A deleted bot leaves its matches and its name, and nothing that its owner uploaded."""

from pathlib import Path

import pytest

from arena.records.private_log import PrivateLog
from arena.store import delete_bot
from arena.store.data_folder import DataFolder
from arena.store.schema import NOBODY, Bot, Version, VersionState
from arena.store.session import Store
from arena.store.texts import private_log_text
from arena.views.matches.fault import find_faults
from arena.views.matches.match import match_named
from tests.support.stored_matches import add_bots, add_match, digest_of, new_ladder

MATCHES = [f"m-{number}" for number in range(5)]
ANN = digest_of("ann-bot")


@pytest.fixture
def data(store: Store, tmp_path: Path) -> DataFolder:
    data = DataFolder(tmp_path)
    with store.writing() as session:
        session.add(new_ladder("main"))
        session.flush()
        add_bots(session)
        for match in MATCHES:
            add_match(session, match, "main")
    for folder in (data.version(ANN), data.built(ANN)):
        folder.mkdir(parents=True)
        (folder / "bot.py").write_text("secret")
    return data


def stderr_of(store: Store, match: str) -> dict[str, str]:
    with store.reading() as session:
        log = PrivateLog.from_json(private_log_text(session, match))
    return {seat.bot: seat.stderr for seat in log.seats}


def test_the_owners_data_are_deleted_and_the_opponents_stay(store: Store, data: DataFolder) -> None:
    delete_bot.forget_bot(store, data, "ann-bot")
    assert not data.version(ANN).exists()
    assert not data.built(ANN).exists()
    for match in MATCHES:
        assert stderr_of(store, match) == {"ann-bot": "", "bob-bot": "words of bob-bot"}
    with store.reading() as session:
        assert {fault.words for fault in find_faults(session).faults} == {""}
        assert session.get_one(Bot, "ann-bot").owner == NOBODY
        version = session.get_one(Version, ANN)
        assert (version.state, version.manifest) == (VersionState.RETIRED, {})
        assert [seat.bot for seat in match_named(session, MATCHES[0]).seats] == [
            "ann-bot",
            "bob-bot",
        ]


def test_a_deletion_that_was_interrupted_can_be_repeated(
    store: Store, data: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    handled = []
    whole = delete_bot._forget_logs

    def interrupted(store: Store, bot: str, after: str) -> str | None:
        if handled:
            raise KeyboardInterrupt
        handled.append(whole(store, bot, after))
        return handled[-1]

    monkeypatch.setattr(delete_bot, "AT_ONCE", 2)
    monkeypatch.setattr(delete_bot, "_forget_logs", interrupted)
    with pytest.raises(KeyboardInterrupt):
        delete_bot.forget_bot(store, data, "ann-bot")
    assert [stderr_of(store, match)["ann-bot"] != "" for match in MATCHES] == [
        False,
        False,
        True,
        True,
        True,
    ]
    with store.reading() as session:
        assert session.get_one(Bot, "ann-bot").owner == "Ann"  # who may therefore repeat it
    monkeypatch.setattr(delete_bot, "_forget_logs", whole)
    delete_bot.forget_bot(store, data, "ann-bot")
    assert {stderr_of(store, match)["ann-bot"] for match in MATCHES} == {""}
