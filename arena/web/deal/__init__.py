"""The matches of a deal side by side: their decisions in step, and how their scores part."""

from arena.web.deal.alignment import Column, Row, aligned, first_difference, page_of
from arena.web.deal.course import Course, Decision, Scores, course_of
from arena.web.deal.leads import LeadFigure, lead_figure

__all__ = [
    "Column",
    "Course",
    "Decision",
    "LeadFigure",
    "Row",
    "Scores",
    "aligned",
    "course_of",
    "first_difference",
    "lead_figure",
    "page_of",
]
