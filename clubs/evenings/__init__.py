"""Evenings: the door, the tables, the result, the calendar."""
