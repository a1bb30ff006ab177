"""A club: its members, its evenings, its leagues, and who sits where."""
