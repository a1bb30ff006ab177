"""Forms for entering hands."""
