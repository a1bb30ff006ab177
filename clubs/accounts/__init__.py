"""Sign-ins, API keys and roles."""
