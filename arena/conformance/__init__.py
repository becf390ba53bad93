"""The conformance suite behind `arena bot check`: what the protocol demands of a bot."""
