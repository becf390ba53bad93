"""An arena that is upgraded, joined, moderated, copied and harmed while it plays a season."""
