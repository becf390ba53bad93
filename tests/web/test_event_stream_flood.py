"""More event streams are asked for than there may be: the pages keep to their bounds, and go on."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import psutil
import pytest

from arena.web.events import StreamBounds
from tests.support.event_streams import Visitor
from tests.support.fetched import fetched
from tests.support.patience import until
from tests.support.served_pages import pages_process

pytestmark = [pytest.mark.slow, pytest.mark.nightly]

ASKED = 10_000  # each time
MOST = StreamBounds().everywhere
PATHS = ("/ladders/main/events", "/api/ladders/main/events", "/matches/events")
MAY_GROW = 20_000_000  # bytes; 2,000 streams that stayed would be more than twice as many


@pytest.fixture(autouse=True)
def room_for_connections() -> Iterator[None]:
    """Lets the test hold as many sockets as there are streams."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, 2 * MOST), hard), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextmanager
def flood(origin: str) -> Iterator[list[str]]:
    """Asks for streams from as many addresses, and keeps open what it gets; yields the refusals."""
    host, port = origin.removeprefix("http://").split(":")
    refusals: list[str] = []
    with ExitStack() as stack:
        for number in range(ASKED):
            visitor = Visitor(
                (host, int(port)),
                PATHS[number % len(PATHS)],
                X_Forwarded_For=f"198.18.{number // 250}.{number % 250}",
            )
            stack.enter_context(closing(visitor))
            if " 200 " not in visitor.until("\r\n\r\n").partition("\r\n")[0]:
                refusals.append(visitor.rest())
                visitor.close()
        yield refusals


def test_a_flood_is_refused_in_part_and_leaves_nothing_behind(shown: Path) -> None:
    with pages_process(shown) as pages:
        origin, server = pages.origin, psutil.Process(pages.pid)
        before = server.num_fds()
        sizes = []
        for _ in range(2):
            with flood(origin) as refusals:
                assert len(refusals) == ASKED - MOST
                for refusal in refusals:
                    assert refusal.startswith("HTTP/1.1 503 ")
                    assert "retry-after: 30" in refusal.lower()
                    assert "Too many visitors watch at the moment" in refusal
                page = fetched(f"{origin}/ladders/main")
                assert (page.status, "random" in page.html) == (200, True)
                assert fetched(f"{origin}/api/ladders/main").status == 200
            until(lambda: server.num_fds() <= before + 10, "the connections are closed")
            sizes.append(server.memory_info().rss)
    assert sizes[1] - sizes[0] < MAY_GROW
