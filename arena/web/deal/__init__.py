"""The matches of a deal side by side: their decisions in step, and how their scores part."""

from arena.web.deal.alignment import Column, Row, aligned, first_difference, page_of
from arena.web.deal.decision_log import Decision, DecisionLog, Scores, decision_log
from arena.web.deal.leads import LeadFigure, lead_figure

__all__ = [
    "Column",
    "Decision",
    "DecisionLog",
    "LeadFigure",
    "Row",
    "Scores",
    "aligned",
    "decision_log",
    "first_difference",
    "lead_figure",
    "page_of",
]
