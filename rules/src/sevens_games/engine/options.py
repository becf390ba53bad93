"""A game's options: declared once, as the fields of a frozen dataclass."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeAlias

from sevens_games.engine.unknown import no_such

OptionValue: TypeAlias = bool | int | str


@dataclasses.dataclass(frozen=True)
class Option:
    """One option: its name, type, default and bounds, and a sentence for people.

    `type` is bool, int, or a tuple of words. `minimum` and `maximum` bound an int; None: unbounded.
    """

    name: str
    type: type[bool] | type[int] | tuple[str, ...]
    default: OptionValue
    sentence: str
    minimum: int | None = None
    maximum: int | None = None

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        if self.type is bool:
            return "true or false"
        if isinstance(self.type, tuple):
            return "one of " + ", ".join(self.type)
        if self.minimum is not None and self.maximum is not None:
            return f"an integer from {self.minimum} to {self.maximum}"
        if self.minimum is not None:
            return f"an integer of at least {self.minimum}"
        if self.maximum is not None:
            return f"an integer of at most {self.maximum}"
        return "an integer"

    def check(self, value: object) -> None:
        """Raises ValueError with the option, the value and the values allowed."""
        if not self._allows(value):
            raise ValueError(f"Option {self.name} must be {self.allowed}, not {value!r}.")

    def parse(self, text: str) -> OptionValue:
        """The value of a text: "true", "7", "left". Raises ValueError like `check`."""
        value: OptionValue = text
        if self.type is bool:
            value = {"true": True, "false": False}.get(text.lower(), text)
        elif self.type is int:
            sign_and_digits = text.removeprefix("-")
            if sign_and_digits.isascii() and sign_and_digits.isdigit() and len(text) <= 20:
                value = int(text)
        self.check(value)
        return value

    def _allows(self, value: object) -> bool:
        if self.type is bool:
            return isinstance(value, bool)
        if isinstance(self.type, tuple):
            return isinstance(value, str) and value in self.type
        if isinstance(value, bool) or not isinstance(value, int):
            return False
        return (self.minimum is None or value >= self.minimum) and (
            self.maximum is None or value <= self.maximum
        )


def text_of(value: OptionValue) -> str:
    """The text of an option's value, as records and bots read it; the inverse of `Option.parse`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def flag(default: bool, sentence: str) -> Any:
    """Declares a yes-or-no option as a dataclass field."""
    return _declared(bool, default, sentence)


def integer(
    default: int, sentence: str, *, minimum: int | None = None, maximum: int | None = None
) -> Any:
    """Declares an integer option as a dataclass field."""
    return _declared(int, default, sentence, minimum=minimum, maximum=maximum)


def word(default: str, words: tuple[str, ...], sentence: str) -> Any:
    """Declares an option that is one of some words as a dataclass field."""
    return _declared(words, default, sentence)


@dataclasses.dataclass(frozen=True)
class NoOptions:
    """The options of a game without options."""


def declared_options(options: type) -> dict[str, Option]:
    """The options that a game's dataclass declares, by name."""
    return {
        field.name: Option(name=field.name, **field.metadata)
        for field in dataclasses.fields(options)
    }


def check_options(declared: Mapping[str, Option], given: Mapping[str, object]) -> None:
    """Raises ValueError for the first option that does not exist or whose value is not allowed."""
    for name, value in given.items():
        if name not in declared:
            raise ValueError(no_such("option", name, declared))
        declared[name].check(value)


def _declared(kind: object, default: OptionValue, sentence: str, **bounds: int | None) -> Any:
    metadata = {"type": kind, "default": default, "sentence": sentence, **bounds}
    return dataclasses.field(default=default, metadata=metadata)
