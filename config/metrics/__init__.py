"""The metrics for Prometheus: counted as things happen, or looked up on request."""
