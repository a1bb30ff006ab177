"""Changes of a hosted address: clubs started, closed and deleted."""
