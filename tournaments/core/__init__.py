"""Shared by every part of a tournament."""
