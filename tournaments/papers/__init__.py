"""Printouts of a tournament."""
