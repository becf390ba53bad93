"""All that a page needs to draw a recorded match at any of its decisions, as one document."""

from arena.web.replay.analysis_document import analysis_document
from arena.web.replay.document import (
    FORMAT,
    Document,
    LastTrick,
    replay_document,
    said_facts,
)
from arena.web.replay.frame import Frame, decision_of, frame_at, place_of
from arena.web.replay.marked_decisions import MarkedDecision, marked_decisions
from arena.web.replay.sentences import Sentences, sentences_of
from arena.web.replay.table_parts import (
    click_meanings,
    deck_of,
    fact_entries,
    rows_of,
    zone_entries,
)

__all__ = [
    "FORMAT",
    "Document",
    "Frame",
    "LastTrick",
    "MarkedDecision",
    "Sentences",
    "analysis_document",
    "click_meanings",
    "decision_of",
    "deck_of",
    "fact_entries",
    "frame_at",
    "marked_decisions",
    "place_of",
    "replay_document",
    "rows_of",
    "said_facts",
    "sentences_of",
    "zone_entries",
]
