"""Benchmarks: each figure beside another measured in the same run. `python -m bench [PART…]`."""
