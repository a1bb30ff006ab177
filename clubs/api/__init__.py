"""The club over the API: the same reads, the same one way to write."""
