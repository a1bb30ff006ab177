"""Changes to evenings."""
