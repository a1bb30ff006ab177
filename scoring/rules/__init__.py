"""The language in which a rule set is declared."""
