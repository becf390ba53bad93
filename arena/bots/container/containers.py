"""The containers of one host: how they are started, and that none outlives it."""

from __future__ import annotations

import os
import secrets

from arena.bots.container.engine import LABEL, arena_of, engine, remove_leftovers
from arena.bots.container.runner import ContainerRunner
from arena.bots.interface import MachineFailure
from arena.bots.process.launch import Access
from arena.bots.source.image import EngineTrouble, Image, UnusableImage, known_image
from arena.bots.watchdog import remove_containers
from arena.bots.watchdog.watchdog import Survivor


class Containers:
    """What a host needs for bots that are images, got ready for the first of them."""

    def __init__(self) -> None:
        self._arena = f"{arena_of(os.getpid())}/{secrets.token_hex(4)}"
        self._reaper: Survivor | None = None

    def way_to(self, image: Image, access: Access) -> ContainerRunner:
        """How to run a bot in a container. Waits for the engine. Raises MachineFailure, also if
        this machine's engine lacks the image: another's may have it."""
        try:
            there = engine()
            known = known_image(image)
            if self._reaper is None:
                remove_leftovers()
                words = (there.socket, f"{LABEL}={self._arena}")
                self._reaper = Survivor(remove_containers.__file__, words)
        except (EngineTrouble, UnusableImage) as trouble:
            raise MachineFailure(str(trouble)) from None
        return ContainerRunner(there, self._arena, known, access, image.limits)

    def close(self) -> None:
        """No bot runs any more; what was left half made is removed."""
        if self._reaper is not None:
            self._reaper.let_go()
