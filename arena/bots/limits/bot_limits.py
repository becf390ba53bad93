"""The limits of every bot besides those in its bot.toml, and sentences for bots that break one."""

from arena.bots.source import Limits

CPU_CORES = 1.0
OPEN_FILES = 1024
WRITABLE_BYTES = 16 * 1024 * 1024  # in each of the two writable folders, /tmp and /dev/shm
# The kernel counts threads, of which a Java program has dozens; bot.toml limits processes.
TASKS_PER_PROCESS = 8


def out_of_memory(limits: Limits) -> str:
    """Returns a sentence for a bot of which the kernel killed a process for lack of memory."""
    return f"The bot used up its {limits.memory_mb} MiB of memory (`limits.memory_mb` in bot.toml)."


def too_many_tasks(limits: Limits) -> str:
    """Returns a sentence for a bot that the kernel refused another process or thread."""
    return (
        f"The bot kept starting processes or threads; its limit is {limits.processes}"
        " processes (`limits.processes` in bot.toml)."
    )


def excess(memory_bytes: int, processes: int, limits: Limits) -> str | None:
    """Returns a sentence on the limit that a sampled bot exceeds, or None."""
    mebibytes = memory_bytes >> 20
    if mebibytes > limits.memory_mb:
        return (
            f"The bot used {mebibytes} MiB of memory; its limit is {limits.memory_mb}"
            " (`limits.memory_mb` in bot.toml)."
        )
    if processes > limits.processes:
        return (
            f"The bot had {processes} processes; its limit is {limits.processes}"
            " (`limits.processes` in bot.toml)."
        )
    return None
