"""The files that each process of a bot gets for itself: a copy of the bot's own, and devices."""

from __future__ import annotations

import tempfile
from pathlib import Path

from arena.bots.interface import ArenaFailure
from arena.bots.sandbox.kernel_files import OwnDevices
from arena.bots.sockets import private_folder
from arena.bots.source import ContentError, Program, copy_files, try_to_remove


class ProcessFiles:
    """The files that one process of a bot sees, in a folder of their own. The kernel stores with a
    file some of what its readers do, so two processes with the same file could communicate by it.

    `folder`: the copy. It is in the folder for temporary files (TMPDIR), since it may be large.
    `devices`: a folder of devices.
    """

    def __init__(self, program: Program) -> None:
        """Raises ArenaFailure."""
        self._program = program
        self._place = private_folder(Path(tempfile.gettempdir()))
        self.folder = self._place / "bot"
        self._devices = OwnDevices()
        self.devices = self._devices.folder

    def lay_out(self) -> None:
        """Creates a new copy, and new devices. Raises ArenaFailure."""
        try:
            self._place.mkdir(mode=0o700, exist_ok=True)
            entries = self._program.content()
            copy_files(entries, self.folder)
            # The bot may be another user than the arena, whatever the arena's umask.
            for inside in {parent for entry in entries for parent in Path(entry.name).parents}:
                (self.folder / inside).chmod(0o755)
            self._devices.lay_out()
        except (OSError, ContentError) as problem:
            self.remove()
            raise ArenaFailure(f"The files of a bot cannot be copied: {problem}.") from problem

    def remove(self) -> None:
        """Removes the copy and the devices; harmless if there are none."""
        try_to_remove(self._place)
        self._devices.remove()
