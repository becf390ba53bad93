"""Renders a record for people and programs: as a log, decision by decision, as JSON."""

from arena.records.render.as_json import decision_documents, log_document
from arena.records.render.decisions import decision_views
from arena.records.render.log import log_lines

__all__ = ["decision_documents", "decision_views", "log_document", "log_lines"]
