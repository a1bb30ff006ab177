"""Tiles, hands, and what can be wrong with them."""
