"""Programs that a club notifies of what happens."""
