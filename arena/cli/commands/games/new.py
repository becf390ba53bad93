"""`arena games new`: creates the package of a new game, which is `sample_games/highest_card` under
another name."""

from __future__ import annotations

import keyword
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.new_folder import new_folder
from arena.cli.output import JsonOption, print_json, stdout
from arena.errors import ArenaError, Exit, Kind
from arena.repository import repository
from sevens_games import slugs

SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
MOST_LETTERS = 40
SAMPLE = "highest-card"


def new(
    name: Annotated[
        str, typer.Argument(metavar="GAME", help="Slug of the game, and name of its folder.")
    ],
    as_json: JsonOption = False,
) -> int:
    """Create a package with a small game that can be played at once, to be changed into yours.

    Examples:
        arena games new my-game
    """
    _check_name(name)
    with new_folder(name) as folder:
        _fill_folder(folder, name)
    if as_json:
        print_json({"game": name, "folder": str(Path(name).resolve())})
    else:
        _print_next_steps(name)
    return Exit.DONE


def _check_name(name: str) -> None:
    """The module has the game's name, so it must be one that Python can import."""
    if not SLUG.fullmatch(name) or len(name) > MOST_LETTERS:
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{name!r} cannot be a game's slug: use at most {MOST_LETTERS} lower-case letters,"
            " digits and single hyphens, beginning with a letter, such as my-game.",
            "name",
        )
    if name in slugs():
        raise ArenaError(
            Kind.WRONG_INPUT, f"There is a game {name} already; choose another name.", "name"
        )
    if _is_taken(name):
        raise ArenaError(
            Kind.WRONG_INPUT,
            f"{_module(name)} means something else in Python or in the new module; choose another"
            f" name, such as my-{name}.",
            "name",
        )


def _is_taken(name: str) -> bool:
    """True if Python or the sample's own code means something else by the name."""
    sample_names = {_class(SAMPLE), _constant(SAMPLE)}
    words = {word for path in _files(_sample()) for word in re.findall(r"\w+", path.read_text())}
    return (
        keyword.iskeyword(_module(name))
        or find_spec(_module(name)) is not None
        or not words.isdisjoint({_class(name), _constant(name)} - sample_names)
    )


def _sample() -> Path:
    return repository() / "sample_games" / _module(SAMPLE)


def _fill_folder(folder: Path, name: str) -> None:
    sample = _sample()
    for source in _files(sample):
        target = folder / _renamed(str(source.relative_to(sample)), name)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_renamed(source.read_text(), name))


def _files(sample: Path) -> list[Path]:
    return [
        path
        for pattern in ("*.py", "*.toml", "README.md")
        for path in sorted(sample.rglob(pattern))
    ]


def _renamed(text: str, name: str) -> str:
    """Returns the text with the new game's name, in each of the ways to write it."""
    for joined in (_slug, _module, _class, _constant, _title):
        text = text.replace(joined(SAMPLE), joined(name))
    return text


def _slug(name: str) -> str:
    return name


def _module(name: str) -> str:
    return name.replace("-", "_")


def _constant(name: str) -> str:
    return _module(name).upper()


def _title(name: str) -> str:
    return " ".join(word.capitalize() for word in name.split("-"))


def _class(name: str) -> str:
    return _title(name).replace(" ", "")


def _print_next_steps(name: str) -> None:
    stdout.print(f"{name}/ is the package of a game. Next:")
    stdout.print(f"    pip install --editable {name}   # in the environment of the arena")
    stdout.print(f"    arena games show {name}")
    stdout.print(f"    arena play {name} {name}/bot builtin:random -n 20")
    stdout.print(f"Then change {name}/{_module(name)}.py; {name}/README.md explains how.")
