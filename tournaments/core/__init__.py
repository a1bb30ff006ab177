"""What every room of a tournament stands on."""
