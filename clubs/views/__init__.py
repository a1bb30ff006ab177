"""The pages of a club."""
