"""Reads JSON strictly as the canonical form of a protobuf message.

The library's own reader accepts `"7"`, `7.0` and `null` for 7 or 0, and either spelling of a
field's name. Two readers of a record must never disagree about its content, so here every field
must be present, once, under its own name and with its own type.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

M = TypeVar("M", bound=Message)

ADVICE = "Export the record again, or get it from the arena that played the match."
SHOWN = 40  # characters of a wrong value
LONGEST_SENTENCE = 600
LONGEST_INTEGER = len("-2147483648")
BOUNDS = {
    FieldDescriptor.TYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.TYPE_SINT32: (-(2**31), 2**31 - 1),
}


class BadRecord(ValueError):
    """A record that cannot be used.

    `field`: the path of the first wrong field, such as `choices[17].action`; empty for the text as
      a whole.
    `sentence`: the error and its remedy.
    """

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        self.sentence = cut(sentence, LONGEST_SENTENCE)
        super().__init__(f"{field}: {self.sentence}" if field else self.sentence)


def cut(text: str, length: int) -> str:
    """Returns the text, truncated with dots if it is longer than `length`."""
    return text if len(text) <= length else f"{text[:length]}..."


def parsed(message: type[M], text: str) -> M:
    """Returns the message whose JSON form the text is. Raises BadRecord."""
    value = _value(text)
    kind: Any = message.DESCRIPTOR
    _check_message(value, kind, "")
    return message(**value)


# Text to values -----------------------------------------------------------------------------------


class _Odd(str):
    """A number that is not written as a plain integer, in its original spelling."""


def _value(text: str) -> Any:
    try:
        return json.loads(
            text,
            parse_int=_integer,
            parse_float=_Odd,
            parse_constant=_Odd,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}: {error.msg}"
        raise BadRecord("", f"The text is not JSON ({where}). {ADVICE}") from None
    except RecursionError:
        raise BadRecord("", f"The JSON is nested too deeply for a record. {ADVICE}") from None


def _integer(digits: str) -> int | _Odd:
    return _Odd(digits) if digits == "-0" or len(digits) > LONGEST_INTEGER else int(digits)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadRecord(_joined("", twice), f"The name appears twice in one object. {ADVICE}")
    return found


# Values to fields ---------------------------------------------------------------------------------


def _check_message(value: Any, kind: Descriptor, path: str) -> None:
    if not isinstance(value, dict):
        raise _wrong(path, "an object", value)
    fields = kind.fields_by_name
    for name, item in value.items():
        if name not in fields:
            known = ", ".join(fields)
            sentence = f"There is no such field here, only {known}. Remove it, or read the record"
            raise BadRecord(_joined(path, name), f"{sentence} with the arena that wrote it.")
        _check_field(item, fields[name], _joined(path, name))
    for name in fields:
        if name not in value and fields[name].containing_oneof is None:  # that is `optional`
            raise BadRecord(_joined(path, name), f"Missing: a record has every field. {ADVICE}")


def _check_field(value: Any, field: FieldDescriptor, path: str) -> None:
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        _check_map(value, field.message_type, path)
    elif field.is_repeated:
        if not isinstance(value, list):
            raise _wrong(path, "a list", value)
        for index, item in enumerate(value):
            _check_single(item, field, f"{path}[{index}]")
    else:
        _check_single(value, field, path)


def _check_map(value: Any, entry: Descriptor, path: str) -> None:
    if not isinstance(value, dict):
        raise _wrong(path, "an object", value)
    for name, item in value.items():
        _check_single(name, entry.fields_by_name["key"], _joined(path, name))
        _check_single(item, entry.fields_by_name["value"], _joined(path, name))


def _check_single(value: Any, field: FieldDescriptor, path: str) -> None:
    if field.message_type is not None:
        _check_message(value, field.message_type, path)
    elif field.type == FieldDescriptor.TYPE_STRING:
        if type(value) is not str or not _encodable(value):
            raise _wrong(path, "a text of Unicode characters", value)
    else:
        low, high = BOUNDS[field.type]
        if type(value) is not int or not low <= value <= high:
            raise _wrong(path, f"an integer from {low} to {high} in plain digits", value)


def _encodable(text: str) -> bool:
    """Returns False if the text contains half a surrogate pair, which JSON can write and UTF-8
    cannot."""
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _joined(path: str, name: str) -> str:
    printable = name[:SHOWN].encode(errors="replace").decode()
    return f"{path}.{printable}" if path else printable


def _wrong(path: str, right: str, value: Any) -> BadRecord:
    written = value if isinstance(value, _Odd) else json.dumps(value)
    return BadRecord(path, f"This must be {right}, not {cut(written, SHOWN)}. {ADVICE}")
