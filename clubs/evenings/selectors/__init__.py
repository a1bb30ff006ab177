"""Reads about evenings."""
