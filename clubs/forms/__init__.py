"""Forms: the shape of what people type."""
