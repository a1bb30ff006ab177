"""How Tongbox says things: dates, numbers, plurals, tiles."""
