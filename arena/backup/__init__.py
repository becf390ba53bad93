"""Copies of a whole data folder: made while its arena runs, and verified before they are used."""

from arena.backup.contents import Manifest
from arena.backup.create import back_up
from arena.backup.restore import Restored, restore

__all__ = ["Manifest", "Restored", "back_up", "restore"]
