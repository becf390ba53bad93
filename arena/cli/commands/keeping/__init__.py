"""The commands that keep a data folder: backups, upgrades, retention, and what is wrong with it."""
