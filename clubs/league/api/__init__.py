"""The league over the API."""
