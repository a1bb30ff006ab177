"""Changes to the list of members."""
