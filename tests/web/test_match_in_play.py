"""Records of matches in play, which have no result and end anywhere."""

from __future__ import annotations

import pytest

from arena.records.record import BadRecord
from arena.records.replay import replay
from arena.records.verification import verify_record
from arena.web.replay.document import replay_document
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games.registry import slugs
from tests.support.played_matches import played


def so_far(slug: str, choices: int) -> pb.MatchRecord:
    """Returns a match as it was after so many choices."""
    record = pb.MatchRecord()
    record.CopyFrom(played(slug).record)
    record.ClearField("result")
    del record.choices[choices:]
    return record


@pytest.mark.parametrize("slug", slugs())
def test_a_match_in_play_can_be_drawn_after_any_choice(slug: str) -> None:
    whole = len(played(slug).record.choices)
    for choices in {0, 1, whole // 2, whole - 1}:
        record = so_far(slug, choices)
        assert len(list(replay(record))) == choices
        document = replay_document(record)
        assert document["decisions"] == choices
        assert len(document["frames"]) == choices + 1
        assert document["result"]["says"] == "The match goes on."
        assert {seat["rank"] for seat in document["seats"]} == {None}


def test_a_record_without_a_result_does_not_verify() -> None:
    for choices in (9, 9_999):
        verdict = verify_record(so_far("xeri", choices))
        assert (verdict.ok, verdict.field) == (False, "result")


def test_a_record_with_a_result_may_not_end_too_early() -> None:
    record = so_far("xeri", 9)
    record.result.CopyFrom(played("xeri").record.result)
    with pytest.raises(BadRecord, match="They end too early"):
        list(replay(record))
