"""All that a page needs to draw a recorded match at any of its decisions, as one document."""

from arena.web.replay.document import FORMAT, replay_document
from arena.web.replay.frame import Frame, decision_of, frame_at, place_of
from arena.web.replay.sentences import Sentences, sentences_of
from arena.web.replay.table_parts import (
    click_meanings,
    deck_of,
    fact_entries,
    rows_of,
    titled,
    zone_entries,
)
from arena.web.replay.wording import Wording

__all__ = [
    "FORMAT",
    "Frame",
    "Sentences",
    "Wording",
    "click_meanings",
    "decision_of",
    "deck_of",
    "fact_entries",
    "frame_at",
    "place_of",
    "replay_document",
    "rows_of",
    "sentences_of",
    "titled",
    "zone_entries",
]
