"""Printed papers: drawn from the same frozen rows as the pages, and the same bytes each time."""
