"""Parts of pages that are the same for many readers, drawn once."""

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from clubs.core.versioned_cache import made_once

register = template.Library()
A_MINUTE = 60


@register.simple_tag(takes_context=True)
def kept(context: Context, part: str, mark: str) -> SafeString:
    """The part as ``include`` draws it, kept for a minute under its mark; no mark: drawn anew.

    The mark must change with everything that the part shows.
    """
    drawing = context.template.engine.get_template(part)  # type: ignore[union-attr]

    def drawn() -> SafeString:
        with context.push():
            return drawing.render(context)

    return made_once(f"part-{part}-{mark}", drawn, seconds=A_MINUTE) if mark else drawn()
