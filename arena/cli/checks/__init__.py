"""What `arena bot check` checks: one small file a check, in the order of `battery.py`."""
