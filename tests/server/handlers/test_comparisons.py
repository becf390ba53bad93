"""Comparisons on a server: who may ask for what, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.store.schema import Role
from sevens.league.v1 import comparison_pb2 as pb
from tests.support.served import Served, archive_of

CODES = grpc.StatusCode


def asked(
    new: int = 2, old: int = 1, bot: str = "random", **terms: Any
) -> pb.CreateComparisonRequest:
    return pb.CreateComparisonRequest(
        game="xeri",
        new=pb.ComparedVersion(bot=bot, number=new),
        old=pb.ComparedVersion(bot=bot, number=old),
        **terms,
    )


@pytest.fixture
async def two_versions(server: Served, bot: Path) -> Served:
    """Two versions of a bot of Ann's."""
    ann = server.person("Ann")
    await ann.submits(archive_of(bot))
    source = bot / "bot.py"
    source.write_text(f"# better\n{source.read_text()}")
    await ann.submits(archive_of(bot))
    return server


async def test_owners_compare_their_own_and_everybody_reads(two_versions: Served) -> None:
    ann, reader = two_versions.person("Ann"), two_versions.person("Rea", Role.READER)
    created = (await ann.call("CreateComparison", asked(t1=0.5, most_groups=100))).comparison
    assert created.name.startswith("compare-")
    assert (created.owner, created.state) == ("Ann", pb.COMPARISON_STATE_RUNNING)
    assert (created.verdict, created.started, created.counted) == ("running", 0, 0)
    again = (await ann.call("CreateComparison", asked(t1=0.5, most_groups=100))).comparison
    assert again == created
    found = await reader.call("ReadComparison", pb.ReadComparisonRequest(comparison=created.name))
    status = json.loads(found.document)
    assert status["plan"]["terms"]["t1"] == 0.5
    assert status["plan"]["new"]["number"] == 2
    assert status["secret"] == ""
    [listed] = (await reader.call("ListComparisons", pb.ListComparisonsRequest())).comparisons
    assert listed == found.comparison
    groups = await reader.call(
        "ListComparisonGroups", pb.ListComparisonGroupsRequest(comparison=created.name)
    )
    assert (list(groups.groups), groups.next) == ([], 0)
    for state in (pb.COMPARISON_STATE_PAUSED, pb.COMPARISON_STATE_CANCELLED):
        change = pb.ChangeComparisonRequest(comparison=created.name, state=state)
        refused = await two_versions.person("Bob").refused("ChangeComparison", change)
        assert refused.code is CODES.PERMISSION_DENIED
        assert (await ann.call("ChangeComparison", change)).comparison.state == state


async def test_an_owner_may_run_two_at_once(two_versions: Served) -> None:
    ann, organiser = two_versions.person("Ann"), two_versions.person("Org", Role.ORGANISER)
    first = (await ann.call("CreateComparison", asked(t1=0.3))).comparison.name
    await ann.call("CreateComparison", asked(t1=0.4))
    refused = await ann.refused("CreateComparison", asked(t1=0.5))
    assert refused.code is CODES.FAILED_PRECONDITION
    assert refused.sentence.startswith("2 comparisons of yours are running (compare-")
    await organiser.call("CreateComparison", asked(t1=0.6))
    change = pb.ChangeComparisonRequest(comparison=first, state=pb.COMPARISON_STATE_PAUSED)
    await ann.call("ChangeComparison", change)
    await ann.call("CreateComparison", asked(t1=0.5))
    change.state = pb.COMPARISON_STATE_RUNNING
    assert (await ann.refused("ChangeComparison", change)).code is CODES.FAILED_PRECONDITION


@pytest.mark.parametrize(
    ("person", "request_", "code", "field", "sentence"),
    [
        ("Bob", asked(), CODES.PERMISSION_DENIED, "", "The bot random belongs to Ann"),
        ("Ann", asked(3), CODES.NOT_FOUND, "new", "random has no version 3 that plays"),
        ("Ann", asked(old=7), CODES.NOT_FOUND, "old", "random has no version 7 that plays"),
        ("Ann", asked(1), CODES.INVALID_ARGUMENT, "old", "are the same version"),
        ("Ann", asked(bot="rando"), CODES.NOT_FOUND, "new", "Did you mean random?"),
        ("Ann", asked(bank_ms=10**9), CODES.INVALID_ARGUMENT, "bank_ms", "is too long"),
        ("Ann", asked(t0=0.5), CODES.INVALID_ARGUMENT, "terms", "t1 must be larger"),
        ("Ann", asked(t1=float("nan")), CODES.INVALID_ARGUMENT, "t1", "`t1`: Input should be"),
        ("Ann", asked(name="A!"), CODES.INVALID_ARGUMENT, "name", "A comparison's name consists"),
        ("Ann", asked(replacement=True), CODES.INVALID_ARGUMENT, "house", "Name at least one"),
    ],
)
async def test_what_cannot_be_compared(
    two_versions: Served, person: str, request_: object, code: CODES, field: str, sentence: str
) -> None:
    refused = await two_versions.person(person).refused("CreateComparison", request_)
    assert (refused.code, refused.field) == (code, field)
    assert sentence in refused.sentence


async def test_a_comparison_is_never_made_over_by_hand(two_versions: Served) -> None:
    ann = two_versions.person("Ann")
    created = (await ann.call("CreateComparison", asked())).comparison
    change = pb.ChangeComparisonRequest(comparison=created.name, state=pb.COMPARISON_STATE_OVER)
    refused = await ann.refused("ChangeComparison", change)
    assert refused.sentence == "A comparison becomes one of running, paused, cancelled."
    change = pb.ChangeComparisonRequest(comparison="compare", state=pb.COMPARISON_STATE_PAUSED)
    refused = await ann.refused("ChangeComparison", change)
    assert (refused.code, refused.field) == (CODES.NOT_FOUND, "comparison")
