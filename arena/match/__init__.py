"""One match: seats, rules, clock, faults."""
