"""Moments in words: for people by the minute, for programs by the millisecond; always UTC."""

from datetime import UTC, datetime


def minute(moment: datetime) -> str:
    """Returns a moment for people: 2026-07-07 07:07 UTC."""
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def rfc3339(moment: datetime) -> str:
    """Returns a moment for programs: 2026-07-07T07:07:07.000Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
