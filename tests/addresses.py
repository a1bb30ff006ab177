"""Every address of Tongbox, for the tests that try them all."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver


def addresses(
    resolver: URLResolver | None = None, prefix: str = "/"
) -> Iterator[tuple[str, URLPattern]]:
    """Every address with its parameters as they are declared, and its entry: name and view."""
    for entry in (resolver or get_resolver()).url_patterns:
        address = prefix + str(entry.pattern).lstrip("^").rstrip("$")
        if isinstance(entry, URLResolver):
            yield from addresses(entry, address)
        else:
            yield address, entry
