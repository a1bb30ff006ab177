"""The papers of a tournament."""
