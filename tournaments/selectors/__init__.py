"""Everything that is read of a tournament: frozen rows that page, API and paper share."""
