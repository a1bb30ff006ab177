"""Whether an address that others are given can be opened on their phones at all."""

from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit


def opens_only_here(address: str) -> bool:
    """Whether an address leads back to whichever computer it is opened on, as localhost does."""
    host = urlsplit(address).hostname or ""
    try:
        number = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    if isinstance(number, IPv6Address) and number.ipv4_mapped is not None:
        number = number.ipv4_mapped
    return number.is_loopback or number.is_unspecified
