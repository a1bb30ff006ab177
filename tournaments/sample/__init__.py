"""A fictional club to explore: its members, a season, tonight's evening and a tournament."""
