"""What is held on a person, for how long, and how it is erased."""
