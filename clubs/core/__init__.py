"""What every room of the club stands on: access, names, dates, locks, the audit log."""
