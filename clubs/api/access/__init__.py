"""API keys and webhooks over the API."""
