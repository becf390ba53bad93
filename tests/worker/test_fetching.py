"""Versions are fetched by their digests, checked, and kept for a while."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import grpc
import grpc.aio
import pytest

from arena.bots.archive import pack
from arena.bots.content import digest, list_content
from arena.bots.line import ArenaFailure
from arena.worker import fetching
from arena.worker.fetching import FetchedVersions
from sevens.league.v1.version_pb2 import FetchHead, FetchVersionResponse

MANIFEST = 'name = "a"\nrun = ["python", "bot.py"]\n'
Parts = list[FetchVersionResponse]


class League:
    """Versions as a server sends them. `asked`: which were fetched, in order."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.sent: dict[str, Parts] = {}
        self.failures: list[grpc.StatusCode] = []

    def add(self, name: str, size: int = 10, *, built: bool = False) -> str:
        """A version with so many bytes; returns its digest."""
        bot = self.folder / name
        bot.mkdir()
        (bot / "bot.toml").write_text(MANIFEST)
        (bot / "bot.py").write_text(name.ljust(size))
        content = list_content(bot)
        file = io.BytesIO()
        pack(content, file)
        own = digest(content)
        version = "b" * 64 if built else own
        head = FetchHead(content=own, built=built, archive_bytes=len(file.getvalue()))
        self.sent[version] = [
            FetchVersionResponse(head=head),
            FetchVersionResponse(chunk=file.getvalue()),
        ]
        return version

    async def fetch(self, version: str) -> AsyncIterator[FetchVersionResponse]:
        self.asked.append(version)
        await asyncio.sleep(0)
        if self.failures:
            none = grpc.aio.Metadata()
            raise grpc.aio.AioRpcError(self.failures.pop(0), none, none, "No luck today.")
        for part in self.sent[version]:
            yield part


@pytest.fixture
def league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> League:
    monkeypatch.setattr(fetching, "PAUSE_S", 0.01)
    (tmp_path / "league").mkdir()
    return League(tmp_path / "league")


@pytest.fixture
def turned_away() -> list[str]:
    return []


@pytest.fixture
def versions(
    league: League, tmp_path: Path, turned_away: list[str]
) -> Callable[..., FetchedVersions]:
    place = tmp_path / "kept"
    place.mkdir()

    def make(keep_bytes: int = 1 << 20, in_use: set[str] | None = None) -> FetchedVersions:
        used = in_use or set()
        return FetchedVersions(league.fetch, place, keep_bytes, lambda: used, turned_away.append)

    return make


async def test_a_version_is_fetched_once(
    league: League, versions: Callable[..., FetchedVersions]
) -> None:
    own, built = league.add("a"), league.add("made", built=True)
    kept = versions()
    both = await asyncio.gather(kept.find(own), kept.find(own))
    assert [program.version for program in both] == [own, own]
    program = await kept.find(built)
    assert (program.folder / "bot.py").read_text().startswith("made")
    assert program.folder.name == f"{built}.built"
    await kept.find(own)
    assert sorted(league.asked) == sorted([own, built])


async def test_what_is_in_use_is_kept_and_of_the_rest_what_was_used_last(
    league: League, versions: Callable[..., FetchedVersions], tmp_path: Path
) -> None:
    a, b, c, d = (league.add(name, 1000) for name in "abcd")
    in_use = {a}
    kept = versions(keep_bytes=3300, in_use=in_use)
    for version in (a, b, c, b, d):
        await kept.find(version)
    names = {path.name for path in (tmp_path / "kept").iterdir()}
    assert names == {a, b, d}
    await kept.find(c)
    assert league.asked == [a, b, c, d, c]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda parts, other: parts[:1], "The server ended in the middle of it."),
        (lambda parts, other: parts[1:], "The server sent something else than it said."),
        (lambda parts, other: [*parts, parts[1]], "The server sent something else than it said."),
        (lambda parts, other: other, "Its files have the digest"),
        (
            lambda parts, other: [
                FetchVersionResponse(head=FetchHead(archive_bytes=3)),
                FetchVersionResponse(chunk=b"777"),
            ],
            "is no readable tar.gz",
        ),
    ],
    ids=["half", "no head", "too much", "another version", "garbage"],
)
async def test_what_is_not_the_version_is_an_arena_failure(
    league: League,
    versions: Callable[..., FetchedVersions],
    tmp_path: Path,
    damage: Callable[[Parts, Parts], Parts],
    words: str,
) -> None:
    version, other = league.add("a"), league.add("b")
    good = league.sent[version]
    league.sent[version] = damage(good, league.sent[other])
    kept = versions()
    with pytest.raises(ArenaFailure, match="could not be fetched") as failure:
        await kept.find(version)
    assert words in str(failure.value)
    assert list((tmp_path / "kept").iterdir()) == []
    league.sent[version] = good
    assert (await kept.find(version)).version == version


async def test_a_server_that_is_away_for_a_moment_is_waited_for(
    league: League,
    versions: Callable[..., FetchedVersions],
    monkeypatch: pytest.MonkeyPatch,
    turned_away: list[str],
) -> None:
    version = league.add("a")
    league.failures = [grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED]
    assert (await versions().find(version)).version == version
    monkeypatch.setattr(fetching, "PATIENCE_S", 0)
    league.failures = [grpc.StatusCode.UNAVAILABLE] * 99
    with pytest.raises(ArenaFailure, match="No luck today"):
        await versions().find(version)
    assert turned_away == []


async def test_a_worker_that_is_not_let_in_is_told(
    league: League, versions: Callable[..., FetchedVersions], turned_away: list[str]
) -> None:
    version = league.add("a")
    league.failures = [grpc.StatusCode.UNAUTHENTICATED]
    with pytest.raises(ArenaFailure):
        await versions().find(version)
    assert turned_away == ["No luck today."]


async def test_who_waits_with_others_does_not_end_their_fetch_by_leaving(
    league: League, versions: Callable[..., FetchedVersions]
) -> None:
    version = league.add("a")
    kept = versions()
    impatient, patient = (asyncio.create_task(kept.find(version)) for _ in range(2))
    await asyncio.sleep(0)
    impatient.cancel()
    assert (await patient).version == version
    assert league.asked == [version]
