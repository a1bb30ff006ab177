"""A tournament's settings and its entry list."""
