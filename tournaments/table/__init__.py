"""The tables of a round."""
