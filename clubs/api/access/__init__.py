"""Keys for programs and the programs that are told, over the API."""
