"""Somebody with a browser: keeps cookies, sends forms as pages do, and follows no redirect."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from http.cookies import SimpleCookie
from typing import Self, TypeAlias
from urllib.parse import urlencode, urlsplit

from tests.support.patience import PATIENCE_S

Headers: TypeAlias = dict[str, str]
BOUNDARY = "boundary7777"


@dataclass(frozen=True)
class Answer:
    """What a visitor was sent. `cookies`: the whole Set-Cookie headers."""

    status: int
    headers: dict[str, str]
    cookies: list[str]
    text: str

    @property
    def location(self) -> str:
        return self.headers.get("location", "")


@dataclass
class Visitor:
    """A visitor of a site. `origin`: such as http://127.0.0.1:40123."""

    origin: str
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, fields: dict[str, str] | None = None, **headers: str) -> Answer:
        body = urlencode(fields or {}).encode()
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, body, {**self.own(), **kind, **headers})

    def upload(self, path: str, fields: dict[str, str], name: str, content: bytes) -> Answer:
        return self.ask("POST", path, parts(fields, name, content), {**self.own(), **MULTIPART})

    def own(self) -> dict[str, str]:
        """What a browser says of a form of the site's own pages."""
        return {"Origin": self.origin, "Sec-Fetch-Site": "same-origin"}

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        connection, response = self.open(method, path, body, headers)
        try:
            return self._answer(response)
        finally:
            connection.close()

    def open(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[HTTPConnection, HTTPResponse]:
        """Sends a request; the answer may be read while it comes."""
        connection = HTTPConnection(urlsplit(self.origin).netloc, timeout=PATIENCE_S)
        sent = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        try:
            # A server may answer, and hang up, before it has read all of a request.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request(
                    method, path, body, (sent if self.cookies else {}) | (headers or {})
                )
            return connection, connection.getresponse()
        except BaseException:
            connection.close()
            raise

    def log_in(self, token: str) -> Self:
        answer = self.post("/login", {"token": token})
        assert answer.status == 303, answer.text
        return self

    def _answer(self, response: HTTPResponse) -> Answer:
        cookies = response.headers.get_all("Set-Cookie") or []
        for cookie in cookies:
            for name, morsel in SimpleCookie(cookie).items():
                self.cookies.pop(name, None)
                if morsel.value:
                    self.cookies[name] = morsel.value
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Answer(response.status, headers, cookies, response.read().decode())


MULTIPART = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}


def parts(fields: dict[str, str], name: str, content: bytes) -> bytes:
    """Returns a form with one file, of the name bot.tar.gz."""
    begin = f"--{BOUNDARY}\r\nContent-Disposition: form-data; name="
    texts = "".join(f'{begin}"{one}"\r\n\r\n{value}\r\n' for one, value in fields.items())
    file = f'{begin}"{name}"; filename="bot.tar.gz"\r\nContent-Type: application/gzip\r\n\r\n'
    return f"{texts}{file}".encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()
