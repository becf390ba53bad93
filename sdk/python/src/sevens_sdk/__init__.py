"""The Python SDK for bots of a Sevens Arena. Its README explains how to write a bot."""

from sevens_sdk.bot import BatchBot, Bot, Choice
from sevens_sdk.decision import Decision, Event, FactValue, Observation, Zone
from sevens_sdk.match import Clock, Fault, Match, MatchEnd
from sevens_sdk.run import run
from sevens_sdk.session import VERSION as __version__

__all__ = [
    "BatchBot",
    "Bot",
    "Choice",
    "Clock",
    "Decision",
    "Event",
    "FactValue",
    "Fault",
    "Match",
    "MatchEnd",
    "Observation",
    "Zone",
    "__version__",
    "run",
]
