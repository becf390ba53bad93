"""Logging in by token, on the pages of a running arena."""

from __future__ import annotations

import re
import shutil
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from itsdangerous import TimestampSigner
from starlette.requests import Request

from arena.web.http.connection import network_of
from arena.web.login_cookie import VALID_S, Attempts, ids_in, signed
from tests.support.command_line import ran
from tests.support.served_pages import served_pages
from tests.support.visitor import Visitor
from tests.support.whole_arena.arena import WholeArena
from tests.support.whole_arena.strangers import token_of

UNKNOWN = "sat_" + "x" * 43


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WholeArena]:
    with WholeArena(tmp_path_factory.mktemp("arena")) as running:
        running.create()
        running.server("--web", "127.0.0.1:0", workers=0)
        yield running


@pytest.fixture(scope="module")
def pages(arena: WholeArena) -> str:
    """The origin of the running arena's pages."""
    found = re.search(r"Pages at (\S+)/\n", arena.parts[0].said())
    assert found
    return found[1]


def test_an_owner_logs_in_and_out(arena: WholeArena, pages: str) -> None:
    token = token_of(arena, "Ann")
    visitor = Visitor(pages)
    form = visitor.get("/own/faults?bot=x")
    assert (form.status, form.location) == (303, "/login?back=%2Fown%2Ffaults%3Fbot%3Dx")
    assert 'value="/own/faults?bot=x"' in visitor.get(form.location).text
    entered = visitor.post("/login", {"token": f" {token}\n", "back": "/own/faults?bot=x"})
    assert (entered.status, entered.location) == (303, "/own/faults?bot=x")
    [cookie] = entered.cookies
    assert token not in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie
    assert '<a href="/own">Ann</a>' in visitor.get("/").text
    assert visitor.get("/own").headers["cache-control"] == "no-store"
    copy = Visitor(pages, dict(visitor.cookies))
    other = Visitor(pages).log_in(token)
    assert copy.get("/own").status == 200
    assert visitor.post("/logout").location == "/"
    assert '<a href="/login' in visitor.get("/").text
    assert visitor.get("/own").status == 303
    assert copy.get("/own").status == 303
    assert copy.post("/do/retire_version", {"bot": "random-bot", "number": "1"}).status == 401
    assert other.get("/own").status == 200


def test_a_revoked_token_logs_out_at_once(arena: WholeArena, pages: str) -> None:
    visitor = Visitor(pages).log_in(token_of(arena, "Rex"))
    assert visitor.get("/own").status == 200
    listed = ran("token", "list", "--json", "--data", arena.data).json["tokens"]
    [token_id] = [token["id"] for token in listed if token["owner"] == "Rex"]
    assert ran("token", "revoke", token_id, "--data", arena.data).code == 0
    stale = dict(visitor.cookies)
    refused = visitor.get("/")
    assert (refused.status, visitor.cookies) == (401, {})
    assert "was revoked, so you are logged out" in refused.text
    assert visitor.get("/").status == 200
    change = Visitor(pages, stale).post("/do/retire_version", {"bot": "random-bot", "number": "1"})
    assert change.status == 401


@pytest.mark.parametrize(
    ("role", "status", "sentence"),
    [
        ("worker", 403, "This is the token of a worker"),
        ("unknown", 401, "The token is unknown or was revoked"),
    ],
)
def test_not_every_token_logs_in(
    arena: WholeArena, pages: str, role: str, status: int, sentence: str
) -> None:
    token = UNKNOWN if role == "unknown" else token_of(arena, "W", role)
    visitor = Visitor(pages)
    refused = visitor.post("/login", {"token": token})
    assert (refused.status, visitor.cookies) == (status, {})
    assert sentence in refused.text
    assert token not in refused.text


def test_a_reader_has_nothing_of_their_own(arena: WholeArena, pages: str) -> None:
    visitor = Visitor(pages).log_in(token_of(arena, "Rea", "reader"))
    refused = visitor.get("/own")
    assert refused.status == 403
    assert "a token of the role reader" in refused.text
    assert visitor.get("/").status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
)
def test_other_sites_can_neither_log_in_nor_out(
    arena: WholeArena, pages: str, headers: dict[str, str]
) -> None:
    visitor = Visitor(pages, {"login": "x"})
    for path in ("/login", "/logout", "/do/retire_version", "/own/submit"):
        assert visitor.ask("POST", path, b"token=x", headers).status == 403


@pytest.mark.parametrize("back", ["//evil.example", "/\\evil.example", "https://evil.example", ""])
def test_a_login_leads_to_no_other_site(arena: WholeArena, pages: str, back: str) -> None:
    visitor = Visitor(pages)
    shown = visitor.get(f"/login?back={back}").text
    assert 'name="back" value="/"' in shown


def test_a_token_crosses_no_network_unencrypted(arena: WholeArena, pages: str) -> None:
    port = pages.rpartition(":")[2]
    for host in (f"arena.example:{port}", "192.0.2.7", "[", "localhost.evil.example"):
        refused = Visitor(pages).ask("GET", "/login", headers={"Host": host})
        assert (refused.status, "unencrypted" in refused.text) == (403, True), host
    through_proxy = Visitor(pages).get("/login", **{"X-Forwarded-For": "192.0.2.7"})
    assert through_proxy.status == 403
    for host in (f"localhost:{port}", f"[::1]:{port}"):
        assert Visitor(pages).get("/login", Host=host).status == 200


@pytest.mark.slow
def test_behind_a_proxy_with_tls_the_cookie_is_for_this_host_alone(
    arena: WholeArena, pages: str
) -> None:
    token, origin = token_of(arena, "Sec"), "https://arena.example"
    with served_pages(arena.data, "--origin", origin) as near:
        answer = Visitor(near).post("/login", {"token": token}, Origin=origin, Host="arena.example")
    [cookie] = answer.cookies
    assert cookie.startswith("__Host-login=")
    assert all(part in cookie for part in ("; Secure", "; Path=/", "HttpOnly"))
    assert "Domain" not in cookie


@pytest.mark.slow
def test_too_many_logins_are_refused(arena: WholeArena) -> None:
    token = token_of(arena, "Max")
    with served_pages(arena.data) as pages:
        visitor = Visitor(pages)
        for _ in range(10):
            assert visitor.post("/login", {"token": UNKNOWN}).status == 401
        refused = visitor.post("/login", {"token": token})
    assert (refused.status, refused.headers["retry-after"]) == (429, "60")
    assert "Too many logins" in refused.text


def test_whoever_leaves_in_the_middle_of_a_form_leaves_no_trace(
    arena: WholeArena, pages: str
) -> None:
    host, _, port = pages.removeprefix("http://").rpartition(":")
    with socket.create_connection((host, int(port))) as line:
        head = f"POST /login HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: 99\r\n\r\n"
        line.sendall(f"{head}token=".encode())
    assert Visitor(pages).get("/").status == 200
    assert "Traceback" not in (arena.data / "logs" / "pages.log").read_text()


def test_a_form_that_is_too_long_is_not_read(arena: WholeArena, pages: str) -> None:
    refused = Visitor(pages).post("/login", {"token": "x" * 5000})
    assert (refused.status, "The form is too long." in refused.text) == (413, True)


def test_the_key_is_for_its_user_alone(arena: WholeArena, pages: str) -> None:
    assert stat.S_IMODE((arena.data / "pages.key").stat().st_mode) == 0o600


@pytest.mark.slow
def test_nobody_logs_in_where_no_arena_has_made_a_key(shown: Path, tmp_path: Path) -> None:
    shutil.copytree(shown, tmp_path / "data")
    with served_pages(tmp_path / "data") as pages:
        visitor = Visitor(pages, {"login": "0badcafe.99999999999.00"})
        refused = visitor.get("/login")
        assert (refused.status, visitor.get("/").status) == (503, 200)
        assert "log in while `arena serve` runs on it" in refused.text.replace("&#39;", "'")
    assert not (tmp_path / "data" / "pages.key").exists()


@pytest.mark.slow
def test_who_logs_out_while_no_arena_runs_is_told_what_remains(
    arena: WholeArena, shown: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    shutil.copytree(shown, data)
    shutil.copy(arena.data / "pages.key", data)
    created = ran("token", "create", "--owner", "Lou", "--role", "owner", "--json", "--data", data)
    with served_pages(data) as pages:
        visitor = Visitor(pages).log_in(created.json["text"])
        told = visitor.post("/logout")
        assert (told.status, visitor.cookies) == (503, {})
        assert "You are logged out in this browser, but a copy" in told.text


KEY = bytes(32)


def test_a_cookie_holds_for_a_while_and_only_as_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000]
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _: now[-1])
    cookie, another = signed(KEY, "0badcafe"), signed(KEY, "0badcafe")
    ids = login, token_id = ids_in(KEY, cookie) or ("", "")
    assert login
    assert token_id == "0badcafe"
    assert ids_in(KEY, another) != ids
    assert ids_in(bytes(31) + b"x", cookie) is None
    for forged in (
        cookie.replace("0badcafe", "1badcafe"),
        cookie[:-1],
        "",
        ".",
        "é",
        "0badcafe.9.",
    ):
        assert ids_in(KEY, forged) is None
    now.append(1000 + VALID_S)
    assert ids_in(KEY, cookie) == ids
    now.append(1001 + VALID_S)
    assert ids_in(KEY, cookie) is None


def came_from(address: str) -> str:
    return network_of(Request({"type": "http", "headers": [], "client": (address, 4242)}))


def test_attempts_are_counted_by_network_and_in_all() -> None:
    now = [0.0]
    attempts = Attempts(an_address=2, in_all=4, clock=lambda: now[0])
    assert [attempts.admit(came_from(f"2001:db8::{last}")) for last in (1, 2)] == [True, True]
    assert not attempts.admit(came_from("2001:db8::3"))
    assert [attempts.admit(came_from(f"192.0.2.{last}")) for last in (1, 2)] == [True, True]
    assert not attempts.admit(came_from("192.0.2.3"))
    now[0] = 60.0
    assert attempts.admit(came_from("2001:db8::3"))
