"""How the tiles of a hand are read, checked and laid out."""
