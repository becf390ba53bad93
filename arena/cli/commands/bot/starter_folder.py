"""The folder of a new bot: the example, a copy of the SDK, a README and a Makefile."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from collections.abc import Iterable
from pathlib import Path
from string import Template

from arena.cli.commands.bot.languages import Language, example_files, sdk_files
from arena.repository import repository

HERE = Path(__file__).parent
# The folder, within a bot's, for copies from the arena's repository.
VENDORED_SDK = "sevens"
MANIFEST = "bot.toml"
DATA = "/arena-data/"  # the default folder for the records of `arena play`
NAME_LINE = re.compile('^name = ".*"$', re.MULTILINE)


def fill_folder(folder: Path, name: str, language: Language) -> None:
    """Writes the files of a new bot."""
    root = repository()
    for path in example_files(language):
        _copy(root / path, folder / Path(path).relative_to("sdk", language.example))
    for path in sdk_files(language, root):
        _copy(root / path, folder / VENDORED_SDK / path)
    _customise(folder, name, language)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _customise(folder: Path, name: str, language: Language) -> None:
    manifest = folder / MANIFEST
    manifest.write_text(NAME_LINE.sub(f'name = "{name}"', manifest.read_text()))
    for file, old, new in language.changes:
        path = folder / file
        path.write_text(path.read_text().replace(old, new.format(name=name)))
    texts = {
        "README.md": _readme(name, language),
        "Makefile": _makefile(folder, language),
        ".gitignore": _lines((*language.built, DATA)),
    }
    for file, text in texts.items():
        (folder / file).write_text(text)


def _readme(name: str, language: Language) -> str:
    return _filled(
        "README.txt",
        name=name,
        title=language.title,
        needs=language.needs,
        source=language.files[0],
        method=language.method,
        readme=f"{VENDORED_SDK}/sdk/{language.sdk[0]}",
        offline=language.offline,
    )


def _makefile(folder: Path, language: Language) -> str:
    """Builds with the manifest's own command, exactly as a server will."""
    build = tomllib.loads((folder / MANIFEST).read_text()).get("build")
    text = _filled(
        "Makefile.txt",
        vendored=f" {language.vendored}" if language.vendor else "",
        build=shlex.join(build) if build else "@echo There is nothing to build.",
    )
    if not language.vendor:
        return text.replace(" vendor", "")
    fetch = _lines(f"\t{command}" for command in language.vendor)
    return (
        f"{text}\n# Needs the network once; afterwards this folder has everything a build needs.\n"
        f"{language.vendored}:\n{fetch}\nvendor:\n"
        f"\trm -f {language.vendored}\n\t$(MAKE) {language.vendored}\n"
    )


def _filled(template: str, **values: str) -> str:
    return Template((HERE / "templates" / template).read_text()).substitute(values)


def _lines(texts: Iterable[str]) -> str:
    return "".join(f"{text}\n" for text in texts)
