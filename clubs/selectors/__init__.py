"""Everything that is read of a club: frozen rows that page, API and paper share."""
