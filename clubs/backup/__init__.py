"""Backups: written, compared, restored and rotated."""
