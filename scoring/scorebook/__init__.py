"""The score book: what was played, seat by seat. It computes nothing the engine could."""
