"""Bots that are container images.

Import this package only where it is needed: the engine's client takes a while to import.
"""

from arena.bots.container.engine import RUNTIME_VARIABLE, engine_version, image_of
from arena.bots.container.runner import Containers

__all__ = ["RUNTIME_VARIABLE", "Containers", "engine_version", "image_of"]
