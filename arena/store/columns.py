"""Column types with the same meaning in SQLite and in PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import Enum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect


class Moment(sa.TypeDecorator[datetime]):
    """A moment in UTC. SQLite stores no zone, and PostgreSQL returns its session's."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone.")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


def words(kind: type[Enum]) -> sa.Enum:
    """Returns a column type for one of a few words, stored as text so that a new word needs no
    migration."""

    def values(members: Any) -> list[str]:
        return [member.value for member in members]

    return sa.Enum(kind, native_enum=False, length=16, values_callable=values)
