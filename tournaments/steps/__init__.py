"""The director's steps, and the ways back."""
