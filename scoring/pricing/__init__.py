"""What a hand scores: every way to score it, the best of them, and each line of its score."""
