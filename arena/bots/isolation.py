"""The ways to isolate bots from the rest of the machine."""

from enum import StrEnum


class Isolation(StrEnum):
    """The values of `--sandbox`."""

    BUBBLEWRAP = "bubblewrap"
    NONE = "none"
