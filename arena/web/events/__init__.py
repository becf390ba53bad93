"""Server-sent events: each topic is polled once a second, however many visitors watch it."""

from arena.web.events.competition_topics import competition_look, matches_look
from arena.web.events.streams import StreamBounds, StreamRefused, Streams, streams_of
from arena.web.events.topic import Look, State

__all__ = [
    "Look",
    "State",
    "StreamBounds",
    "StreamRefused",
    "Streams",
    "competition_look",
    "matches_look",
    "streams_of",
]
