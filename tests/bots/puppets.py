"""The scripted bots, and how tests make and start them."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from arena.bots.host import Bot
from arena.bots.source import Program

SCRIPTED = Path(__file__).parent / "scripted"

MakePuppet = Callable[..., Program]
StartPuppet = Callable[..., Awaitable[Bot]]
