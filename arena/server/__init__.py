"""The server: takes bots from strangers, puts them on trial and enters them into ladders."""

from arena.server.auth import ACTING
from arena.server.download import Downloads
from arena.server.file_work import FileWork
from arena.server.grpc_server import Services, TlsCertificate, listening
from arena.server.limits import Quotas, ServerLimits
from arena.server.requests import check_texts
from arena.server.service import LeagueService

__all__ = [
    "ACTING",
    "Downloads",
    "FileWork",
    "LeagueService",
    "Quotas",
    "ServerLimits",
    "Services",
    "TlsCertificate",
    "check_texts",
    "listening",
]
