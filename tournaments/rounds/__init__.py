"""A tournament's rounds, tables and clock, as every other room reads them."""
