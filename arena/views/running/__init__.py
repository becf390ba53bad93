"""The parts of an arena that its organisers watch."""
