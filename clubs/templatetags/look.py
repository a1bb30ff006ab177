"""What templates need to say tiles, winds and gains as people do."""

from decimal import Decimal
from fractions import Fraction

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma

from clubs.tilenames import TILE_NAMES, WIND_NAMES

register = template.Library()

VULGAR = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}


@register.filter
def tile_name(code: str) -> str:
    """Return a tile's name: `B1` is `1 bamboo`; a code that names no tile comes back as it is."""
    return TILE_NAMES.get(code, code)


@register.filter
def wind_name(letter: str) -> str:
    """Return a wind's name: `E` is `East`; anything else comes back as it is."""
    return WIND_NAMES.get(letter, letter)


@register.filter
def signed(points: int | Decimal) -> str:
    """Return points with their sign, a true minus and thousands apart: `+1,120`, `−86`, `0`."""
    if not points:
        return "0"
    size = points if points > 0 else -points
    return f"{'+' if points > 0 else '−'}{intcomma(size)}"


@register.filter
def mixed(number: Fraction) -> str:
    """Return a fraction as a mixed number: `7/3` is `2⅓`, `4` is `4`, `1/5` is `1/5`."""
    whole, part = divmod(number, 1)
    if not part:
        return str(whole)
    sign = VULGAR.get(part, f" {part}")
    return f"{whole}{sign}" if whole else sign.strip()
