"""Every address of Tongbox, for the tests that try them all."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver


def addresses(
    under: URLResolver | None = None, before: str = "/"
) -> Iterator[tuple[str, URLPattern]]:
    """Every address with its parameters as they are declared, and its entry: name and view."""
    for entry in (under or get_resolver()).url_patterns:
        here = before + str(entry.pattern).lstrip("^").rstrip("$")
        if isinstance(entry, URLResolver):
            yield from addresses(entry, here)
        else:
            yield here, entry
