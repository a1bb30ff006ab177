"""Backups of the whole installation."""
