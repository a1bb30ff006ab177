"""A table over the API."""
