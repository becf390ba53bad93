"""The kernel's files as bots see them.

Bots have devices of their own if the arena may create some, else the machine's. They see nothing in
/proc and /sys that describes the whole machine: from its counters one bot could learn what another
does.
"""

from __future__ import annotations

import os
import stat
from functools import cache
from itertools import count
from pathlib import Path

from arena.bots.interface import ArenaFailure
from arena.bots.sockets import private_folder
from arena.bots.source import try_to_remove

# Those that are everybody's, by name the minor numbers of Linux's devices.txt; the major one is 1.
# No terminals, whose numbers two bots could count.
DEVICES = {"null": 3, "zero": 5, "full": 7, "random": 8, "urandom": 9}
OF_THE_MACHINE = Path("/dev")
FOR_EVERYBODY = 0o666
TRIAL = "trial"
# Where private folders usually are, devices often cannot be opened (`nodev`).
PARENTS = (None, Path("/var/tmp"))
# In /proc: the bot's own files, those that runtimes read, and those that never change. The rest is
# hidden, by mounts that take 50 µs each at the start of a bot.
SHOWN = frozenset(
    (
        *("self", "thread-self", "net", "mounts"),
        *("cpuinfo", "meminfo", "version", "filesystems"),
        *("config.gz", "consoles", "devices", "dma", "execdomains", "iomem", "ioports", "misc"),
    )
)
# The folder in which a program in a container finds its limits.
OWN_LIMITS = Path("/sys/fs/cgroup")


class OwnDevices:
    """The devices that one process of a bot, or one build, sees. Two processes that could open the
    same one for writing could communicate by locking it, and a build may change its mode and times.

    `folder`: a folder of them; the machine's if the arena may not create any.
    """

    _numbers = count()

    def __init__(self) -> None:
        """Raises ArenaFailure."""
        home = _home()
        self._own = home is not None
        self.folder = home / str(next(self._numbers)) if home else OF_THE_MACHINE

    def lay_out(self) -> None:
        """Creates them. Raises ArenaFailure."""
        if self._own:
            try:
                _create(self.folder)
            except OSError as problem:
                raise ArenaFailure(f"Devices cannot be created: {problem}.") from problem

    def remove(self) -> None:
        """Removes them; harmless if there are none."""
        if self._own:
            try_to_remove(self.folder)


def trial_devices() -> Path:
    """Returns a folder of devices to try the sandbox with. Raises ArenaFailure."""
    home = _home()
    return home / TRIAL if home else OF_THE_MACHINE


def hidden_in_proc() -> list[Path]:
    """Returns everything in /proc that bots do not see, except processes."""
    return sorted(
        path
        for path in Path("/proc").iterdir()
        if not path.name.isdigit() and path.name not in SHOWN
    )


def hidden_in_sys() -> list[Path]:
    """Returns everything in /sys that containers do not see; sandboxes have no /sys."""
    around = OWN_LIMITS.parent
    places = (*Path("/sys").iterdir(), *around.iterdir())
    return sorted(path for path in places if path not in (around, OWN_LIMITS))


@cache
def _home() -> Path | None:
    """Returns a private folder where devices can be created and opened, with a trial's; None if
    the arena may not create any."""
    for parent in PARENTS:
        try:
            home = private_folder(parent)
        except OSError:
            continue
        try:
            _create(home / TRIAL)
            (home / TRIAL / "null").open("rb").close()
        except OSError:  # not root, in a container without that privilege, or `nodev`
            try_to_remove(home)
        else:
            return home
    return None


def _create(folder: Path) -> None:
    folder.mkdir(mode=0o755)
    for name, minor in DEVICES.items():
        device = folder / name
        os.mknod(device, stat.S_IFCHR, os.makedev(1, minor))
        device.chmod(FOR_EVERYBODY)  # whatever the arena's umask
