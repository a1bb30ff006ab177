"""The pages of one table, the same for evenings and tournaments."""
