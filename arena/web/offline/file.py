"""The file itself: scripts, styles, the replay of every view, and the record, in one HTML text."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from arena.records import read
from arena.views.matches.analysis import Analysis, AnalysisState, StoredAnalysis
from arena.web.http import FOLDER
from arena.web.offline.bundle import bundle
from arena.web.rendering import environment
from arena.web.replay import analysis_document, marked_decisions

ENTRY = "offline/page.js"
STYLES = ("base.css", "replay.css", "verify/verify.css")
OF_A_STYLE = re.compile(r"</style|<!--|@import|url\((?!data:)", re.IGNORECASE)


def offline_html(
    record_text: str,
    documents: Sequence[Mapping[str, Any]],
    *,
    title: str,
    analysis: Analysis | None = None,
) -> str:
    """Returns one HTML file that replays and verifies a match without a server.

    `record_text`: the record's JSON text; `documents`: its `replay_document` for the spectator and
    for every seat; `title`: of the page; `analysis`: of the match, if there is one.
    """
    script, style = _script(), _style()
    return (
        environment()
        .get_template("match/offline.html")
        .render(
            title=title,
            policy=f"default-src 'none'; script-src {_source(script)}; style-src {_source(style)}; "
            "img-src data:; base-uri 'none'; form-action 'none'",
            script=Markup(script),
            style=Markup(style),
            record_json=Markup(_in_html(record_text)),
            stored=StoredAnalysis(state=AnalysisState.DONE, analysis=analysis),
            marked=marked_decisions(read(record_text), analysis) if analysis else [],
            moments="#",
            documents=_packed(
                {
                    "views": documents,
                    "analysis": analysis and analysis_document(analysis),
                }
            ),
        )
    )


@cache
def _script() -> str:
    return bundle(FOLDER, ENTRY)


@cache
def _style() -> str:
    whole = "".join((FOLDER / path).read_text(encoding="utf-8") for path in STYLES)
    wrong = OF_A_STYLE.search(whole)
    assert wrong is None, f"A style that needs another file: {wrong}."
    return whole


def _source(text: str) -> str:
    """Returns how a content security policy names an inline script or style."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _in_html(json_text: str) -> str:
    """Returns the same JSON without the characters that end or open anything in HTML. Valid JSON
    has them in strings alone, where they may be escaped."""
    return json_text.replace("<", "\\u003c")


def _packed(documents: Mapping[str, Any]) -> str:
    """Returns the documents as JSON, compressed by deflate, in base64: the views of a match repeat
    each other, and without that a long one would have a megabyte."""
    text = json.dumps(documents, separators=(",", ":"), ensure_ascii=False)
    return b64encode(zlib.compress(text.encode(), level=9)).decode()
