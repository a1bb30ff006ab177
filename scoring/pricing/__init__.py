"""What a hand scores, line by line."""
