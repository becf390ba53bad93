"""Writes `docs/protocol.md` from `proto/`: `python -m tools.protocol_page`.

The comments of the files become the text; a match that is actually played becomes the example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import grpc_tools
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)
from grpc_tools import protoc

from tools.protocol_match import dialogue

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "protocol.md"
# The files in reading order.
PARTS = (
    ("A bot plays", "sevens/bot/v1", ("bot_service", "match", "decision", "observation")),
    (
        "People submit bots",
        "sevens/league/v1",
        (
            "league_service",
            "submission",
            "version",
            "remote",
            "worker",
        ),
    ),
    ("Workers reach remote bots", "sevens/relay/v1", ("relay_service",)),
    ("A match is recorded", "sevens/record/v1", ("match_record",)),
)
# Field numbers of descriptor.proto; a path of them names the element that a comment belongs to.
MESSAGES, ENUMS, SERVICES, SYNTAX = 4, 5, 6, 12
FIELDS_OF_MESSAGE, VALUES_OF_ENUM, METHODS_OF_SERVICE = 2, 2, 2

HEAD = """# The protocol, message by message

What can a bot receive, what can it answer, and what does each field mean? For authors of SDKs, and
of bots without one; a bot that uses an SDK needs none of it. [Writing an SDK](writing-an-sdk.md)
says in which order to build one.

This page is generated from `proto/` by `python -m tools.protocol_page`; do not edit it.
"""
MATCH_HEAD = """## One match, to the last message

A match of Trash in which every layout has only three spots, as seen by seat 0: `>` is a frame from
the bot, `<` one from the arena, in protobuf's text format. The bot chose at random. The arena makes
the moves that leave no choice, which is why some decision numbers are missing. Fields that are 0 or
empty, such as this seat's number, are not written. If a bot plays several matches at once, their
messages travel in the same frames.
"""


def page() -> str:
    """Returns the whole page."""
    files = {file.name: file for file in described().file}
    parts = []
    for title, folder, names in PARTS:
        package = folder.replace("/", ".")
        parts.append(f"## {title}: `{package}`\n")
        parts += [section(files.pop(f"{folder}/{name}.proto")) for name in names]
        if folder == PARTS[0][1]:
            parts.append(f"{MATCH_HEAD}\n```\n{dialogue()}```\n")
    if left := [name for name in files if name.startswith("sevens/")]:
        raise ValueError(f"The page has no section for {', '.join(left)}. Add it to PARTS.")
    return "\n".join([HEAD, *parts])


def described() -> FileDescriptorSet:
    """Returns all files of the protocol, with their comments."""
    protos = ROOT / "proto"
    files = [str(path) for path in sorted(protos.glob("sevens/**/*.proto"))]
    includes = [f"-I{protos}", f"-I{Path(grpc_tools.__file__).parent / '_proto'}"]
    with TemporaryDirectory() as scratch:
        output = Path(scratch) / "descriptors"
        options = ["--include_source_info", f"--descriptor_set_out={output}"]
        if protoc.main(["protoc", *includes, *options, *files]) != 0:
            raise ValueError(f"protoc refused the files in {protos}.")
        return FileDescriptorSet.FromString(output.read_bytes())


# The reference ---------------------------------------------------------------------------------


def section(file: FileDescriptorProto) -> str:
    """Returns the section of one file, in its own order: services, messages, enums."""
    comments = {
        tuple(place.path): place.leading_comments or place.trailing_comments
        for place in file.source_code_info.location
    }
    parts = [f"### {Path(file.name).name}\n", text(comments[SYNTAX,])]
    for n, service in enumerate(file.service):
        parts += service_text(service, comments, (SERVICES, n), file.package)
    for n, message in enumerate(file.message_type):
        parts += message_text(message, comments, (MESSAGES, n), file.package)
    for n, enum in enumerate(file.enum_type):
        parts += enum_text(enum, comments, (ENUMS, n), file.package)
    return "\n".join(parts)


Comments = dict[tuple[int, ...], str]
Place = tuple[int, ...]


def service_text(
    service: ServiceDescriptorProto, comments: Comments, place: Place, package: str
) -> Iterator[str]:
    yield heading(package, service.name)
    yield text(comments[place])
    for n, method in enumerate(service.method):
        takes = "stream " * method.client_streaming + link(method.input_type)
        gives = "stream " * method.server_streaming + link(method.output_type)
        yield f"**{method.name}** ({takes}) returns ({gives})\n"
        yield text(comments[*place, METHODS_OF_SERVICE, n])


def message_text(
    message: DescriptorProto, comments: Comments, place: Place, package: str
) -> Iterator[str]:
    yield heading(package, message.name)
    yield text(comments[place])
    if not message.field:
        return
    rows = [
        (
            f"`{field.name}`",
            field.number,
            kind(message, field),
            cell(comments[*place, FIELDS_OF_MESSAGE, n]),
        )
        for n, field in enumerate(message.field)
    ]
    yield table(("field", "number", "type", "meaning"), rows)


def enum_text(
    enum: EnumDescriptorProto, comments: Comments, place: Place, package: str
) -> Iterator[str]:
    yield heading(package, enum.name)
    yield text(comments[place])
    rows = [
        (f"`{value.name}`", value.number, cell(comments[*place, VALUES_OF_ENUM, n]))
        for n, value in enumerate(enum.value)
    ]
    yield table(("value", "number", "meaning"), rows)


def kind(message: DescriptorProto, field: FieldDescriptorProto) -> str:
    """Returns the type of a field, as written in the files."""
    if entry := next((e for e in message.nested_type if is_entry_of(e, message, field)), None):
        key, value = (kind(entry, part) for part in entry.field)
        return f"map<{key}, {value}>"
    name = link(field.type_name) if field.type_name else scalar(field)
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {name}"
    if field.proto3_optional:
        return f"optional {name}"
    if field.HasField("oneof_index"):
        return f"{name}, one of `{message.oneof_decl[field.oneof_index].name}`"
    return name


def is_entry_of(
    entry: DescriptorProto, message: DescriptorProto, field: FieldDescriptorProto
) -> bool:
    return entry.options.map_entry and field.type_name.endswith(f".{message.name}.{entry.name}")


def scalar(field: FieldDescriptorProto) -> str:
    return FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()


def link(type_name: str) -> str:
    """Returns a type's name, linked to its entry if it is on this page."""
    full = type_name.removeprefix(".")
    short = full.rpartition(".")[2]
    return f"[{short}](#{full})" if full.startswith("sevens.") else full


def heading(package: str, name: str) -> str:
    # Two packages have a message Fault, so the anchor includes the package.
    return f'#### <a id="{package}.{name}"></a>{name}\n'


def text(comment: str) -> str:
    """Returns a comment's paragraphs, with their lines as they are."""
    return "\n".join(line.strip() for line in comment.strip().splitlines()) + "\n"


def cell(comment: str) -> str:
    return re.sub(r"\s+", " ", comment).strip().replace("|", "\\|")


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page())
