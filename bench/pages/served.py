"""A process of `arena web`, as it serves visitors, and a visitor's connection to it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

import psutil

from tests.support.served_pages import pages_process


@dataclass(frozen=True)
class Pages:
    """The pages. `process`: serves them at `port` of this machine."""

    port: int
    process: psutil.Process

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@dataclass(frozen=True)
class Answer:
    """An answer. `sent`: the bytes of its body as they came. `tag`: of this version of it."""

    status: int
    sent: int
    body: bytes
    tag: str


class Visitor:
    """A browser's connection to the pages."""

    def __init__(self, pages: Pages) -> None:
        self._connection = HTTPConnection("127.0.0.1", pages.port)

    def get(self, address: str, **headers: str) -> Answer:
        """Returns the answer. Raises ValueError if it is neither the page nor says that the page
        has not changed."""
        self._connection.request("GET", address, headers={"Accept-Encoding": "gzip"} | headers)
        answer = self._connection.getresponse()
        sent = answer.read()
        if answer.status not in (200, 304):
            raise ValueError(f"{address} was answered with status {answer.status}.")
        is_gzip = sent and answer.headers.get("Content-Encoding") == "gzip"
        body = gzip.decompress(sent) if is_gzip else sent
        return Answer(answer.status, len(sent), body, answer.headers.get("ETag", ""))


@contextmanager
def served(folder: Path) -> Iterator[Pages]:
    """Serves the pages of a data folder for as long as the context lasts."""
    with pages_process(folder) as pages:
        yield Pages(int(pages.origin.rpartition(":")[2]), psutil.Process(pages.pid))
