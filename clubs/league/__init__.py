"""Seasons, their tables, players and records."""
