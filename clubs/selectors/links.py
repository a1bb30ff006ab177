"""What is known of a table's link that opens nothing any more."""

from clubs.models import ReplacedLink
from clubs.models.accounts import is_ours


def is_replaced(key: str) -> bool:
    """Whether the key once opened a table; a forged one is known without asking the database."""
    return is_ours(key) and ReplacedLink.objects.filter(key=key).exists()


def was_link_of(old: str, key: str) -> bool:
    """Whether the old key opened the table that the key opens now."""
    return is_ours(old) and ReplacedLink.objects.filter(key=old, stands=key).exists()
