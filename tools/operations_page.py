"""Writes `docs/operations.md` from `arena/operations`: `python -m tools.operations_page`.

The page is also the contract of all JSON documents: a change of a name shows there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from arena.operations.operation import Operation, Parameter, Place
from arena.operations.registry import OPERATIONS
from arena.views.matches.match_filter import MatchFilter
from arena.views.matches.match_query import CONDITIONS

PAGE = Path(__file__).parent.parent / "docs" / "operations.md"
HEAD = """# Operations

What can a program ask an arena, and change in it? Each operation is a request by HTTP below `/api`,
at the address of the pages and, for those who may enter the data folder, at its Unix socket.
`arena … --json` prints the same documents.

This page is generated from `arena/operations/`; do not edit it: `python -m tools.operations_page`.

A request by GET has its arguments in the query, and needs no token unless it says so. A change has
them as the members of a JSON object of at most 64 KiB, and needs `Authorization: Bearer TOKEN`.
Arguments with a default may be left out. Moments are written `2026-07-07T07:07:07.000Z`. In a
document `version` is the digest of a bot's version, `number` its number, and `digest` that of a
record. A refusal is `{"kind": …, "sentence": …, "field": …}`, where `field` names the argument at
fault.
"""
DEEPEST, LONGEST_LINE = 12, 100


def main() -> None:
    """Writes the page."""
    PAGE.write_text(page())


def page() -> str:
    """Returns the page."""
    ordered = sorted(OPERATIONS.values(), key=lambda one: (one.path, one.method))
    return "\n".join([HEAD, *(line for one in ordered for line in _section(one))]) + "\n"


def _section(operation: Operation[..., Any]) -> Iterator[str]:
    yield f"## {operation.method} /api{operation.path}"
    yield ""
    yield operation.description.replace("\n", " ")
    yield ""
    if operation.roles:
        yield f"For the role {' or '.join(operation.roles)}."
        yield ""
    rows = [row for one in operation.parameters for row in _rows(one)]
    if rows:
        yield from ("| argument | type | default |", "|---|---|---|", *rows, "")
    yield from ("```json", _drawn(skeleton(operation)), "```", "")


def _rows(parameter: Parameter) -> Iterator[str]:
    if parameter.type is MatchFilter:
        for name, condition in CONDITIONS.items():
            yield f"| `{name}` | {condition.description.rstrip('.')} | |"
        return
    schema = parameter.adapter.json_schema()
    kind = json.dumps(_shape(schema, schema.get("$defs", {}))).replace("|", "or").strip('"')
    default = "" if parameter.required else f"`{_text(parameter)}`"
    place = " (in the address)" if parameter.place is Place.PATH else ""
    yield f"| `{parameter.name}`{place} | {kind} | {default} |"


def _text(parameter: Parameter) -> str:
    """Returns a default as JSON."""
    return parameter.adapter.dump_json(parameter.default).decode()


def skeleton(operation: Operation[..., Any]) -> Any:
    """Returns the document that an operation answers with, types in the place of values."""
    schema = operation.answers.json_schema(mode="serialization")
    return _shape(schema, schema.get("$defs", {}))


def _shape(schema: Mapping[str, Any], parts: Mapping[str, Any], depth: int = 0) -> Any:
    if depth > DEEPEST:
        return "…"
    if "$ref" in schema:
        return _shape(parts[schema["$ref"].rpartition("/")[2]], parts, depth + 1)
    if "anyOf" in schema:
        return _either([_shape(one, parts, depth + 1) for one in schema["anyOf"]])
    if "properties" in schema:
        fields = schema["properties"].items()
        return {name: _shape(one, parts, depth + 1) for name, one in fields}
    if "prefixItems" in schema:
        return [_shape(one, parts, depth + 1) for one in schema["prefixItems"]]
    if isinstance(item := schema.get("items"), Mapping):
        return [_shape(item, parts, depth + 1)]
    if isinstance(value := schema.get("additionalProperties"), Mapping):
        return {"…": _shape(value, parts, depth + 1)}
    return _word(schema)


def _word(schema: Mapping[str, Any]) -> str:
    """Returns the type of a value that has no parts."""
    if words := schema.get("enum", [schema["const"]] if "const" in schema else []):
        return " | ".join(map(str, words))
    return "moment" if schema.get("format") == "date-time" else str(schema.get("type", "any"))


def _either(shapes: list[Any]) -> Any:
    """Returns one shape for several that a value may have."""
    texts = [one for one in shapes if isinstance(one, str)]
    others = [one for one in shapes if not isinstance(one, str)]
    if not others:
        return " | ".join(texts)
    return others[0] if texts in ([], ["null"]) and len(others) == 1 else [*others, *texts]


def _drawn(value: Any, indent: int = 0) -> str:
    """Returns JSON in which what fits into a line is in one."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(flat) + indent <= LONGEST_LINE or not isinstance(value, (dict, list)):
        return flat
    inner = indent + 2
    if isinstance(value, dict):
        lines = [f"{json.dumps(name)}: {_drawn(one, inner)}" for name, one in value.items()]
    else:
        lines = [_drawn(one, inner) for one in value]
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    between = f",\n{' ' * inner}"
    return f"{opening}\n{' ' * inner}{between.join(lines)}\n{' ' * indent}{closing}"


if __name__ == "__main__":
    main()
