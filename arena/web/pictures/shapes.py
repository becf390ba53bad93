"""The marks of the suits and the crowns of the courts, as the match page draws them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

MODULE = Path(__file__).parent.with_name("static") / "replay" / "shapes.js"
NAMED = re.compile(r'^  (\w+): "([^"]+)",$', re.MULTILINE)


@cache
def shapes() -> Mapping[str, str]:
    """Returns the outlines in a square of 24 units, by the name of a mark or the letter of a
    court."""
    return dict(NAMED.findall(MODULE.read_text(encoding="utf-8")))
