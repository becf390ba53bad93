"""Files by which the kernel tells what the whole machine does. Bots see none of them, since from
counters of everybody each could learn what another does."""

from pathlib import Path

# What is the bot's own in /proc, what runtimes read there, and what never changes: each mount that
# hides something takes 50 µs at the start of a bot.
SHOWN = frozenset(
    (
        *("self", "thread-self", "net", "mounts"),
        *("cpuinfo", "meminfo", "version", "filesystems"),
        *("config.gz", "consoles", "devices", "dma", "execdomains", "iomem", "ioports", "misc"),
    )
)
# Where a program in a container finds its limits.
OWN_LIMITS = Path("/sys/fs/cgroup")


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
