"""How hands are entered."""
