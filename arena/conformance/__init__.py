"""The conformance suite behind `arena bot check`: the protocol's demands on a bot."""

from arena.conformance.exchange import Exchange
from arena.conformance.finding import Finding, findings
from arena.conformance.subject import Patience, Subject
from arena.conformance.suite import battery

__all__ = ["Exchange", "Finding", "Patience", "Subject", "battery", "findings"]
