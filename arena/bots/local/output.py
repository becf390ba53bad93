"""The last part of what a bot wrote to its stdout and stderr."""

from __future__ import annotations

import asyncio

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
QUOTED_LINES = 12
QUOTED_CHARACTERS = 1500


class Output:
    """Keeps the last 64 KiB. `written`: the number of bytes received in all."""

    def __init__(self) -> None:
        self.written = 0
        self._kept = bytearray()

    def add(self, data: bytes) -> None:
        self.written += len(data)
        self._kept += data
        del self._kept[:-OUTPUT_LIMIT_BYTES]

    async def follow(self, stream: asyncio.StreamReader) -> None:
        """Adds everything from a stream, until its end."""
        while data := await stream.read(CHUNK_BYTES):
            self.add(data)
            await asyncio.sleep(PAUSE_S)

    def since(self, position: int) -> str:
        """Returns the output after its first `position` bytes, as far as it was kept."""
        lost = self.written - len(self._kept) - position
        text = self._kept[max(0, -lost) :].decode(errors="replace")
        return f"[{lost:,} bytes before this were not kept]\n{text}" if lost > 0 else text

    def last_line(self) -> str:
        """Returns the last line that is not empty, cut to some hundred characters; empty if there
        is none."""
        lines = self._kept[-QUOTED_CHARACTERS:].decode(errors="replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    def quote(self, position: int) -> str:
        """Returns the last lines of that output, to append to a sentence; empty if there are
        none."""
        text = self.since(position)[-QUOTED_CHARACTERS:].strip()
        lines = "\n".join(text.splitlines()[-QUOTED_LINES:])
        return f" Its last output:\n{lines}" if lines else ""
