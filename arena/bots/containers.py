"""The containers of one host: how they are started, and that none outlives it."""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
import sys

from arena.bots import reaper
from arena.bots.container import ContainerWay
from arena.bots.engine import LABEL, Engine, arena_of, engine, remove_leftovers
from arena.bots.image import EngineTrouble, Image, UnusableImage, known_image
from arena.bots.launch import Access
from arena.bots.line import ArenaFailure


class Containers:
    """What a host needs for bots that are images, got ready for the first of them."""

    def __init__(self) -> None:
        self._arena = f"{arena_of(os.getpid())}/{secrets.token_hex(4)}"
        self._leash: Leash | None = None

    def way_to(self, image: Image, access: Access) -> ContainerWay:
        """How to run a bot in a container. Waits for the engine. Raises ArenaFailure."""
        try:
            there = engine()
            known = known_image(image)
            if self._leash is None:
                remove_leftovers()
                self._leash = Leash(there, self._arena)
        except (EngineTrouble, UnusableImage) as trouble:
            raise ArenaFailure(str(trouble)) from None
        return ContainerWay(there, self._arena, known, access, image.limits)

    def close(self) -> None:
        """No bot runs any more; what was left half made is removed."""
        if self._leash is not None:
            self._leash.let_go()


class Leash:
    """Starts a process that removes an arena's containers when this one is gone."""

    def __init__(self, there: Engine, arena: str) -> None:
        self._ours, theirs = socket.socketpair()
        fd, label = theirs.fileno(), f"{LABEL}={arena}"
        with theirs:
            self._reaper = subprocess.Popen(
                [sys.executable, "-I", "-S", reaper.__file__, str(fd), there.socket, label],
                pass_fds=(fd,),
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    def let_go(self) -> None:
        """Lets it look at once, and waits until it has."""
        with self._ours, self._reaper:
            self._ours.sendall(b".")
