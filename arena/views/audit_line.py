"""The audit log: who changed what, and when."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import Session

from arena.store import schema
from arena.store.schema import Role
from arena.views.view import Moment, View


class AuditLine(View):
    """A change that was asked for.

    `caller`: the name in which they acted; empty for those who may enter the data folder, and for
      visitors, whose role is reader.
    `operation`: its name, as in the list of operations. `arguments`: those that differ from their
      defaults, without secrets.
    `outcome`: done, or the sentence with which it was refused; empty if it is going on, or the
      arena ended meanwhile.
    """

    number: int
    at: Moment
    caller: str
    role: Role
    operation: str
    arguments: dict[str, Any]
    outcome: str

    @property
    def who(self) -> str:
        """The caller, for people."""
        nameless = "(data folder)" if self.role is Role.ORGANISER else "(visitor)"
        return self.caller or nameless

    @property
    def what(self) -> str:
        """The operation with its arguments, in a line."""
        given = ", ".join(
            f"{name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
            for name, value in self.arguments.items()
        )
        return f"{self.operation} ({given})" if given else self.operation


class AuditLines(View):
    """Some lines, the latest first. `next`: the value of `after` for the next page; None at the
    end."""

    lines: tuple[AuditLine, ...]
    next: int | None


def audit_lines(
    session: Session,
    *,
    since: datetime | None = None,
    caller: str = "",
    after: int = 0,
    limit: int = 50,
) -> AuditLines:
    """Returns lines, the latest first: since a moment, and of a caller, if given. `after`: the
    `next` of the previous page; 0: the first."""
    row = schema.AuditLine
    query = sa.select(row).order_by(row.number.desc()).limit(limit + 1)
    if since is not None:
        query = query.where(row.at >= since)
    if caller:
        query = query.where(row.caller == caller)
    if after:
        query = query.where(row.number < after)
    found = session.scalars(query).all()
    page = tuple(map(AuditLine.model_validate, found[:limit]))
    return AuditLines(lines=page, next=page[-1].number if len(found) > limit else None)
