"""The sources of bots: files with a manifest, archives of them, container images."""

from arena.bots.source.archive import (
    PACKED_LIMIT_BYTES,
    UNPACKED_LIMIT_BYTES,
    ArchiveError,
    pack,
    pack_to_submit,
    unpack,
)
from arena.bots.source.files import (
    BYTES_LIMIT,
    ContentError,
    Entry,
    digest,
    file_entry,
    list_content,
)
from arena.bots.source.image import (
    IMAGE_ARCHIVE,
    IMAGE_METADATA,
    METADATA_LIMIT_BYTES,
    EngineTrouble,
    Image,
    UnusableImage,
    kept_image,
    version_of,
)
from arena.bots.source.manifest import (
    MANIFEST,
    SLUG_PATTERN,
    Limits,
    Manifest,
    ManifestError,
    in_sentences,
    read_manifest,
)
from arena.bots.source.program import Builtin, Program, Runnable, Source

__all__ = [
    "BYTES_LIMIT",
    "IMAGE_ARCHIVE",
    "IMAGE_METADATA",
    "MANIFEST",
    "METADATA_LIMIT_BYTES",
    "PACKED_LIMIT_BYTES",
    "SLUG_PATTERN",
    "UNPACKED_LIMIT_BYTES",
    "ArchiveError",
    "Builtin",
    "ContentError",
    "EngineTrouble",
    "Entry",
    "Image",
    "Limits",
    "Manifest",
    "ManifestError",
    "Program",
    "Runnable",
    "Source",
    "UnusableImage",
    "digest",
    "file_entry",
    "in_sentences",
    "kept_image",
    "list_content",
    "pack",
    "pack_to_submit",
    "read_manifest",
    "unpack",
    "version_of",
]
