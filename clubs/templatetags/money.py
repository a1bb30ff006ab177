"""Pence as the pounds that people read."""

from django import template

from clubs.evenings.selectors.calendar import in_pounds

register = template.Library()


@register.filter
def pounds(pence: int) -> str:
    """``£12.50``."""
    return in_pounds(pence)
