"""`arena play --watch`: plays again whenever a bot's files change."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from arena.bots import find_bot
from arena.bots.source import ContentError, Program
from arena.cli.output import print_error, stderr
from arena.errors import Exit

POLL_S = 0.5
Stamps = list[tuple[str, int, int]]
"""The path, size and time of the last change of each file."""


def play_on_changes(references: Sequence[str], play: Callable[[], int]) -> int:
    """Plays, and again after each change of these bots, until interrupted. Returns the code of the
    last run. Raises UnknownBot, and what the first run raises."""
    sources = [find_bot(reference) for reference in references]
    programs = [source for source in sources if isinstance(source, Program)]
    stamps = _stamps(programs)
    code = play()
    while code != Exit.INTERRUPTED:
        try:
            stderr.print("Waiting for a change of the bots …", style="dim")
            stamps = _next_stamps(programs, stamps)
        except KeyboardInterrupt:
            return code
        code = _play_again(play)
    return code


def _play_again(play: Callable[[], int]) -> int:
    """A mistake that may come from the change is explained, and waits for the next change."""
    from arena.failures import explained  # imports everything that can fail

    try:
        return play()
    except Exception as error:
        failure = explained(error)
        if failure is None:
            raise
        print_error(failure.sentence, failure.field, as_json=False)
        return failure.kind.exit


def _next_stamps(programs: Sequence[Program], before: Stamps) -> Stamps:
    """Waits until the files have changed and no longer change, as builds write for a while."""
    last = before
    while True:
        time.sleep(POLL_S)
        now = _stamps(programs)
        if now and now == last != before:
            return now
        last = now


def _stamps(programs: Sequence[Program]) -> Stamps:
    """Returns nothing while the files cannot be listed, for instance because one is being
    replaced."""
    try:
        return [
            (str(entry.path), entry.size, entry.path.lstat().st_mtime_ns)
            for program in programs
            for entry in program.content()
        ]
    except (OSError, ContentError):
        return []
