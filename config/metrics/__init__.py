"""What the machine tells Prometheus: counted as it happens, or looked up when it is asked."""
