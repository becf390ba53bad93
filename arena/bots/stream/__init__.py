"""The gRPC stream between the arena and a bot, its server, and the channels of seats on it."""

from arena.bots.stream.allowance import Allowance
from arena.bots.stream.bot_frame import ProtocolError
from arena.bots.stream.connection import FAREWELL_S, LEFT, Connection
from arena.bots.stream.flood import (
    BusyThreads,
    FloodWatch,
    full_files,
    open_files,
    socket_of,
)
from arena.bots.stream.gateway import (
    SOCKET,
    TRANSPORT_LIMIT_BYTES,
    Gateway,
    check_protocol,
    read_hello,
    welcome,
)
from arena.bots.stream.stream_channel import ChannelOwner, StreamChannel, deliver, refusal_of_game

__all__ = [
    "FAREWELL_S",
    "LEFT",
    "SOCKET",
    "TRANSPORT_LIMIT_BYTES",
    "Allowance",
    "BusyThreads",
    "ChannelOwner",
    "Connection",
    "FloodWatch",
    "Gateway",
    "ProtocolError",
    "StreamChannel",
    "check_protocol",
    "deliver",
    "full_files",
    "open_files",
    "read_hello",
    "refusal_of_game",
    "socket_of",
    "welcome",
]
