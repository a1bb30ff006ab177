"""Template tags and filters: words for tiles, winds and money, and shared parts of pages."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import segno
from django import template
from django.forms import BoundField
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from clubs.core.addresses import is_local_only, is_reachable_by_phones, site_address
from clubs.core.mail import sends_email
from clubs.core.pages import tabs_of_evening, tabs_of_section
from clubs.core.permissions import MANAGE_CLUB, SEE_HOME, Permission
from clubs.core.versioned_cache import get_or_compute
from clubs.evenings.selectors.calendar import in_pounds
from clubs.hosting.texts import OperatorText, is_founding_open, published_texts
from clubs.house.guides import in_html
from clubs.house.services import fixed_address_reason
from clubs.house.web_app import web_app_of
from clubs.language.words import FRACTION_SIGNS, TILE_NAMES, WIND_NAMES
from clubs.messages.message_kinds import has_local_link
from clubs.messages.selectors import Letter
from clubs.models import Club, MarkColour
from clubs.paper.formats import names_with_missing_letters
from clubs.table.pages.table import TablePage
from clubs.table.rows import HandView, points_text, signed_points, tiled_hands
from clubs.table.selectors.rules import book_line
from scoring import Deal, Tile, Wind
from scoring.hands.hand import read_set, set_name
from scoring.scorebook.selectors import HandRow, head_code

register = template.Library()
UNBROKEN_MAHJONG = SafeString('<span class="whole">Mah-Jong</span>')
CACHE_SECONDS = 60


@register.filter
def tile_name(code: str) -> str:
    """Return a tile's name, `1 of bamboos` for `B1`; a code that names no tile comes back."""
    return TILE_NAMES.get(code, code)


@register.filter
@lru_cache(maxsize=4096)
def group_name(codes: tuple[str, ...]) -> str:
    """Return what tiles that lie together are: `pung of 9s of bamboos`, or each by its name."""
    group = read_set([Tile(code) for code in codes], exposed=False)
    return set_name(group) if group else "; ".join(map(tile_name, codes))


@register.filter
def of_book(line: str, key: str) -> str:
    """Return the name of a line of the rules with the book's word for its tiles."""
    return book_line(key, line)


@register.filter
def wind_name(letter: str) -> str:
    """Return a wind's name: `E` is `East`; anything else comes back as it is."""
    return WIND_NAMES.get(letter, letter)


@register.filter
def east_deals(deal: Deal | HandRow) -> bool:
    """Whether the dealer is East; under some rules the deal moves and the winds do not."""
    return deal.winds[deal.dealer] is Wind.E


@register.filter
def bare(field: BoundField) -> str:
    """Return the input with no words inside: what it is for stands above it, and stays."""
    field.field.widget.attrs.pop("placeholder", None)
    return str(field)


@register.filter
def as_shown(field: BoundField) -> str:
    """Return a hidden input with what the field showed, for a form that sends that along."""
    return field.as_hidden(only_initial=True) if field.field.show_hidden_initial else ""


@register.filter
def mark_image(colour: str) -> str:
    """Return the static file of the mark in this colour; without one, in that of Tongbox."""
    return f"img/mark-{colour or MarkColour.RED}.svg"


@register.filter
def touch_icon(colour: str) -> str:
    """Return the static file of the mark that fills a square, which an iPhone rounds off."""
    return f"img/mask-{colour or MarkColour.RED}-180.png"


register.filter("signed", signed_points)


@register.filter
def points(number: int | Decimal, pays: bool) -> str:  # noqa: FBT001 - a filter's argument
    """Return points, with their sign where the rules make players pay one another."""
    return points_text(number, pays=pays)


@register.filter
def whole(text: str) -> SafeString:
    """Return the text escaped, with Mah-Jong kept on one line."""
    return format_html_join(UNBROKEN_MAHJONG, "{}", ((part,) for part in text.split("Mah-Jong")))


@register.filter
@lru_cache(maxsize=64)
def qr(address: str) -> SafeString:
    """Return the address as a picture for phones to scan, its quiet zone included."""
    code = segno.make(address, micro=False, error="m")
    return SafeString(code.svg_inline(border=4, omitsize=True, svgclass="qr", lineclass="qr__dots"))


@register.filter
def mixed(number: Fraction) -> str:
    """Return a fraction as a mixed number: `7/3` is `2⅓`, `4` is `4`, `1/5` is `1/5`."""
    integer_part, part = divmod(number, 1)
    if not part:
        return str(integer_part)
    sign = FRACTION_SIGNS.get(part, f" {part}")
    return f"{integer_part}{sign}" if integer_part else sign.strip()


register.filter("tiled", tiled_hands)
register.filter("head_code", head_code)
register.filter("in_html", in_html)


@register.filter
def at_seat(by_seat: Mapping[int, object], seat: int) -> object:
    """Return what a mapping by seat holds for the seat, or nothing."""
    return by_seat.get(seat) if by_seat else None


@register.simple_tag
def sticks(page: TablePage, hand: HandView) -> list[str]:
    """Which sticks are passed for a hand, in sentences: `{% sticks page hand as handings %}`."""
    return page.handings(hand)


@register.simple_tag
def at(page: TablePage, act: str, *args: object) -> str:
    """Where a button of a table's page leads: `{% at page "agree" hand.pk %}`."""
    return page.action_url(act, *args)


@register.simple_tag
def receipt(page: TablePage, hand: int) -> str:
    """Where the receipt of a hand is, by its key: `{% receipt page hand.row.pk %}`."""
    return page.receipts[hand]


@register.filter
def pounds(pence: int) -> str:
    """``£12.50``."""
    return in_pounds(pence)


@register.filter
def unprintable_names(rows: Iterable[Any]) -> list[tuple[str, str]]:
    """Of rows with a ``name``: those names that cannot be printed whole, each with its letters."""
    return names_with_missing_letters(row.name for row in rows)


@register.simple_tag(takes_context=True)
def kept(context: Context, part: str, mark: str) -> SafeString:
    """The part as ``include`` renders it, cached for a minute under its mark; no mark: not cached.

    The mark must change with everything that the part shows.
    """
    drawing = context.template.engine.get_template(part)  # type: ignore[union-attr]

    def render_part() -> SafeString:
        with context.push():
            return drawing.render(context)

    return (
        get_or_compute(f"part-{part}-{mark}", render_part, seconds=CACHE_SECONDS)
        if mark
        else render_part()
    )


@register.inclusion_tag("parts/tabs.html", takes_context=True)
def section_tabs(context: Context) -> dict[str, Any]:
    """The other pages of the section."""
    request, club = context["request"], context["club"]
    url_name, has_duplicates = request.resolver_match.url_name, bool(context.get("duplicates"))
    tabs = tabs_of_section(request, club, url_name, has_duplicates=has_duplicates)
    return {"tabs": tabs, "label": "This section"}


@register.inclusion_tag("parts/tabs.html", takes_context=True)
def evening_tabs(context: Context) -> dict[str, Any]:
    """The other pages of the same evening."""
    request, club, session = context["request"], context["club"], context["session"]
    tabs = tabs_of_evening(request, club, session, request.resolver_match.url_name)
    return {"tabs": tabs, "label": "This evening"}


@register.inclusion_tag("parts/web_app.html", takes_context=True)
def web_app(context: Context) -> dict[str, str]:
    """What a home screen would keep of the page: `{% web_app %}`."""
    club = context.get("club")
    if not isinstance(club, Club):
        return web_app_of(None, sees_home=False)._asdict()
    # A page that is opened by a link does not say who reads it.
    has_permission = getattr(
        context.get("request"), "has_permission", partial(Permission.is_public, club=club)
    )
    return web_app_of(club, sees_home=has_permission(SEE_HOME))._asdict()


@register.inclusion_tag("parts/unreachable_messages.html", takes_context=True)
def unreachable_messages(
    context: dict[str, Any],
    letters: Iterable[Letter] | None = None,
    sentence: str = "No one can open the links in these messages.",
    some: str = "Some links in these messages open only on this computer.",
) -> dict[str, Any]:
    """Warn that others cannot open the links in messages: `{% unreachable_messages %}`.

    With ``letters``, only where one of them has such a link; printed letters leave it out.
    ``sentence``: where links lead to no one else; ``some``: where only those typed in a text do.
    """
    site = site_address()
    reaches = is_reachable_by_phones(site, context.get("request"))
    unreachable_letters = [
        letter
        for letter in letters or ()
        if has_local_link(letter.body) or (site in letter.body and not reaches)
    ]
    if not unreachable_letters and (letters is not None or reaches):
        return {}
    return {
        "address": site,
        "reaches": reaches,
        "only_here": is_local_only(site),
        "on_paper": any(
            letter.is_on_paper and has_local_link(letter.body) for letter in unreachable_letters
        ),
        "is_draft": any(letter.is_draft for letter in unreachable_letters),
        "sentence": sentence,
        "some": some,
        "page": _address_page(context),
    }


def _address_page(context: dict[str, Any]) -> str:
    """Where the reader can set the address for phones; empty: they cannot."""
    club = context.get("club")
    has_permission = getattr(context.get("request"), "has_permission", None)
    # Pages that open by a link, such as a table's, ask nobody what they may do.
    if (
        club is None
        or has_permission is None
        or not has_permission(MANAGE_CLUB)
        or fixed_address_reason(club)
    ):
        return ""
    return reverse("club-address", args=[club.slug])


@register.inclusion_tag("parts/unreachable_codes.html", takes_context=True)
def unreachable_codes(context: dict[str, Any]) -> dict[str, str]:
    """Warn that QR codes made on this page open on this computer alone: `{% unreachable_codes %}`.

    They hold the address at which the page was opened.
    """
    request = context.get("request")
    current_address = request.build_absolute_uri("/") if request is not None else ""
    if not current_address or not is_local_only(current_address):
        return {}
    site = site_address()
    phone_address = site if is_reachable_by_phones(site, request) else ""
    return {"address": current_address, "instead": phone_address, "page": _address_page(context)}


@register.simple_tag
def texts_of_operator() -> list[OperatorText]:
    """The terms and the privacy notice, where the operator has written them."""
    return published_texts()


register.simple_tag(sends_email)


@register.simple_tag
def can_start_clubs() -> bool:
    """Whether anyone may start a club here."""
    return is_founding_open()
