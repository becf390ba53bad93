"""The output of a bot does not keep the event loop busy, however it is written."""

from __future__ import annotations

import asyncio
import os

from arena.bots.local.captured_output import GATHER_BYTES, OUTPUT_LIMIT_BYTES, Output


class Counted(asyncio.StreamReaderProtocol):
    """Counts the reads of a pipe."""

    reads = 0

    def data_received(self, data: bytes) -> None:
        self.reads += 1
        super().data_received(data)


async def test_output_byte_by_byte_is_read_in_few_pieces() -> None:
    output, (read, write) = Output(), os.pipe()
    reader = asyncio.StreamReader(limit=GATHER_BYTES)
    counted = Counted(reader)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: counted, os.fdopen(read, "rb", 0))
    following = asyncio.create_task(output.follow(reader))
    for _ in range(20_000):
        os.write(write, b"x")
        await asyncio.sleep(0)
    os.close(write)
    await following
    transport.close()
    assert output.written == 20_000
    assert output.since(0) == "x" * min(20_000, OUTPUT_LIMIT_BYTES)
    assert counted.reads < 10_000
