"""The files and commands of an operator, tried with real processes."""
