"""Warnings on pages whose links or QR codes nobody else could open."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.conf import settings

from clubs.core.reachable import opens_only_here
from clubs.messages.selectors import Letter

register = template.Library()


@register.inclusion_tag("parts/unreachable_messages.html")
def unreachable_messages(letters: Iterable[Letter] | None = None) -> dict[str, str]:
    """Warn that links in messages open on this computer alone: `{% unreachable_messages %}`.

    Of letters that are written already only where one has such a link.
    """
    site = settings.SITE_ADDRESS
    has_link = letters is None or any(site in letter.body for letter in letters)
    return {"address": site} if has_link and opens_only_here(site) else {}


@register.inclusion_tag("parts/unreachable_codes.html", takes_context=True)
def unreachable_codes(context: dict[str, Any]) -> dict[str, str]:
    """Warn that QR codes made on this page open on this computer alone: `{% unreachable_codes %}`.

    They hold the address at which the page was opened.
    """
    request = context.get("request")
    here = request.build_absolute_uri("/") if request is not None else ""
    if not here or not opens_only_here(here):
        return {}
    site = settings.SITE_ADDRESS
    return {"address": here, "instead": "" if opens_only_here(site) else site}
