"""Standings, prizes, records and results."""
