"""Tongbox as people get it: a wheel, or a folder that needs no Python."""
