"""Reads about personal data."""
