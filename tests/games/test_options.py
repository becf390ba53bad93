"""Options: the values that each kind allows, the texts for them, and their declarations."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevens_games import Option, text_of
from sevens_games.engine.options import (
    NoOptions,
    check_options,
    declared_options,
    flag,
    integer,
    word,
)


@dataclass(frozen=True)
class Options:
    piiko: bool = flag(False, "Whether bids are bid again.")
    deals: int = integer(5, "How many deals.", minimum=1, maximum=100)
    target: int = integer(-7, "What ends it.", minimum=-9)
    most: int = integer(0, "What is too much.", maximum=7)
    any: int = integer(0, "Any number.")
    side: str = word("left", ("left", "right"), "Which way.")


OPTIONS = declared_options(Options)
GOOD: dict[str, list[Any]] = {
    "piiko": [True, False],
    "deals": [1, 5, 100],
    "target": [-9, -7, 0, 10**9],
    "most": [-(10**9), 0, 7],
    "any": [-(10**9), 0, 10**9],
    "side": ["left", "right"],
}
ALLOWED = {
    "piiko": "true or false",
    "deals": "an integer from 1 to 100",
    "target": "an integer of at least -9",
    "most": "an integer of at most 7",
    "any": "an integer",
    "side": "one of left, right",
}
BAD: list[tuple[str, Any]] = [
    *[("piiko", value) for value in (0, 1, "true", None, 1.0)],
    *[("deals", value) for value in (0, 101, -1, True, False, "5", 5.0, None)],
    *[("target", value) for value in (-10, True)],
    *[("most", value) for value in (8, False)],
    *[("any", value) for value in (True, "0", 0.0)],
    *[("side", value) for value in ("up", "", "Left", 0, None, True, ("left",))],
]
BAD_TEXTS = [
    *[("piiko", text) for text in ("", "yes", "1", "0", "tru", " true")],
    *[
        ("deals", text)
        for text in ("", "0", "101", "-5", "+5", "5.0", "5e0", " 5", "5 ", "1_0", "0x5", "five")
    ],
    *[("any", text) for text in ("-", "--5", "\u0667", "²", "9" * 21, "true")],
    *[("side", text) for text in ("", "Left", "left ", "left, right")],
]


def test_options_are_declared_as_fields() -> None:
    assert list(OPTIONS) == list(GOOD)
    for name, option in OPTIONS.items():
        assert option.name == name
        assert option.default == getattr(Options(), name)
    assert OPTIONS["deals"] == Option("deals", int, 5, "How many deals.", 1, 100)
    assert OPTIONS["side"].type == ("left", "right")
    assert declared_options(NoOptions) == {}


@pytest.mark.parametrize("name", GOOD)
def test_what_is_allowed_is_said_in_words(name: str) -> None:
    assert OPTIONS[name].allowed == ALLOWED[name]


@pytest.mark.parametrize("name", GOOD)
def test_values_that_are_allowed(name: str) -> None:
    for value in GOOD[name]:
        OPTIONS[name].check(value)
        check_options(OPTIONS, {name: value})


@pytest.mark.parametrize(("name", "value"), BAD)
def test_other_values_are_refused_with_what_is_allowed(name: str, value: Any) -> None:
    expected = f"Option {name} must be {ALLOWED[name]}, not {value!r}."
    with pytest.raises(ValueError) as refused:  # noqa: PT011  the text is compared below
        OPTIONS[name].check(value)
    assert str(refused.value) == expected
    with pytest.raises(ValueError) as refused:  # noqa: PT011
        check_options(OPTIONS, {"any": 0, name: value})
    assert str(refused.value) == expected


def test_an_option_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(ValueError, match=r"no option 'pikko'\. Did you mean piiko"):
        check_options(OPTIONS, {"pikko": True})
    with pytest.raises(ValueError, match="there are none"):
        check_options({}, {"piiko": True})


@pytest.mark.parametrize("name", GOOD)
def test_the_text_of_a_value_stands_for_it(name: str) -> None:
    for value in GOOD[name]:
        parsed = OPTIONS[name].parse(text_of(value))
        assert parsed == value
        assert type(parsed) is type(value)


@given(number=st.integers(-(10**18), 10**18))
def test_the_text_of_any_integer_stands_for_it(number: int) -> None:
    assert OPTIONS["any"].parse(text_of(number)) == number


def test_texts_of_flags_are_lower_case_and_read_in_any_case() -> None:
    assert [text_of(True), text_of(False)] == ["true", "false"]
    assert OPTIONS["piiko"].parse("TRUE") is True
    assert OPTIONS["piiko"].parse("False") is False


def test_zeros_may_lead_an_integer() -> None:
    assert OPTIONS["deals"].parse("007") == 7


@pytest.mark.parametrize(("name", "text"), BAD_TEXTS)
def test_other_texts_are_refused_with_what_is_allowed(name: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"Option {name} must be {ALLOWED[name]}, not "):
        OPTIONS[name].parse(text)
