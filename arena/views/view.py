"""The base of all views, and the forms of their values as JSON."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainSerializer, WithJsonSchema

from arena.moment import rfc3339

Moment = Annotated[
    datetime,
    PlainSerializer(rfc3339, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A moment, written as `rfc3339` writes it."""


def canonical_json(document: BaseModel) -> str:
    """Returns the one JSON text of a document: keys sorted, no spaces, every field written."""
    fields = document.model_dump(mode="json")
    return json.dumps(
        fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


class View(BaseModel):
    """A value for people to see. It is complete in itself, and outlives its transaction."""

    model_config = ConfigDict(frozen=True, from_attributes=True)
