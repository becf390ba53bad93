"""The server: takes bots from strangers, puts them on trial and enters them into ladders."""

from arena.server.auth import ACTING, LOCAL_CALLER, SCHEME, Caller
from arena.server.download import Downloads
from arena.server.file_work import FileWork
from arena.server.grpc_server import Certificate, Services, listening
from arena.server.limits import Quotas, ServerLimits
from arena.server.messages import (
    COMPARISON_STATES,
    ENTRY_STATES,
    FORMATS,
    LADDER_STATES,
    PARTNERS,
    ROLES,
    STANDING_STATES,
    STATES,
    TOURNAMENT_STATES,
)
from arena.server.requests import check_texts
from arena.server.service import LeagueService

__all__ = [
    "ACTING",
    "COMPARISON_STATES",
    "ENTRY_STATES",
    "FORMATS",
    "LADDER_STATES",
    "LOCAL_CALLER",
    "PARTNERS",
    "ROLES",
    "SCHEME",
    "STANDING_STATES",
    "STATES",
    "TOURNAMENT_STATES",
    "Caller",
    "Certificate",
    "Downloads",
    "FileWork",
    "LeagueService",
    "Quotas",
    "ServerLimits",
    "Services",
    "check_texts",
    "listening",
]
