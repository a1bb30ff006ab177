"""Wording and formats: dates, numbers, plurals, tiles."""
