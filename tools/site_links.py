"""Rewrites the links of a page for the documentation site.

Links are written for a checkout. Those between pages work on the site too; a link to any other file
becomes its text, because the site has no copy of that file.
"""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

ROOT = Path(__file__).parent.parent
# The site's pages from outside `docs/`: the path in the repository is the path on the site.
OUTSIDE = {
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "proto/README.md",
    "rules/README.md",
    "sample_bots/README.md",
    "sdk/README.md",
    *(path.relative_to(ROOT).as_posix() for path in ROOT.glob("sdk/*/README.md")),
}
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)")
# Code, in which text that looks like a link is none.
FENCED = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)


def relinked(markdown: str, path: str) -> str:
    """Returns a page, given its path in the repository, with links for the site."""
    here = dirname(place_on_site(path) or "") or "."

    def rewritten(link: re.Match[str]) -> str:
        text, target, anchor = link.groups()
        place = place_on_site(normpath(join(dirname(path), target)))
        return f"[{text}]({relpath(place, here)}{anchor or ''})" if place else str(text)

    parts = []
    end = 0
    for fenced in FENCED.finditer(markdown):
        parts += [LINK.sub(rewritten, markdown[end : fenced.start()]), fenced[0]]
        end = fenced.end()
    return "".join([*parts, LINK.sub(rewritten, markdown[end:])])


def place_on_site(path: str) -> str | None:
    """Returns the place of a file of the repository on the site; None if the site has no copy."""
    if path == "README.md":  # The site begins with docs/README.md instead.
        return path
    if path.startswith("docs/") and path.endswith(".md"):
        return path.removeprefix("docs/")
    return path if path in OUTSIDE else None
