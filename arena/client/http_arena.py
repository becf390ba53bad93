"""An arena that runs: asked by HTTP, at its address or at the door of its data folder."""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeAlias, TypeVar
from urllib.parse import quote

import httpx

from arena.client.address import LOCAL, Address, address_of
from arena.client.reachability import PATIENCE_S, Trouble, trouble_with, trusted
from arena.client.user_token import TOKEN, no_own_token, own_token
from arena.errors import ArenaError, Kind
from arena.operations.acting import ACTING
from arena.operations.operation import Operation, Place
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_query import to_query

ANSWER_S = 120.0
AGAIN_S = 0.3
OF_A_PROXY = (502, 503, 504)  # statuses that say that nothing behind it answers
LONGEST_ANSWER = 64 * 1024 * 1024  # bytes; the longest match, with all notes

Primitive: TypeAlias = "str | int | float | bool | None"
Given = ParamSpec("Given")
Answer = TypeVar("Answer")


class HttpArena:
    """The arena at an address."""

    def __init__(self, server: str, address: Address, client: httpx.Client) -> None:
        self._server = server
        self._is_known = bool(address.socket) or "authorization" in client.headers
        self._address = address
        self._client = client

    def ask(
        self,
        operation: Operation[Given, Answer],
        *positional: Given.args,
        **named: Given.kwargs,
    ) -> Answer:
        """Asks for an operation, and returns its answer. Raises ArenaError."""
        if operation.roles and not self._is_known:
            raise no_own_token()
        request = _request(self._client, operation, operation.arguments(*positional, **named))
        status, body = self._answer(request)
        if status >= 400:
            raise _refusal(self._server, status, body)
        try:
            return operation.answers.validate_json(body)
        except ValueError:
            raise ArenaError(
                Kind.UNREACHABLE,
                f"The answer of {self._server} is not one of this command's version: use the"
                " command of the arena's version.",
                "server",
            ) from None

    def _answer(self, request: httpx.Request) -> tuple[int, bytes]:
        """Returns the status and the body of an answer. Raises ArenaError if there is none: soon
        where waiting cannot help. A question is asked again while an arena behind a proxy is being
        started; a change is not, for it may have been made."""
        began = time.monotonic()
        while True:
            try:
                self._knock()
                status, body = self._sent(request)
            except (httpx.ConnectError, OSError):
                self._trouble().check(time.monotonic() - began)
            except httpx.TimeoutException:
                raise self._no_answer("It took too long.") from None
            except httpx.TransportError:
                raise self._no_answer(self._trouble().sentence) from None
            else:
                waits = request.method == "GET" and status in OF_A_PROXY and _told(body) is None
                if not waits or time.monotonic() - began >= PATIENCE_S:
                    return status, body
            time.sleep(AGAIN_S)

    def _no_answer(self, sentence: str) -> ArenaError:
        return ArenaError(Kind.UNREACHABLE, f"{self._server} gave no answer. {sentence}", "server")

    def _knock(self) -> None:
        """Raises OSError if nobody listens at the door; httpx would leave its socket open then."""
        if self._address.socket:
            with socket.socket(socket.AF_UNIX) as knocking:
                knocking.connect(self._address.socket)

    def _sent(self, request: httpx.Request) -> tuple[int, bytes]:
        response = self._client.send(request, stream=True)
        try:
            parts, size = [], 0
            for part in response.iter_bytes():
                parts.append(part)
                size += len(part)
                if size > LONGEST_ANSWER:
                    raise ArenaError(
                        Kind.UNREACHABLE,
                        f"The answer of {self._server} is longer than {LONGEST_ANSWER >> 20} MiB.",
                        "server",
                    )
            return response.status_code, b"".join(parts)
        finally:
            response.close()

    def _trouble(self) -> Trouble:
        if self._address.socket:
            return Trouble(f"No arena answers at {self._server}; try again later.", PATIENCE_S)
        where = self._address
        return trouble_with(where.host, where.port, secure=where.secure)


@contextmanager
def connected(server: str, acting: str = "") -> Iterator[HttpArena]:
    """Connects to a running arena for as long as the context lasts. Raises ArenaError.

    `acting`: the id of the token in whose bearer's name it is asked by the door of a data folder;
      empty: in the organiser's, or by one's own token.
    """
    with opened(server, identification(server, acting)) as arena:
        yield arena


@contextmanager
def opened(server: str, headers: Mapping[str, str]) -> Iterator[HttpArena]:
    """Does the same for a caller whom these headers identify."""
    address = address_of(server)
    with httpx.Client(
        base_url=f"{address.base}/api/",
        headers=headers,
        # Unasked, it would read all certificates that the user trusts, and verify none by them.
        transport=httpx.HTTPTransport(verify=False, uds=address.socket) if address.socket else None,
        verify=_verifying(server) if address.secure else False,
        trust_env=not address.loopback,  # no proxy leads to this machine
        timeout=httpx.Timeout(ANSWER_S, connect=PATIENCE_S),
    ) as client:
        yield HttpArena(server, address, client)


def identification(server: str, acting: str = "") -> dict[str, str]:
    """Returns the headers that say who asks: by the door of a data folder `acting`, the id of a
    token, if given; else the caller's own token, if there is one."""
    if server.startswith(LOCAL):
        return {ACTING: acting} if acting else {}
    token = own_token()
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise ArenaError(
            Kind.UNAUTHENTICATED,
            f"The text in {TOKEN} is no token: it has blanks, or letters that no token has.",
            "token",
        )
    return {"authorization": f"Bearer {token}"} if token else {}


def _verifying(server: str) -> ssl.SSLContext:
    try:
        return trusted()
    except OSError:
        address = address_of(server)
        trouble = trouble_with(address.host, address.port, secure=True)
        raise ArenaError(Kind.UNREACHABLE, trouble.sentence, "server") from None


def _request(
    client: httpx.Client, operation: Operation[..., Any], arguments: Mapping[str, Any]
) -> httpx.Request:
    """Returns the request for an operation. Arguments that have their defaults are left out."""
    path, query, body = operation.path, list[tuple[str, Primitive]](), dict[str, Any]()
    for one in operation.parameters:
        value = arguments[one.name]
        if one.place is Place.PATH:
            path = path.replace(f"{{{one.name}}}", _in_an_address(one.name, str(value)))
        elif one.required or value != one.default:
            if isinstance(value, MatchFilter):
                query += to_query(value)
            elif one.place is Place.QUERY:
                query.append((one.name, _text(one.adapter.dump_python(value, mode="json"))))
            else:
                body[one.name] = one.adapter.dump_python(value, mode="json")
    return client.build_request(
        operation.method,
        path.lstrip("/"),
        params=query or None,
        json=body if operation.changes else None,
    )


def _in_an_address(what: str, name: str) -> str:
    """Returns a name as a part of an address. Raises ArenaError for one that nothing can have, and
    that would lead elsewhere."""
    if name in ("", ".", "..") or "/" in name:
        raise ArenaError(Kind.NOT_FOUND, f"There is no {what} {name!r}.", what)
    return quote(name, safe="")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _refusal(server: str, status: int, body: bytes) -> ArenaError:
    """Returns the failure that an answer tells of."""
    if told := _told(body):
        return told
    why = (
        f"a proxy answers there, which says {status}. Check that `arena serve` runs behind it."
        if status in OF_A_PROXY
        else f"what answers there says {status}, and no more that this command understands."
        " Give the address of the arena's pages."
    )
    return ArenaError(Kind.UNREACHABLE, f"No arena answers at {server}: {why}", "server")


def _told(body: bytes) -> ArenaError | None:
    """Returns the failure that an arena tells of; None if this is no answer of an arena."""
    try:
        told = json.loads(body)
        return ArenaError(Kind(told["kind"]), str(told["sentence"]), str(told["field"]))
    except (ValueError, TypeError, KeyError):
        return None
