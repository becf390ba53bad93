"""Questions of the pages at the door of their data folder, answered within a bound."""

from __future__ import annotations

import asyncio

import httpx

from arena.client.address import address_of
from arena.store.data_folder import Holder

ANSWER_WITHIN_S = 3.0


async def answer_at_the_door(holder: Holder, path: str) -> bytes:
    """Returns what the arena that holds the folder answers at a path. Raises httpx.HTTPError, and
    TimeoutError if it gives no answer in time."""
    address = address_of(holder.door)
    transport = httpx.AsyncHTTPTransport(uds=address.socket)
    async with (
        asyncio.timeout(ANSWER_WITHIN_S),
        httpx.AsyncClient(base_url=address.base, transport=transport) as client,
    ):
        answer = await client.get(path)
        return answer.raise_for_status().content
