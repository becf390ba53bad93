"""The competition of a match, in tables and documents."""

from __future__ import annotations

from sevens.league.v1.match_pb2 import Fault, Match


def competition_of(played: Match | Fault) -> str:
    """Returns the name of the ladder, tournament or comparison."""
    return "".join(competition_document(played).values())


def competition_document(played: Match | Fault) -> dict[str, str]:
    """Returns its name under its kind, as `{"ladder": "main"}`."""
    kind = played.WhichOneof("competition")
    return {} if kind is None else {kind: getattr(played, kind)}
