"""Versions that are suspended from a ladder, as they are shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena.cli.options import hint
from arena.league.suspensions import LAST_MATCHES
from sevens.league.v1.ladder_pb2 import ReadLadderResponse
from sevens.league.v1.match_pb2 import Fault


def suspensions(found: ReadLadderResponse) -> list[Fault]:
    """For each suspended version, by bot and number, the fault that was one too many."""
    suspended = [one.suspended_for for one in found.standings if one.HasField("suspended_for")]
    return sorted(suspended, key=lambda fault: (fault.bot, fault.number))


def suspension_words(fault: Fault, quota: int, data: Path, server: str) -> str:
    """Why a version is suspended, and what to type about it; `fault` is the one too many."""
    where = f"at decision {fault.decision}" if fault.decision else "before its first decision"
    readmit = f"arena bot readmit {fault.bot} {fault.number} --ladder {fault.ladder}"
    read_why = f"arena log {fault.match} --mine"
    return (
        f"\n{fault.bot} version {fault.number} is suspended: more than {quota} of its"
        f" last {LAST_MATCHES} matches ended in a fault of it. The last one, {where} of match"
        f" {fault.match}: {fault.kind}. {fault.sentence}\n"
        f"  why: {hint(read_why, data, server)}\n"
        f"  let it play again: {hint(readmit, data, server)}"
    )


def suspension_row(fault: Fault) -> dict[str, Any]:
    return {
        "bot": fault.bot,
        "version": fault.version,
        "number": fault.number,
        "match": fault.match,
        "seat": fault.seat,
        "fault": {"kind": fault.kind, "decision": fault.decision, "sentence": fault.sentence},
    }
