"""Seats given and changed."""
