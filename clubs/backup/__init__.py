"""Backups: made, compared, restored and kept."""
