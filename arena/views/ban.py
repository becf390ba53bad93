"""Owners who may not take part, or have been deleted."""

from __future__ import annotations

from arena.views.view import Moment, View


class Ban(View):
    """A banned owner, with the reason for everybody."""

    owner: str
    reason: str
    created_at: Moment


class Bans(View):
    """The bans in force, by owner."""

    bans: tuple[Ban, ...]


class BannedOwner(View):
    """An owner who has been banned. `versions`: that have been retired. `tokens`: that have been
    revoked."""

    ban: Ban
    versions: int
    tokens: int


class ReadmittedOwner(View):
    """An owner who may take part again."""

    owner: str


class DeletedOwner(View):
    """An owner of whom nothing is stored any more but what others' records need. `bots`: that have
    been deleted. `tokens`: that have been."""

    owner: str
    bots: int
    tokens: int
