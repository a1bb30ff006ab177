"""Who sits where on an evening, and why."""
