"""The parts of an arena that organisers watch and change while it runs."""
