"""How near an order by ratings is to the true one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np


def kendall_tau(found: Sequence[float], true: Sequence[float]) -> float:
    """Returns Kendall's tau of two rankings without ties: the share of pairs in the right order
    minus that of pairs in the wrong one."""
    pairs = np.triu_indices(len(true), 1)
    by_found, by_true = (np.sign(np.subtract.outer(x, x))[pairs] for x in (found, true))
    return float(np.mean(by_found * by_true))


def place(version: str, skills: Mapping[str, float]) -> int:
    """Returns the place of a version; 1 is best."""
    return 1 + sum(skill > skills[version] for skill in skills.values())
