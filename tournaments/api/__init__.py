"""Tournaments over the API, room by room: what the pages show and do, under the same doors."""
