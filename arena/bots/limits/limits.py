"""What a bot may use beyond what its bot.toml says, and how it is told that it was too much."""

from arena.bots.source.manifest import Limits

CORES = 1.0
OPEN_FILES = 1024
WRITABLE_BYTES = 16 * 1024 * 1024  # each of the two places that can be written to
# The kernel counts threads, of which a Java program has dozens; bots are told of processes.
TASKS_A_PROCESS = 8


def used_up(limits: Limits) -> str:
    """The kernel has ended something of the bot's for want of memory."""
    return f"The bot used up its {limits.memory_mb} MiB of memory (`limits.memory_mb` in bot.toml)."


def forked_on(limits: Limits) -> str:
    """The kernel did not let the bot start another process, or another thread."""
    return (
        f"The bot started ever more processes or threads; its limit is {limits.processes}"
        " processes (`limits.processes` in bot.toml)."
    )
