"""Messages to members, by email and on paper."""
