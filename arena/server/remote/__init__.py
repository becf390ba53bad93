"""Remote bots: registration, presence, and the relay to workers."""

from arena.server.remote.presence import PresenceRecorder
from arena.server.remote.registration import Registrations, TokenCheck
from arena.server.remote.relay import CALLS, RelayService

__all__ = [
    "CALLS",
    "PresenceRecorder",
    "Registrations",
    "RelayService",
    "TokenCheck",
]
