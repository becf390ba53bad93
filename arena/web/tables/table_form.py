"""Forms that visitors send, bounded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs

from starlette.requests import Request

from arena.errors import ArenaError, Kind
from arena.web.http import read_body

LONGEST_FORM = 20_000  # bytes
TOO_LONG = "The form is too long; nothing was changed."
MOST_FIELDS = 200


class Form:
    """The fields of a form: each its values."""

    def __init__(self, fields: Mapping[str, Sequence[str]]) -> None:
        self._fields = fields

    def text(self, name: str) -> str:
        """Returns the last value of a field; empty if it was not sent."""
        return self._fields.get(name, [""])[-1].strip()

    def texts(self, name: str) -> Sequence[str]:
        """Returns all values of a field."""
        return self._fields.get(name, [])

    def number(self, name: str, default: int = 0) -> int:
        """Returns a field that is a number from 0. Raises ArenaError."""
        text = self.text(name)
        if not text:
            return default
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise ArenaError(
                Kind.WRONG_INPUT, f"`{name}` is a whole number from 0; go back and change it."
            )
        return int(text)

    def names(self) -> Sequence[str]:
        """Returns the names of the fields that were sent."""
        return list(self._fields)


async def sent_form(request: Request) -> Form:
    """Returns the form in the body of a request. Raises ArenaError."""
    body = await read_body(request, LONGEST_FORM, TOO_LONG)
    return parsed_form(body.decode(errors="replace"))


def parsed_form(text: str) -> Form:
    """Returns the form that a query or a body writes. Raises ArenaError."""
    try:
        return Form(parse_qs(text, keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError:
        raise ArenaError(Kind.WRONG_INPUT, "The form has too many fields.") from None
