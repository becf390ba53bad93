"""The last part of what a bot wrote to its stdout and stderr."""

from __future__ import annotations

import asyncio
from pathlib import Path

from arena.bots.interface import ArenaFailure
from arena.bots.local.crash_report import begin_of_report, excerpt

OUTPUT_LIMIT_BYTES = 64 * 1024
# The output of a bot that writes as fast as it can is read one pipe-sized chunk per pause, which
# leaves the event loop time for others. A write to the full pipe blocks the bot, on its own time.
# During a pause asyncio reads on, however little there is each time, until it has twice
# GATHER_BYTES.
CHUNK_BYTES = 64 * 1024
GATHER_BYTES = 64
PAUSE_S = 0.01
# The time to wait for the rest of the output after the end of the program.
REST_WITHIN_S = 0.5
QUOTED_LINES = 16
QUOTED_BYTES = 1800  # with the marks of gaps, less than a bot's words may have
# The part of a crash report that is stored if more output than the limit follows it.
REPORT_BYTES = 2048
NOTICE_BYTES = 100


class Output:
    """Keeps the last 64 KiB, and of the last report of a crash before them the beginning.

    `written`: the number of bytes received in all.
    """

    def __init__(self) -> None:
        self.written = 0
        self._kept = bytearray()
        self._report = b""
        self._report_at = 0  # after that many bytes

    def add(self, data: bytes) -> None:
        self.written += len(data)
        self._kept += data
        if (excess := len(self._kept) - OUTPUT_LIMIT_BYTES) > 0:
            self._keep_report(excess)
            del self._kept[:excess]

    def _keep_report(self, excess: int) -> None:
        """Keeps the beginning of the report of a crash in the first `excess` bytes."""
        begin = begin_of_report(self._kept, excess)
        if begin >= 0:
            self._report = bytes(self._kept[begin : begin + REPORT_BYTES])
            self._report_at = self.written - len(self._kept) + begin

    async def follow(self, stream: asyncio.StreamReader) -> None:
        """Adds everything from a stream, until its end."""
        while data := await stream.read(CHUNK_BYTES):
            self.add(data)
            await asyncio.sleep(PAUSE_S)

    def since(self, position: int) -> str:
        """Returns the output after its first `position` bytes, as far as it was kept."""
        lost = self.written - len(self._kept) - position
        if lost <= 0:
            return self._kept[-lost:].decode(errors="replace")
        report, kept = b"", self._kept
        if self._report and self._report_at >= position:
            # All together must not be longer than the limit.
            report, kept = self._report + b"\n", kept[len(self._report) + NOTICE_BYTES :]
        missing = self.written - position - len(kept) - len(report.rstrip(b"\n"))
        notice = f"[{missing:,} bytes before this were not kept]\n".encode()
        return (report + notice + kept).decode(errors="replace")

    def last_line(self) -> str:
        """Returns the last line that is not empty, cut to some hundred characters; empty if there
        is none."""
        lines = self._kept[-QUOTED_BYTES:].decode(errors="replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    def save(self, file: Path) -> None:
        """Writes the kept output to a file, if there is any. Raises ArenaFailure."""
        if not self.written:
            return
        try:
            file.write_text(self.since(0), encoding="utf-8")
        except OSError as error:
            raise ArenaFailure(f"The output of a bot cannot be saved: {error}.") from None

    def quote(self, position: int) -> str:
        """Returns the last lines of that output, to append to a sentence; empty if there are
        none."""
        lines = excerpt(self.since(position), QUOTED_LINES, QUOTED_BYTES)
        return f" Its last output:\n{lines}" if lines else ""
