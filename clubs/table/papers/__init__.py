"""Printouts for a table."""
