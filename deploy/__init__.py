"""How Tongbox is run for real: an operator's files, and commands that try them."""
