"""The download of a match as one HTML file."""

from __future__ import annotations

from functools import lru_cache

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from arena.client.matches import stored_record
from arena.operations.readable import readable_match
from arena.records import canonical, read
from arena.store.match_names import short_name
from arena.views.matches.analysis import Analysis
from arena.web.conditional import conditional, tag_of
from arena.web.formats import visible
from arena.web.offline import offline_html
from arena.web.pages.played.analyses import analysis_of
from arena.web.replay import FORMAT, replay_document
from arena.web.site import site_of
from sevens_games import load

FILES_KEPT = 16
"""Some hundreds of KB each. A long match takes seconds to be drawn from every seat."""


def download(request: Request) -> Response:
    """Returns the file of a match, to be saved."""
    with site_of(request).store.reading() as session:
        row = readable_match(session, request.path_params["match"])
        analysis = analysis_of(request, session, row).analysis
        worth = analysis.model_dump_json() if analysis is not None else ""

        def file() -> Response:
            disposition = f'attachment; filename="{short_name(row.match)}.html"'
            text = _file_of(canonical(stored_record(session, row.match)), worth)
            return HTMLResponse(text, headers={"Content-Disposition": disposition})

        return conditional(request, tag_of("offline", row.digest, worth, FORMAT), file)


@lru_cache(FILES_KEPT)
def _file_of(record_text: str, worth: str) -> str:
    """Raises BadRecord if the match is of older rules. `worth`: its analysis as JSON, or empty."""
    record = read(record_text)
    views = [None, *range(len(record.seats))]
    documents = [replay_document(record, seat=seat) for seat in views]
    names = " and ".join(visible(seat.bot) for seat in record.seats)
    title = f"{load(record.game).title}: {names}"
    analysis = Analysis.model_validate_json(worth) if worth else None
    return offline_html(record_text, documents, title=title, analysis=analysis)


ROUTES = [Route("/matches/{match}/offline.html", download)]
