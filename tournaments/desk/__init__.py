"""The director's desk: every table, the clock, calls."""
