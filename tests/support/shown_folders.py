"""Fixtures for a whole run: data folders that are filled once and only read, and their pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.served_pages import served_pages


def data_folder(fill: Callable[[Path], object]) -> Any:
    """Returns a fixture: the path of a data folder that `fill` has made."""

    @pytest.fixture(scope="session")
    def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
        data = tmp_path_factory.mktemp("shown") / "data"
        fill(data)
        return data

    return folder


def pages_of(folder: str) -> Any:
    """Returns a fixture: the origin of the pages of the data folder that the named fixture is."""

    @pytest.fixture(scope="session")
    def origin(request: pytest.FixtureRequest) -> Iterator[str]:
        with served_pages(request.getfixturevalue(folder)) as served:
            yield served

    return origin
