"""Backups kept, let go, put back and moved."""
