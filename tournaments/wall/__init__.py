"""The projector screen, and everyone's own place."""
