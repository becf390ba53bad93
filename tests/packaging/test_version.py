"""Every package states the same version."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena import __version__
from tools import version


@pytest.mark.parametrize(
    ("path", "before"),
    [*version.places()],
    ids=lambda value: str(value.relative_to(version.ROOT)) if isinstance(value, Path) else "",
)
def test_every_file_says_the_arenas_version(path: Path, before: str) -> None:
    assert set(version.versions(path, before)) == {__version__}


def test_no_place_is_without_files() -> None:
    assert all(list(version.ROOT.glob(pattern)) for pattern, _ in version.PLACES)


def test_a_new_version_is_written_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, _ in version.places():
        copy = tmp_path / path.relative_to(version.ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text())
    monkeypatch.setattr(version, "ROOT", tmp_path)
    version.main(["7.7.7"])
    assert {number for place in version.places() for number in version.versions(*place)} == {
        "7.7.7"
    }


def test_every_sdk_has_the_licence() -> None:
    text = (version.ROOT / "LICENSE").read_text()
    for sdk in (version.ROOT / "sdk").glob("*/README.md"):
        assert (sdk.parent / "LICENSE").read_text() == text, sdk.parent
