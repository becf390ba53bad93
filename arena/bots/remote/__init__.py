"""Bots that dial in from elsewhere, and the way to them from a worker."""

from arena.bots.remote.awaited_bot import AwaitedBot
from arena.bots.remote.callers import Networks, address_of, is_proxy
from arena.bots.remote.relayed_bot import BotAway, Relay
from arena.bots.remote.remote_bot import RECONNECT_GRACE_S, RemoteChannel
from arena.bots.remote.remote_gateway import (
    REMOTE_BOUNDS,
    Admitted,
    NotAdmitted,
    NotNow,
    RemoteBounds,
    RemoteGateway,
)

__all__ = [
    "RECONNECT_GRACE_S",
    "REMOTE_BOUNDS",
    "Admitted",
    "AwaitedBot",
    "BotAway",
    "Networks",
    "NotAdmitted",
    "NotNow",
    "Relay",
    "RemoteBounds",
    "RemoteChannel",
    "RemoteGateway",
    "address_of",
    "is_proxy",
]
