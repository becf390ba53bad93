"""An organiser changes ladders and tournaments while an arena plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import Ran, ran
from tests.support.patience import until
from tests.support.whole_arena.arena import BOTS, SAMPLE_BOTS, WholeArena
from tests.support.whole_arena.strangers import address, token_of

pytestmark = pytest.mark.slow
LAST = str(SAMPLE_BOTS / "last_bot")


def test_nothing_has_to_stop(tmp_path: Path) -> None:
    with WholeArena(tmp_path) as arena:
        arena.create()
        server = arena.server()

        def does(*arguments: object) -> Ran:
            done = ran(*arguments, "--data", arena.data)
            assert done.code == 0, done.err
            return done

        def states() -> dict[str, str]:
            rows = does("ratings", "second", "--json").json["ratings"]
            return {row["bot"]: row["state"] for row in rows}

        does("ladder", "create", "second", "xeri", *BOTS, "--set", "deals=1")
        until(lambda: played(arena, "second") > 0, "a match on the new ladder")
        does("ladder", "enter", "second", LAST)
        does("ladder", "leave", "second", "random")
        assert states() == {"random": "withdrawn", "xeri-fisher": "active", "last": "active"}
        assert "The ladder second is paused." in does("ladder", "pause", "second").err
        does("ladder", "resume", "second")
        does("ladder", "create", "third", "dingo")
        does("ladder", "delete", "third")
        does("tournament", "create", "cup", "xeri", *BOTS, LAST, "--set", "deals=1")
        does("tournament", "start", "cup")
        until(lambda: played(arena, "cup") > 0, "a match of the tournament")

        organiser = token_of(arena, "Org", "organiser")
        told = ran("ladder", "pause", "main", server=address(server), token=organiser)
        assert told.code == 0, told.err
        named = ran(
            *("ladder", "create", "far", "xeri", "random", "last"),
            server=address(server),
            token=organiser,
        )
        assert named.code == 0, named.err
        owner = token_of(arena, "Ann")
        refused = ran("ladder", "resume", "main", server=address(server), token=owner)
        assert refused.code == 3
        assert "needs the role organiser" in refused.err
        server.stop()
        arena.assert_nothing_runs()


def played(arena: WholeArena, competition: str) -> int:
    listed = ran("matches", "--json", "--data", arena.data).json["matches"]
    return sum(match["competition"] == competition for match in listed)
