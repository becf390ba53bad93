"""Measures how much luck duplicate play removes: `python -m bench.duplicate` writes
`docs/duplicate.md`."""
