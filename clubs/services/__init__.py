"""Everything that changes a club: each call one transaction."""
