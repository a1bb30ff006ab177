"""Changes to the seating."""
