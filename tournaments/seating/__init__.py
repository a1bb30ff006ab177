"""Who sits where in a tournament, and why."""
