"""The conformance suite behind `arena bot check`: what the protocol demands of a bot."""

from arena.conformance.check import Finding, findings
from arena.conformance.exchange import Exchange
from arena.conformance.subject import Patience, Subject
from arena.conformance.suite import battery

__all__ = ["Exchange", "Finding", "Patience", "Subject", "battery", "findings"]
