"""What goes wrong, made to go wrong: ``python -m deploy.faults NAME``."""
