"""Changes to a tournament and its entry list."""
