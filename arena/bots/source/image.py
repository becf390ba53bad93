"""A bot that is a container image: `image:REF`, or `image:` and the path of an archive."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arena.bots.source.manifest import Limits, Slug
from arena.bots.source.tree import ContentError, open_file

# The files in the folder in which the arena keeps a version that is an image.
IMAGE_METADATA = "image.json"
IMAGE_ARCHIVE = "image.tar"
METADATA_LIMIT_BYTES = 64 * 1024


class UnusableImage(Exception):
    """An image that does not exist, or that cannot be a bot. Its text is a sentence."""


class EngineTrouble(Exception):
    """The container engine is missing or fails. Its text is a sentence."""


class About(BaseModel):
    """The metadata of an image that is a bot.

    `image`: its id.
    `reference`: the name under which it was found.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Slug
    image: Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
    reference: str


@dataclass(frozen=True)
class Image:
    """A bot that is an image.

    `version`: the digest in its id, which covers all of its contents.
    `reference`: the name under which it was found.
    `archive`: the path of the arena's own copy, if it has one.
    """

    name: str
    version: str
    reference: str
    archive: Path | None = None
    games: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)

    @property
    def id(self) -> str:
        """The id by which the engine knows it."""
        return f"sha256:{self.version}"

    @property
    def about(self) -> About:
        """Its metadata."""
        return About(name=self.name, image=self.id, reference=self.reference)

    def keep_in(self, folder: Path) -> None:
        """Writes the metadata, and the archive if there is one, for `kept_image` to read."""
        (folder / IMAGE_METADATA).write_text(self.about.model_dump_json())
        if self.archive is not None:
            shutil.copyfile(self.archive, folder / IMAGE_ARCHIVE)


def kept_image(folder: Path) -> Image:
    """Returns the image that `keep_in` has written to a folder. Raises UnusableImage."""
    about = _read_about(folder / IMAGE_METADATA)
    archive = folder / IMAGE_ARCHIVE
    return Image(
        name=about.name,
        version=version_of(about.image),
        reference=about.reference,
        archive=archive if archive.is_file() else None,
    )


def _read_about(path: Path) -> About:
    try:
        with open_file(path) as file:
            content = file.read(METADATA_LIMIT_BYTES + 1)
        if len(content) > METADATA_LIMIT_BYTES:
            raise UnusableImage(f"{path} is larger than {METADATA_LIMIT_BYTES >> 10} KiB.")
        return About.model_validate_json(content)
    except (OSError, ContentError, ValidationError) as mistake:
        raise UnusableImage(f"{path} does not describe an image: {mistake}") from None


def version_of(image_id: str | None) -> str:
    """Returns the version of the bot whose image has that id."""
    return str(image_id).removeprefix("sha256:")
