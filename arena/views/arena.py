"""The arena itself."""

from __future__ import annotations

from arena.store.data_folder import Holder
from arena.views.view import View


class Software(View):
    """The software that bots and builds find on a server, besides the system's programs.

    `python`: the version of the Python for bots, such as 3.11. `build`: the tag in the names of
      native modules for it, such as cpython-311-x86_64-linux-gnu.
    `packages`: the versions of the packages in it, by name.
    `runtimes`: the names of the other runtimes.
    """

    python: str
    build: str
    packages: dict[str, str]
    runtimes: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """It in one sentence."""
        packages = ", ".join(f"{name} {version}" for name, version in self.packages.items())
        runtimes = f", and these runtimes: {', '.join(self.runtimes)}" if self.runtimes else ""
        return f"Bots find Python {self.python} ({self.build}) with {packages}{runtimes}."


class ArenaView(View):
    """An arena.

    `grpc`: where it listens for submissions, remote bots and workers, as HOST:PORT, with https://
      before it if it requires TLS; without a host if that is the host of the pages; empty while it
      is not running.
    `software`: what bots find there; None while it is not running.
    """

    version: str
    grpc: str
    software: Software | None = None


def software_of(holder: Holder | None) -> Software | None:
    """Returns what bots find on the arena that holds a data folder."""
    if holder is None or holder.software is None:
        return None
    return Software.model_validate(holder.software)
