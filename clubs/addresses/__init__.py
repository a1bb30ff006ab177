"""Where the pages of a club are."""
