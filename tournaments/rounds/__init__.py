"""A tournament's rounds, tables and clock, for reading."""
