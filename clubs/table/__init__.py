"""Hands at any table: entered, checked, agreed, corrected."""
