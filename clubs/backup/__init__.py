"""Backups: written, compared, restored and rotated."""


class BackupError(Exception):
    """The operation is not possible; the message tells an operator why."""
