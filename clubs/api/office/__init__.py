"""What the secretary does at the desk, over the API: people, calendar, messages, what is kept."""
