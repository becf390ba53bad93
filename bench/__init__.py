"""Benchmarks: each figure is measured next to another in the same run. `python -m bench
[PART…]`."""
