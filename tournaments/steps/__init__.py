"""What the director does next, and the way back."""
