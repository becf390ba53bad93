"""Drops what is not to be kept of old matches, again and again."""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy.exc import OperationalError

from arena.disk import DiskFull
from arena.league import Retention, prune
from arena.store.session import Store

log = logging.getLogger(__name__)

LOOK_EVERY_S = 3600.0


async def keep_pruning(store: Store, retention: Retention) -> None:
    """Prunes until cancelled."""
    while True:
        try:
            pruned = await asyncio.to_thread(prune, store, retention)
        except (DiskFull, OperationalError) as failure:  # a lock held too long, say; it may pass
            log.warning("nothing more is pruned for now: %s", failure)
        else:
            if pruned.records or pruned.logs:
                log.info("pruned %d records and %d private logs", pruned.records, pruned.logs)
        await asyncio.sleep(LOOK_EVERY_S)
