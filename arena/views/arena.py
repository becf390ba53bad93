"""The arena itself."""

from __future__ import annotations

from arena.views.view import View


class ArenaView(View):
    """An arena.

    `grpc`: where it listens for submissions, remote bots and workers, as HOST:PORT, with https://
      before it if it requires TLS; without a host if that is the host of the pages; empty while it
      is not running.
    """

    version: str
    grpc: str
