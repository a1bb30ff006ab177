"""The tabs above a page of a club, drawn from its address and from who looks."""

from typing import Any

from django import template
from django.template import Context

from clubs.core.page_context import tabs_of_evening, tabs_of_section

register = template.Library()


@register.inclusion_tag("parts/tabs.html", takes_context=True)
def section_tabs(context: Context) -> dict[str, Any]:
    """The other pages of the section."""
    request, club = context["request"], context["club"]
    tabs = tabs_of_section(
        request, club, request.resolver_match.url_name, has_duplicates=bool(context.get("twins"))
    )
    return {"tabs": tabs, "label": "This section"}


@register.inclusion_tag("parts/tabs.html", takes_context=True)
def evening_tabs(context: Context) -> dict[str, Any]:
    """The other pages of the same evening."""
    request, club, session = context["request"], context["club"], context["session"]
    tabs = tabs_of_evening(request, club, session, request.resolver_match.url_name)
    return {"tabs": tabs, "label": "This evening"}
