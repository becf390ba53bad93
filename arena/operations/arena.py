"""The arena itself, and the search through everything in it that has a name."""

from __future__ import annotations

from arena import __version__
from arena.operations.operation import AnyText, Reading, reads
from arena.views import search as found_by_name
from arena.views.arena import ArenaView, software_of
from arena.views.search import Found


@reads("/")
def read_arena(asked: Reading) -> ArenaView:
    """The version of the arena, where it listens by gRPC for bots and workers, and the software
    that bots find there."""
    holder = asked.folder.holder()
    return ArenaView(
        version=__version__,
        grpc=holder.grpc if holder is not None else "",
        software=software_of(holder),
    )


@reads("/search")
def search(asked: Reading, q: AnyText = "") -> Found:
    """Bots, owners, competitions, games and matches with this text in their names."""
    return found_by_name.search(asked.session, q)
