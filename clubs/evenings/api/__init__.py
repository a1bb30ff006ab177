"""Evenings over the API."""
