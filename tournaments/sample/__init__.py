"""A made-up club to look round in: its members, a season, tonight's evening and a tournament."""
