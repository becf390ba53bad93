"""Benchmarks: each figure next to another measured in the same run. `python -m bench [PART…]`."""
