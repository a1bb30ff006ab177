"""Forms for setting up a club, its settings and its house rules."""
