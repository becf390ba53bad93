"""The sources of bots: files with a manifest, archives of them, container images."""

from typing import TYPE_CHECKING

from arena.lazy_face import on_demand

if TYPE_CHECKING:
    from arena.bots.source.archive import (
        PACKED_LIMIT_BYTES,
        UNPACKED_LIMIT_BYTES,
        ArchiveError,
        pack,
        pack_to_submit,
        unpack,
        unpack_tar,
    )
    from arena.bots.source.files import (
        BYTES_LIMIT,
        IGNORED,
        Entry,
        copy_files,
        digest,
        file_entry,
        list_content,
    )
    from arena.bots.source.image import (
        IMAGE_ARCHIVE,
        IMAGE_METADATA,
        METADATA_LIMIT_BYTES,
        About,
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
        check_plays,
        in_sentences,
        plays,
        read_manifest,
    )
    from arena.bots.source.native_modules import PythonBuild, about_foreign_modules
    from arena.bots.source.program import Builtin, Program, Runnable, Source, check_scripts
    from arena.bots.source.selection import private_files, remove_unselected
    from arena.bots.source.tree import (
        ContentError,
        leading_out,
        open_file,
        remove_tree,
        temporary_folder,
        try_to_remove,
        walk,
    )

__all__ = [
    "BYTES_LIMIT",
    "IGNORED",
    "IMAGE_ARCHIVE",
    "IMAGE_METADATA",
    "MANIFEST",
    "METADATA_LIMIT_BYTES",
    "PACKED_LIMIT_BYTES",
    "SLUG_PATTERN",
    "UNPACKED_LIMIT_BYTES",
    "About",
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
    "PythonBuild",
    "Runnable",
    "Source",
    "UnusableImage",
    "about_foreign_modules",
    "check_plays",
    "check_scripts",
    "copy_files",
    "digest",
    "file_entry",
    "in_sentences",
    "kept_image",
    "leading_out",
    "list_content",
    "open_file",
    "pack",
    "pack_to_submit",
    "plays",
    "private_files",
    "read_manifest",
    "remove_tree",
    "remove_unselected",
    "temporary_folder",
    "try_to_remove",
    "unpack",
    "unpack_tar",
    "version_of",
    "walk",
]

__getattr__ = on_demand(__name__)
