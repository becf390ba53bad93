"""Our own ES modules as one script, for a file that is opened without a server.

A page from a file may import nothing. So each module becomes a function that runs once, after those
that it imports, and returns what it exports:

    modules["verify/bytes.js"] = (() => { ...; return { utf8, hex }; })();

A module may therefore use only these forms, each at the beginning of a line, and modules must not
import each other in a circle:

    import { name, other as renamed } from "./path.js";
    export function name        export async function name
    export class name           export const name
    export { name, other };
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.{1,2}/[^"]+)";$', re.MULTILINE)
DECLARATION = re.compile(
    r"^export (?=(?:(?:async )?function\*? ?|class |const )(\w+))", re.MULTILINE
)
EXPORTED_LIST = re.compile(r"^export \{([\w\s,]*)\};$", re.MULTILINE)
FORBIDDEN = {
    re.compile(r"^(?:import|export)\b", re.MULTILINE): "a form of import or export not listed here",
    re.compile(r"\bimport\s*[.(]"): "a dynamic import or import.meta",
    re.compile(r"</script|<!--", re.IGNORECASE): "what HTML takes for the end of a script",
}


class Unbundlable(ValueError):
    """A module that the rules of this file do not cover."""


def bundle(folder: Path, entry: str) -> str:
    """Returns one classic script that does what the module `entry` does.

    `entry`: its path in `folder`, with slashes. Raises Unbundlable, and OSError if a module is
    missing.
    """
    found: dict[str, str] = {}
    _gather(folder, entry, found, ())
    functions = [
        f"modules[{json.dumps(path)}] = (() => {{\n{body}}})();" for path, body in found.items()
    ]
    return "\n".join(['(() => {\n"use strict";\nconst modules = {};', *functions, "})();\n"])


def _gather(folder: Path, path: str, found: dict[str, str], importers: tuple[str, ...]) -> None:
    """Adds a module's function body to those found, after those of the modules it imports."""
    if path in found:
        return
    if path in importers:
        raise Unbundlable(f"{' imports '.join([*importers, path])}: a circle.")
    source = (folder / path).read_text(encoding="utf-8")
    for _, target in IMPORT.findall(source):
        _gather(folder, _resolved(path, target), found, (*importers, path))
    found[path] = _function_body(path, source)


def _function_body(path: str, source: str) -> str:
    def constant(match: re.Match[str]) -> str:
        names = match[1].replace(" as ", ": ")
        return f"const {{{names}}} = modules[{json.dumps(_resolved(path, match[2]))}];"

    exported = list(_exported(source))
    body = DECLARATION.sub("", EXPORTED_LIST.sub("", IMPORT.sub(constant, source)))
    for pattern, meaning in FORBIDDEN.items():
        if wrong := pattern.search(body):
            line = body.count("\n", 0, wrong.start()) + 1
            raise Unbundlable(f"{path}, line {line}: {meaning} ({wrong[0]}).")
    return f"{body}return {{ {', '.join(exported)} }};\n"


def _exported(source: str) -> Iterator[str]:
    yield from DECLARATION.findall(source)
    for names in EXPORTED_LIST.findall(source):
        yield from (name.strip() for name in names.split(",") if name.strip())


def _resolved(path: str, target: str) -> str:
    """Returns the path of what the module at `path` imports as `target`."""
    parts: list[str] = []
    for part in (PurePosixPath(path).parent / target).parts:
        if part == "..":
            if not parts:
                raise Unbundlable(f"{path} imports {target}, which is outside the static files.")
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)
