"""Pages as a program fetches them, whatever their status."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import Message
from html import unescape
from re import sub
from urllib.error import HTTPError
from urllib.request import Request, urlopen


@dataclass(frozen=True)
class Fetched:
    status: int
    headers: Message
    html: str

    @property
    def words(self) -> str:
        """What a visitor reads, with single spaces."""
        body = sub(r"(?s)<(style|script|svg).*?</\1>", " ", self.html)
        return " ".join(unescape(sub(r"<[^>]*>", " ", body)).split())


def fetched(address: str, **headers: str) -> Fetched:
    """Returns the answer. A header's name has underscores for its hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        with urlopen(Request(address, headers=named)) as answer:
            return Fetched(answer.status, answer.headers, answer.read().decode())
    except HTTPError as error:
        with error:
            return Fetched(error.code, error.headers, error.read().decode())
