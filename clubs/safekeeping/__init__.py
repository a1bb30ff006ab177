"""Backups, putting them back, and moving house: what holds files, databases and days together."""
