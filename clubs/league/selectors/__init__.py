"""Reads about the league."""
