"""Versions are fetched by their digests, checked, and cached for a while."""

from __future__ import annotations

import asyncio
import gc
import io
import resource
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import grpc.aio
import pytest

from arena.bots.interface import ArenaFailure, MachineFailure
from arena.bots.source.archive import pack
from arena.bots.source.files import digest, list_content
from arena.bots.source.image import IMAGE_ARCHIVE, Image
from arena.worker import version_cache
from arena.worker.version_cache import FetchedVersions
from sevens.league.v1.version_pb2 import FetchHead, FetchVersionResponse
from tests.support.seats import until

MANIFEST = 'name = "a"\nrun = ["python", "bot.py"]\n'
Parts = list[FetchVersionResponse]


class League:
    """Versions as a server sends them.

    `asked`: the fetched versions, in order.
    `failures`: how the next calls end.
    `broken_off`: how the next calls end after the head.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.sent: dict[str, Parts] = {}
        self.failures: list[grpc.StatusCode] = []
        self.broken_off: list[grpc.StatusCode] = []

    def add(self, name: str, size: int = 10, *, built: bool = False) -> str:
        """Adds a version of `size` bytes; returns its digest."""
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

    def add_image(self, version: str, image: str | None = None) -> str:
        """Adds a version that `image.json` marks as an image."""
        folder = self.folder / f"image-{len(self.sent)}"
        folder.mkdir()
        Image("mine", image or version, "mine").keep_in(folder)
        (folder / IMAGE_ARCHIVE).write_text("an archive")
        content = list_content(folder)
        file = io.BytesIO()
        pack(content, file)
        size = len(file.getvalue())
        head = FetchHead(content=digest(content), image=True, archive_bytes=size)
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
            if self.broken_off:
                none = grpc.aio.Metadata()
                raise grpc.aio.AioRpcError(self.broken_off.pop(0), none, none, "Socket closed")


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Writes beyond this size fail, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> League:
    monkeypatch.setattr(version_cache, "PAUSE_S", 0.01)
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


async def test_an_image_is_kept_apart_and_dropped_as_any_other(
    league: League, versions: Callable[..., FetchedVersions], tmp_path: Path
) -> None:
    image, a = league.add_image("7" * 64), league.add("a", 1000)
    kept = versions(keep_bytes=1000)
    found = await kept.find(image)
    assert isinstance(found, Image)
    assert found.version == image
    assert found.archive is not None
    assert found.archive.read_text() == "an archive"
    await kept.find(a)
    assert [path.name for path in (tmp_path / "kept").iterdir()] == [a]


async def test_an_image_called_otherwise_is_not_taken(
    league: League, versions: Callable[..., FetchedVersions], tmp_path: Path
) -> None:
    version = league.add_image("7" * 64, image="8" * 64)
    with pytest.raises(ArenaFailure, match="describes the image 888888888888, not 777777777777"):
        await versions().find(version)
    assert list((tmp_path / "kept").iterdir()) == []


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
        (lambda parts, other: parts[:1], "The server stopped before the end."),
        (lambda parts, other: parts[1:], "The server sent something other than it announced."),
        (
            lambda parts, other: [*parts, parts[1]],
            "The server sent something other than it announced.",
        ),
        (lambda parts, other: other, "Its files have the digest"),
        (
            lambda parts, other: [
                FetchVersionResponse(head=FetchHead(archive_bytes=3)),
                FetchVersionResponse(chunk=b"777"),
            ],
            "is not a readable tar.gz",
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
    monkeypatch.setattr(version_cache, "PATIENCE_S", 0)
    league.failures = [grpc.StatusCode.UNAVAILABLE] * 99
    with pytest.raises(MachineFailure, match="No luck today"):
        await versions().find(version)
    assert turned_away == []


@pytest.mark.parametrize("code", version_cache.PASSING)
async def test_what_is_broken_off_is_fetched_again_from_its_beginning(
    league: League,
    versions: Callable[..., FetchedVersions],
    tmp_path: Path,
    code: grpc.StatusCode,
) -> None:
    version = league.add("a")
    league.broken_off = [code, code]
    assert (await versions().find(version)).version == version
    assert league.asked == [version] * 3
    assert [path.name for path in (tmp_path / "kept").iterdir()] == [version]


async def test_where_there_is_no_room_to_keep_it_the_version_is_left_to_others(
    league: League,
    versions: Callable[..., FetchedVersions],
    tmp_path: Path,
) -> None:
    version = league.add("a", 100_000)
    kept = versions()
    with file_size_limit(10_000), pytest.raises(MachineFailure, match="could not be") as failure:
        await kept.find(version)
    assert f"It cannot be stored in {tmp_path / 'kept'}: File too large." in str(failure.value)
    assert list((tmp_path / "kept").iterdir()) == []
    assert (await kept.find(version)).version == version


async def test_a_worker_that_is_not_let_in_is_told(
    league: League, versions: Callable[..., FetchedVersions], turned_away: list[str]
) -> None:
    version = league.add("a")
    league.failures = [grpc.StatusCode.UNAUTHENTICATED]
    with pytest.raises(MachineFailure):
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


async def test_a_fetch_that_fails_when_no_job_waits_any_more_is_a_warning(
    league: League, versions: Callable[..., FetchedVersions], caplog: pytest.LogCaptureFixture
) -> None:
    """And no traceback, which asyncio would print."""
    version = league.add("a")
    league.failures = [grpc.StatusCode.UNAUTHENTICATED]
    waiting = asyncio.create_task(versions().find(version))
    await asyncio.sleep(0)
    waiting.cancel()
    await until(lambda: caplog.records)
    gc.collect()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "No luck today." in caplog.text
