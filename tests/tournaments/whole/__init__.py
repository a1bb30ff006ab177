"""A whole tournament by its public doors, and what it should come to, reckoned apart."""
