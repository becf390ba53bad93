"""The server: takes bots from strangers, puts them on trial and enters them into ladders."""

from arena.server.download import Downloads
from arena.server.file_work import FileWork
from arena.server.grpc_server import Services, listening
from arena.server.limits import Quotas, ServerLimits
from arena.server.service import LeagueService

__all__ = [
    "Downloads",
    "FileWork",
    "LeagueService",
    "Quotas",
    "ServerLimits",
    "Services",
    "listening",
]
