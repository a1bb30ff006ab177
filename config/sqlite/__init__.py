"""Django's SQLite backend with a fair gate: writers queue in order instead of polling."""
