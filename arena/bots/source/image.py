"""A bot that is a container image: `image:REF`, or `image:` and the path of an archive."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.bots.source.manifest import Limits, Slug

# What a folder holds in which the arena keeps a version that is an image.
ABOUT = "image.json"
ARCHIVE = "image.tar"
ABOUT_LIMIT_BYTES = 64 * 1024


class UnusableImage(Exception):
    """An image that is not there, or that cannot be a bot's. Its text is a sentence."""


class EngineTrouble(Exception):
    """There is no engine, or it does not do what it should. Its text is a sentence."""


class About(BaseModel):
    """What is told of a bot that is an image. `image`: its id. `reference`: what it was called."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Slug
    image: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
    reference: str


@dataclass(frozen=True)
class Image:
    """A bot that is an image. `version`: its id, which is a digest of all it consists of.
    `reference`: what it was called. `archive`: where its own copy lies, if it has one."""

    name: str
    version: str
    reference: str
    archive: Path | None = None
    games: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def id(self) -> str:
        """What the engine calls it."""
        return f"sha256:{self.version}"

    @property
    def about(self) -> About:
        """What is told of it."""
        return About(name=self.name, image=self.id, reference=self.reference)

    def keep_in(self, folder: Path) -> None:
        """Writes what is needed to find the image again."""
        (folder / ABOUT).write_text(self.about.model_dump_json())
        if self.archive is not None:
            shutil.copyfile(self.archive, folder / ARCHIVE)


def kept_image(folder: Path) -> Image:
    """Returns the bot that `keep_in` has written there. Raises UnusableImage."""
    about = _read_about(folder / ABOUT)
    archive = folder / ARCHIVE
    return Image(
        name=about.name,
        version=_version(about.image),
        reference=about.reference,
        archive=archive if archive.is_file() else None,
    )


def image_of(reference: str) -> Image:
    """Returns the bot of a reference: an image that the engine has, or an archive that it is given.
    Raises UnusableImage and EngineTrouble."""
    # Most bots are processes, and the engine's client takes a while to import.
    from arena.bots.container.engine import find_image, load_image

    path = Path(reference)
    if path.is_file():
        found = load_image(path)
        return Image(_name(path.name), _version(found.id), reference, path.resolve())
    found = find_image(reference)
    return Image(_name(reference), _version(found.id), reference)


def known_image(image: Image) -> str:
    """Makes sure that the engine has the image; returns its id. Raises UnusableImage and
    EngineTrouble."""
    from arena.bots.container.engine import find_image, load_image

    try:
        find_image(image.id)
    except UnusableImage:
        if image.archive is None:
            raise UnusableImage(
                f"The engine does not have the image {image.reference} ({image.id}): load it there"
                " with `docker load`, or enter the bot as an archive, image:PATH."
            ) from None
        # The engine works out the id from all that the image consists of.
        found = load_image(image.archive)
        if found.id != image.id:
            raise UnusableImage(
                f"The archive of the image {image.reference} holds {found.id}, not {image.id}; it"
                " was damaged, or this engine names images otherwise than the one it came from."
            ) from None
    return image.id


def _read_about(path: Path) -> About:
    try:
        if path.stat().st_size > ABOUT_LIMIT_BYTES:
            raise UnusableImage(f"{path} is larger than {ABOUT_LIMIT_BYTES >> 10} KiB.")
        return About.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as mistake:
        raise UnusableImage(f"{path} does not tell of an image: {mistake}") from None


def _name(reference: str) -> str:
    """What a bot is called: `bots/mine:3` is `mine`, and so is `mine.tar.gz`."""
    last = reference.rpartition("/")[2].partition("@")[0].partition(":")[0].partition(".")[0]
    return re.sub("[^a-z0-9]+", "-", last.lower()).strip("-")[:40] or "bot"


def _version(image_id: str | None) -> str:
    return str(image_id).removeprefix("sha256:")
