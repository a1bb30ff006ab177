"""Secrets that stand in addresses."""

import secrets


def link_key() -> str:
    """A secret of 96 bits for an address that is printed as a QR code."""
    return secrets.token_urlsafe(12)
