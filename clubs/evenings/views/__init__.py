"""Pages of evenings."""
