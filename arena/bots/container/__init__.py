"""Bots that are container images.

Import this package only where it is needed: the engine's client takes a while to import.
"""

from arena.bots.container.container_runner import Containers
from arena.bots.container.engine_client import RUNTIME_VARIABLE, engine_version, image_of

__all__ = ["RUNTIME_VARIABLE", "Containers", "engine_version", "image_of"]
