"""The audit log: a line for every change that was asked for, written where operations are run.

A line is begun before the change and ended after it, in transactions of its own, so that none is
missing if the arena ends in between. What was refused to others than organisers leaves none: they
could fill the disk with such lines.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from arena.disk import DiskFull
from arena.errors import ArenaError
from arena.operations.caller import Caller
from arena.store.schema import DONE, AuditLine, Role
from arena.store.session import Store

log = logging.getLogger(__name__)

PRIVATE = frozenset({"address", "code"})
"""Arguments that are not noted: the address of a guest is forgotten when the match is over, and the
code of an invitation is a secret. No operation takes the text of a token."""
DEEPEST = 2
LONGEST = 20  # values of a list
LEFT_OUT = "…"


@contextmanager
def audited(
    store: Store, caller: Caller, operation: str, arguments: Mapping[str, Any]
) -> Iterator[None]:
    """Notes the change that is made in the block."""
    with store.writing(durable=False) as session:
        line = begun(session, caller, operation, arguments)
    try:
        yield
    except Exception as failure:
        _end(store, line, caller, _told(failure))
        raise
    _end(store, line, caller, DONE)


def begun(
    session: Session,
    caller: Caller,
    operation: str,
    arguments: Mapping[str, Any],
    outcome: str = "",
) -> AuditLine:
    """Adds a line. `arguments`: as JSON has them. `outcome`: if it is known."""
    noted = {name: _noted(value) for name, value in arguments.items() if name not in PRIVATE}
    line = AuditLine(
        caller=caller.owner,
        role=caller.role,
        operation=operation,
        arguments=noted,
        outcome=outcome,
    )
    session.add(line)
    session.flush()
    return line


def _end(store: Store, line: AuditLine, caller: Caller, outcome: str) -> None:
    """Writes the outcome. The change has been made or refused, so a failure to write is only
    logged."""
    try:
        with store.writing(durable=False) as session:
            row = session.get_one(AuditLine, line.number)
            if outcome == DONE or caller.role is Role.ORGANISER:
                row.outcome = outcome
            else:
                session.delete(row)
    except (DiskFull, OperationalError) as trouble:
        log.error("the audit log lacks the outcome of %s (%s)", line.operation, trouble)


def _told(failure: Exception) -> str:
    if isinstance(failure, ArenaError):
        return failure.sentence
    return f"The arena failed: {type(failure).__name__}."


def _noted(value: Any, depth: int = 0) -> Any:
    """Returns a value without what is nested deeply, such as the manifest of a bot."""
    if isinstance(value, dict):
        if depth == DEEPEST:
            return LEFT_OUT
        return {name: _noted(one, depth + 1) for name, one in value.items()}
    if isinstance(value, list):
        some = [_noted(one, depth + 1) for one in value[:LONGEST]]
        return some if len(value) <= LONGEST else [*some, LEFT_OUT]
    return value
