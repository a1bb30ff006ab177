"""The whole installation, tried out: ``deploy/rehearse``."""
