"""Reads about standings and results."""
