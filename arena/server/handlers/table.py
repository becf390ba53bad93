"""The methods of `LeagueService` that take one request and return one response.

The gRPC service and an arena that is not running answer from this table alike.
"""

from __future__ import annotations

from collections.abc import Mapping

from arena.server.handlers.bots import delete_bot, list_versions, readmit_version, retire_version
from arena.server.handlers.call import Method
from arena.server.handlers.comparisons import (
    change_comparison,
    create_comparison,
    list_comparison_groups,
    list_comparisons,
    read_comparison,
)
from arena.server.handlers.ladders import explain_rating, list_ladders, read_history, read_ladder
from arena.server.handlers.matches import list_faults, list_matches, read_match
from arena.server.handlers.tables import sit_down
from arena.server.handlers.tokens import create_token, list_tokens, revoke_token
from arena.server.handlers.tournaments import (
    change_tournament,
    create_tournament,
    enter_tournament,
    leave_tournament,
    list_tournaments,
    read_tournament,
)
from arena.store.schema import Role

ORGANISERS = (Role.ORGANISER,)
CONTESTANTS = (Role.OWNER, Role.ORGANISER)
READERS = (Role.READER, *CONTESTANTS)

METHODS: Mapping[str, Method] = {
    "ListLadders": Method(READERS, list_ladders),
    "ReadLadder": Method(READERS, read_ladder),
    "ReadHistory": Method(READERS, read_history),
    "ExplainRating": Method(READERS, explain_rating),
    "CreateTournament": Method(ORGANISERS, create_tournament, exclusive=True),
    "EnterTournament": Method(CONTESTANTS, enter_tournament, exclusive=True),
    "LeaveTournament": Method(CONTESTANTS, leave_tournament, exclusive=True),
    "ChangeTournament": Method(ORGANISERS, change_tournament, exclusive=True),
    "ListTournaments": Method(READERS, list_tournaments),
    "ReadTournament": Method(READERS, read_tournament),
    "CreateComparison": Method(CONTESTANTS, create_comparison, exclusive=True),
    "ChangeComparison": Method(CONTESTANTS, change_comparison, exclusive=True),
    "ListComparisons": Method(READERS, list_comparisons),
    "ReadComparison": Method(READERS, read_comparison),
    "ListComparisonGroups": Method(READERS, list_comparison_groups),
    "SitDown": Method(CONTESTANTS, sit_down, exclusive=True),
    "ListMatches": Method(READERS, list_matches),
    "ReadMatch": Method(READERS, read_match),
    "ListFaults": Method(READERS, list_faults),
    "ListVersions": Method(READERS, list_versions),
    "RetireVersion": Method(CONTESTANTS, retire_version, exclusive=True),
    "DeleteBot": Method(CONTESTANTS, delete_bot, exclusive=True),
    "ReadmitVersion": Method(ORGANISERS, readmit_version, exclusive=True),
    "CreateToken": Method(ORGANISERS, create_token, exclusive=True),
    "ListTokens": Method(ORGANISERS, list_tokens, exclusive=True),
    "RevokeToken": Method(ORGANISERS, revoke_token, exclusive=True),
}
