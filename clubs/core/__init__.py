"""Shared by every part of the club: access, names, dates, locks, the audit log."""
