"""Where the pages of a tournament are."""
