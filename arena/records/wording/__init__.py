"""Matches in the words of people, which their games declare."""

from arena.records.wording.said_facts import SaidFact
from arena.records.wording.wording import Wording

__all__ = ["SaidFact", "Wording"]
