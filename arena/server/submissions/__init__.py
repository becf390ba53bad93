"""Submissions: from an uploaded archive to a version on a ladder."""

from arena.server.submissions.eligibility import check_ladder, check_not_suspended, check_quotas
from arena.server.submissions.staging import sweep
from arena.server.submissions.submit import Enter, Submissions
from arena.server.submissions.trial import Trials

__all__ = [
    "Enter",
    "Submissions",
    "Trials",
    "check_ladder",
    "check_not_suspended",
    "check_quotas",
    "sweep",
]
