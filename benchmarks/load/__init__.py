"""Hands submitted to a served Tongbox by many tables at once, and what that costs."""
