"""A hand at any table: entered, checked, agreed, put right."""
