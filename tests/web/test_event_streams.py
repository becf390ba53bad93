"""Event streams of real servers, read from raw sockets."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
import sqlalchemy as sa
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.store.open import open_store
from arena.web.events import State, StreamBounds, Streams, streams_of
from tests.support.clock import StoppedClock
from tests.support.event_streams import Visitor, check_looks, served, served_folder
from tests.support.patience import until
from tests.support.served_pages import served_pages

LADDER = "/ladders/main/events"
BOUNDS = StreamBounds(period_s=0.1, heartbeat_s=0.4)


@pytest.fixture
def data(shown: Path, tmp_path: Path) -> Path:
    """A data folder with a ladder that the test may change."""
    return Path(shutil.copytree(shown, tmp_path / "data"))


@contextmanager
def counter(bounds: StreamBounds, size: int = 1) -> Iterator[tuple[tuple[str, int], Streams]]:
    """Serves a topic with a new state at every look, of about that many bytes."""
    looks = 0

    async def look() -> State:
        nonlocal looks
        looks += 1
        return State(str(looks), "x" * size)

    async def show(request: Request) -> Response:
        return streams_of(request).open(request, "counter", look)

    app = Starlette(routes=[Route("/", show)])
    app.state.streams = Streams(bounds)
    with served(app) as address:
        yield address, app.state.streams


def queue_a_job(data: Path, name: str) -> None:
    store = open_store(data, "write")
    with store.writing() as session:
        columns = "competition, token_hash, state, attempts, reason, created_at, body"
        session.execute(
            sa.text(f"INSERT INTO jobs (id, {columns}) SELECT :name, {columns} FROM jobs LIMIT 1"),
            {"name": name},
        )
        session.execute(sa.text("UPDATE jobs SET state = 'queued' WHERE id = :n"), {"n": name})
    store.close()


def last_id(text: str) -> str:
    return re.findall(r"^id: (.+)$", text.replace("\r", ""), re.MULTILINE)[-1]


def test_a_visitor_is_told_what_there_is_and_then_what_changes(data: Path) -> None:
    with served_folder(data, BOUNDS) as (address, _), closing(Visitor(address, LADDER)) as visitor:
        head = visitor.until('"queued": 0')
        assert "content-type: text/event-stream" in head.lower()
        assert "content-encoding" not in head.lower()
        assert '"rated": 12' in head
        queue_a_job(data, "new")
        visitor.until('"queued": 1')


def test_the_list_of_all_matches_has_events_of_its_own(data: Path) -> None:
    with (
        served_folder(data, BOUNDS) as (address, _),
        closing(Visitor(address, "/matches/events")) as visitor,
    ):
        visitor.until('"queued": 0')
        queue_a_job(data, "new")
        visitor.until('"queued": 1')


def test_a_visitor_who_comes_back_is_told_only_what_has_changed(data: Path) -> None:
    with served_folder(data, BOUNDS) as (address, _):
        with closing(Visitor(address, LADDER)) as visitor:
            seen = last_id(visitor.until('"queued": 0'))
        with closing(Visitor(address, LADDER, Last_Event_ID=seen)) as visitor:
            assert "\ndata:" not in visitor.until(": nothing new")
            queue_a_job(data, "new")
            visitor.until('"queued": 1')
    with (  # after a restart
        served_folder(data, BOUNDS) as (address, _),
        closing(Visitor(address, LADDER, Last_Event_ID=seen)) as visitor,
    ):
        visitor.until('"queued": 1')


def test_an_unknown_ladder_has_no_events(data: Path) -> None:
    with served_folder(data, BOUNDS) as (address, _):
        answer = _refused(address, "/ladders/mian/events")
    assert " 404 " in answer
    assert "main" in answer


def test_hundreds_of_visitors_cost_one_query_a_period(data: Path) -> None:
    bounds = replace(BOUNDS, period_s=0.3, an_address=300)
    with served_folder(data, bounds) as (address, store), ExitStack() as stack:
        visitors = [stack.enter_context(closing(Visitor(address, LADDER))) for _ in range(200)]
        for visitor in visitors:
            visitor.until('"queued": 0')
        check_looks(store, bounds)
        queue_a_job(data, "new")
        for visitor in visitors:
            visitor.until('"queued": 1')


async def test_what_nobody_watches_any_more_is_not_looked_at(clock: StoppedClock) -> None:
    looks = 0

    async def look() -> State:
        nonlocal looks
        looks += 1
        return State("same", "")

    streams = Streams(StreamBounds(period_s=1.0))
    with streams.watching("topic", look):
        with streams.watching("topic", look):
            await clock.advance(2.5)
        await clock.advance(2.0)
        assert looks == 5
    await clock.advance(3600.0)
    assert looks == 5


def test_further_streams_of_one_address_are_refused_until_others_are_closed(data: Path) -> None:
    with served_folder(data, replace(BOUNDS, an_address=2)) as (address, _), ExitStack() as stack:
        visitors = [stack.enter_context(closing(Visitor(address, LADDER))) for _ in range(2)]
        for visitor in visitors:
            visitor.until("\ndata: ")
        answer = Visitor(address, LADDER).rest()
        assert " 429 " in answer
        assert "retry-after: 30" in answer.lower()
        assert "2 event streams are open from your address already" in answer
        visitors[0].close()
        until(lambda: _is_let_in(address), "there is room again")


def test_further_streams_are_refused_when_there_are_too_many_in_all(data: Path) -> None:
    with (
        served_folder(data, replace(BOUNDS, everywhere=1)) as (address, _),
        closing(Visitor(address, LADDER)) as visitor,
    ):
        visitor.until("\ndata: ")
        answer = Visitor(address, LADDER, X_Forwarded_For="203.0.113.7").rest()
    assert " 503 " in answer
    assert "Too many visitors watch at the moment" in answer


def test_an_address_with_many_streams_makes_room_for_another(data: Path) -> None:
    with served_folder(data, replace(BOUNDS, everywhere=3)) as (address, _), ExitStack() as stack:

        def visitor(of: str) -> Visitor:
            found = stack.enter_context(closing(Visitor(address, LADDER, X_Forwarded_For=of)))
            found.until("\ndata: ")
            return found

        first, *_ = [visitor("192.0.2.1") for _ in range(3)]
        visitor("192.0.2.2")
        assert "event: stop" not in first.rest()  # it has ended, and its browser comes back
        assert " 503 " in Visitor(address, LADDER, X_Forwarded_For="192.0.2.2").rest()


def test_visitors_behind_a_proxy_and_in_one_ipv6_network_are_told_apart(data: Path) -> None:
    one, same, other = "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"
    with served_folder(data, replace(BOUNDS, an_address=1)) as (address, _), ExitStack() as stack:

        def visitor(of: str) -> Visitor:
            return stack.enter_context(closing(Visitor(address, LADDER, X_Forwarded_For=of)))

        visitor(one).until("\ndata: ")
        assert " 429 " in visitor(same).rest()
        visitor(other).until("\ndata: ")


def test_a_visitor_who_reads_slowly_gets_the_newest_state_and_delays_nobody() -> None:
    with (
        counter(BOUNDS, 2_000_000) as (address, _),  # more than the kernel keeps for a socket
        closing(Visitor(address, "/", buffer=4_096)) as slow,
    ):
        with closing(Visitor(address, "/")) as quick:
            assert _ids(quick, 15)[-1] >= 15
        seen = _ids(slow, 6)
    assert seen[0] == 1
    assert seen[-1] > 12  # it has missed some


def test_a_visitor_who_does_not_read_at_all_is_cut_off() -> None:
    bounds = replace(BOUNDS, period_s=0.05, send_within_s=0.5)
    with (
        counter(bounds, 400_000) as (address, streams),
        closing(Visitor(address, "/", buffer=4_096)),
    ):
        until(lambda: streams.open_streams == 1, "the stream is open")
        until(lambda: streams.open_streams == 0, "the stream is cut off")


@pytest.mark.slow
def test_memory_does_not_grow_with_streams_that_come_and_go() -> None:
    with counter(replace(BOUNDS, an_address=100, everywhere=100)) as (address, streams):
        own = psutil.Process()

        def come_and_go() -> int:
            for _ in range(20):
                with ExitStack() as stack:
                    all_of_them = [
                        stack.enter_context(closing(Visitor(address, "/"))) for _ in range(50)
                    ]
                    for visitor in all_of_them:
                        visitor.until("\ndata: ")
                until(lambda: streams.open_streams == 0, "all have left")
            return int(own.memory_info().rss)

        come_and_go()
        before = come_and_go()
        assert come_and_go() - before < 3_000_000


@pytest.mark.slow
def test_open_streams_do_not_delay_the_end_of_the_pages(data: Path) -> None:
    with ExitStack() as stack:
        with served_pages(data) as origin:
            host, port = origin.removeprefix("http://").split(":")
            visitors = [
                stack.enter_context(closing(Visitor((host, int(port)), LADDER))) for _ in range(20)
            ]
            for visitor in visitors:
                visitor.until("\ndata: ")
        for visitor in visitors:
            assert "event: stop" in visitor.rest()


def _refused(address: tuple[str, int], path: str) -> str:
    return Visitor(address, path, Connection="close", Accept_Encoding="identity").rest()


def _ids(visitor: Visitor, count: int) -> list[int]:
    """Returns the ids of the first states that arrive."""
    ids: list[int] = []
    rest = b""
    while len(ids) < count:
        rest += visitor.socket.recv(1_000_000)
        ids += [int(one) for one in re.findall(rb"id: (\d+)\n", rest)]
        rest = rest[-20:].rpartition(b"\n")[2]
    return ids


def _is_let_in(address: tuple[str, int]) -> bool:
    with closing(Visitor(address, LADDER)) as visitor:
        return " 200 " in visitor.until("\r\n")
