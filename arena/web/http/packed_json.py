"""JSON that is compressed once, for all who ask for it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response


def packed_json(document: Mapping[str, Any]) -> bytes:
    """Returns a document as JSON, compressed."""
    encoded = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(encoded.encode(), mtime=0)


def packed_answer(request: Request, packed: bytes) -> Response:
    """Returns such a document as an answer, compressed if the visitor takes that."""
    takes_gzip = "gzip" in request.headers.get("accept-encoding", "")
    return Response(
        packed if takes_gzip else gzip.decompress(packed),
        headers={"Vary": "Accept-Encoding"} | ({"Content-Encoding": "gzip"} if takes_gzip else {}),
        media_type="application/json",
    )
