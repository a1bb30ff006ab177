"""Tournaments: entrants, rounds, tables and standings."""
