"""The arena's words to everybody, for people and programs to read."""
