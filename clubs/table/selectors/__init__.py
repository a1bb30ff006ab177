"""Reads about a table and its hands."""
