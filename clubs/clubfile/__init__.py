"""A club as one file: written, checked, and brought to another installation."""
