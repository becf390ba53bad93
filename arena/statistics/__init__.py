"""Is one version of a bot better than another? The statistics alone, without input and output."""

from arena.statistics.certificate import (
    BadCertificate,
    Certificate,
    Group,
    certify,
    read_certificate,
    recompute,
)
from arena.statistics.difference import Scale, SeatResult, Side, group_difference
from arena.statistics.estimate import Estimate
from arena.statistics.evidence import Evidence
from arena.statistics.findings import Findings, caution, find, sentence
from arena.statistics.plan import Mode, Participant, Plan
from arena.statistics.sequential_test import SequentialTest, Verdict
from arena.statistics.start_order import StartOrder
from arena.statistics.terms import Terms

__all__ = [
    "BadCertificate",
    "Certificate",
    "Estimate",
    "Evidence",
    "Findings",
    "Group",
    "Mode",
    "Participant",
    "Plan",
    "Scale",
    "SeatResult",
    "SequentialTest",
    "Side",
    "StartOrder",
    "Terms",
    "Verdict",
    "caution",
    "certify",
    "find",
    "group_difference",
    "read_certificate",
    "recompute",
    "sentence",
]
