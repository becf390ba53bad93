"""Matches in the words of people, which their games declare."""

from arena.records.wording.patterns import counted
from arena.records.wording.said_facts import SaidFact, facts_of
from arena.records.wording.wording import Wording

__all__ = ["SaidFact", "Wording", "counted", "facts_of"]
