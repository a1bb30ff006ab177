"""What a director types: a tournament, who enters it, whose seats change."""
