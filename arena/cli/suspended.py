"""Versions that are suspended from a ladder, as they are shown."""

from __future__ import annotations

from typing import Any

from arena.league.quotas import LAST_MATCHES
from arena.store.faults import FaultRow
from arena.store.tables import Ladder


def suspension_words(ladder: Ladder, fault: FaultRow) -> str:
    """Why a version is suspended; `fault` is the one that was too many."""
    where = f"at decision {fault.decision}" if fault.decision else "before its first decision"
    return (
        f"\n{fault.bot} version {fault.number} is suspended: more than {ladder.fault_quota} of its"
        f" last {LAST_MATCHES} matches ended in a fault of it. The last one, {where} of match"
        f" {fault.match}: {fault.kind}. {fault.sentence}\n"
        f"  why: arena log {fault.match} --mine; let it play again: arena bot readmit {fault.bot}"
        f" {fault.number} --ladder {ladder.name}"
    )


def suspension_row(fault: FaultRow) -> dict[str, Any]:
    return {
        "bot": fault.bot,
        "version": fault.version,
        "number": fault.number,
        "match": fault.match,
        "seat": fault.seat,
        "fault": {"kind": fault.kind, "decision": fault.decision, "sentence": fault.sentence},
    }
