"""The inputs of a form for an operation, which follow from the types of its parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any

from arena.errors import ArenaError, Kind
from arena.operations.operation import Operation, Parameter
from sevens_games import slugs

Schema = Mapping[str, Any]
"""A JSON schema, without references."""
TICKED = "yes"
UNITS = {"_ms": "milliseconds", "_minutes": "minutes", "_s": "seconds"}
MARKED = re.compile(r"`(\w+)`")
GAME = "game"


@dataclass(frozen=True)
class Input:
    """An input of a form.

    `name`: of the parameter, or of one of its members, with its own after a dot.
    `kind`: text, number, lines, tick, choice, or hidden.
    `hint`: a sentence, or empty.
    `choices`: the values of a choice; an empty one leaves it to the arena.
    """

    name: str
    kind: str
    value: str
    hint: str = ""
    choices: tuple[str, ...] = ()
    is_required: bool = False

    @property
    def label(self) -> str:
        name = self.name.rpartition(".")[2]
        for ending, unit in UNITS.items():
            if name.endswith(ending):
                name = f"{name.removesuffix(ending)}, in {unit}"
        return words_of(name).capitalize()


def told_to_people(description: str) -> str:
    """Returns the description of an operation without the marks of names in it."""
    return MARKED.sub(lambda found: words_of(found[1]), " ".join(description.split()))


def words_of(name: str) -> str:
    """Returns the name of a parameter in words."""
    return name.replace("_", " ")


def inputs_of(operation: Operation[..., Any], given: Mapping[str, str]) -> list[Input]:
    """Returns the inputs of an operation. `given`: their first values, where they are not the
    defaults."""
    return [one for parameter in operation.parameters for one in _inputs(parameter, given)]


def arguments_from(operation: Operation[..., Any], form: Mapping[str, str]) -> dict[str, Any]:
    """Returns the arguments that a form's values stand for. The operation checks them. Raises
    ArenaError if one is missing."""
    found: dict[str, Any] = {}
    for parameter in operation.parameters:
        schema = _schema(parameter)
        if "properties" in schema:
            found[parameter.name] = dict(_members(form, schema["properties"], f"{parameter.name}."))
        else:
            found |= _members(form, {parameter.name: schema})
        if parameter.required and parameter.name not in found:
            raise ArenaError(
                Kind.WRONG_INPUT,
                f"`{parameter.name}` is missing: give it a value.",
                parameter.name,
            )
    return found


def _inputs(parameter: Parameter, given: Mapping[str, str]) -> Iterator[Input]:
    schema = _schema(parameter)
    default = None if parameter.required else parameter.default
    if "properties" not in schema:
        yield _input(parameter.name, schema, default, given, is_required=parameter.required)
        return
    values = asdict(default) if is_dataclass(default) and not isinstance(default, type) else {}
    for name, member in schema["properties"].items():
        yield _input(f"{parameter.name}.{name}", member, values.get(name), given)


def _input(
    name: str, schema: Schema, default: Any, given: Mapping[str, str], *, is_required: bool = False
) -> Input:
    kind = _kind(schema)
    choices = tuple(schema.get("enum", ()))
    if choices and not is_required and default is None:
        choices = ("", *choices)
    hint = schema.get("description", "") if "enum" not in schema else ""
    if kind == "lines":
        hint = " ".join(filter(None, (hint, _line_hint(schema))))
    return Input(
        name=name,
        kind=kind,
        value=given.get(name, _written(default)),
        hint=hint,
        choices=choices,
        is_required=is_required and kind != "tick",
    )


def _line_hint(schema: Schema) -> str:
    if schema["type"] == "object":
        return "One a line: NAME=VALUE."
    if "properties" in schema["items"]:
        return "One a line: BOT, or BOT and the number of a version."
    return "One a line."


def _members(
    form: Mapping[str, str], schemas: Mapping[str, Schema], prefix: str = ""
) -> Iterator[tuple[str, Any]]:
    for name, schema in schemas.items():
        text = form.get(prefix + name, "")
        kind = _kind(schema)
        if kind == "tick":
            yield name, text == TICKED
        elif kind == "lines":
            yield name, _lines(schema, text)
        elif text.strip() or (kind == "text" and not prefix):  # the rest has a default
            yield name, text.strip()


def _lines(schema: Schema, text: str) -> Any:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if schema["type"] == "object":
        pairs = (line.partition("=") for line in lines)
        return {name.strip(): value.strip() for name, _, value in pairs}
    if "properties" in schema["items"]:
        return [_version(line) for line in lines]
    return lines


def _version(line: str) -> dict[str, Any]:
    bot, _, number = line.rpartition(" ")
    return {"bot": bot.strip(), "number": number} if bot and number.isdecimal() else {"bot": line}


def _kind(schema: Schema) -> str:
    if "enum" in schema:
        return "choice"
    return {
        "boolean": "tick",
        "integer": "number",
        "number": "number",
        "array": "lines",
        "object": "lines",
    }.get(schema["type"], "text")


def _written(value: Any) -> str:
    """Returns a default as an input shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return TICKED if value else ""
    if isinstance(value, tuple | list):
        return "\n".join(map(str, value))
    return "" if isinstance(value, dict) else str(value)


def _schema(parameter: Parameter) -> Schema:
    """Returns the schema of a parameter; of one that may be null, that of its other values."""
    if parameter.name == GAME:
        return {"type": "string", "enum": slugs()}
    schema = parameter.adapter.json_schema()
    return _resolved(schema, schema.get("$defs", {}))


def _resolved(schema: Schema, known: Mapping[str, Schema]) -> Schema:
    if "$ref" in schema:
        return _resolved(known[schema["$ref"].rpartition("/")[2]], known)
    if "anyOf" in schema:
        [other, *_] = [one for one in schema["anyOf"] if one.get("type") != "null"]
        return {**_resolved(other, known), **{k: schema[k] for k in schema if k == "description"}}
    if "items" in schema:
        return {**schema, "items": _resolved(schema["items"], known)}
    return schema
