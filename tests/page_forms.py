"""Which pages take what someone sends: read from the code of their views, not from a list."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final

from django.urls import URLPattern, get_resolver

from tests.test_doors import DECIDED_BY_ALLAUTH, patterns

ROOT: Final = Path(__file__).parents[1]
METHODS: Final = "django/views/decorators/http.py"
DOORS: Final = str(ROOT / "clubs" / "core" / "access.py")
PAGES: Final = ("/views/", "/views.py", "/table/pages/")
TOLD_BY: Final = {"POST", "FILES", "method"}
POSTED: Final = re.compile(r"<form\b[^>]*method=\"post\"[^>]*action=\"{% url '([\w-]+)'")


def ours() -> Iterator[URLPattern]:
    """Every address of a page of ours."""
    for one in patterns(get_resolver()):
        of_the_api = str(one.name).startswith("api-") and one.name != "api-docs"
        if not of_the_api and one.name not in DECIDED_BY_ALLAUTH:
            yield one


@cache
def pages_with_a_form() -> frozenset[str]:
    """The names of all pages that someone can send something to."""
    return frozenset(str(one.name) for one in ours() if takes_a_form(one.callback))


def takes_a_form(view: Any) -> bool:
    """Whether a view does anything else when it is sent something than when it is asked for.

    What ``require_POST`` or ``require_safe`` says decides; otherwise whether the view, or a page's
    function that it calls, looks at the request's method or at what was sent.
    """
    found = list(functions_of(view, set()))
    for methods in filter(None, map(methods_allowed, found)):
        return "POST" in methods
    return any(one.__code__.co_filename != DOORS and TOLD_BY & names_in(one) for one in found)


def is_only_sent_to(view: Any) -> bool:
    """Whether a view refuses to be looked at: it is an action, and no page."""
    allowed = next(filter(None, map(methods_allowed, functions_of(view, set()))), ["GET"])
    return "GET" not in allowed


def functions_of(view: Any, seen: set[int]) -> Iterator[FunctionType]:
    """A view, the functions that it wraps, and those of pages that it calls by their names."""
    if not isinstance(view, FunctionType) or id(view) in seen:
        return
    seen.add(id(view))
    yield view
    called = called_by(view) if is_of_a_page(view) else []
    for one in (*(cell.cell_contents for cell in view.__closure__ or ()), *called):
        yield from functions_of(one, seen)


def called_by(view: FunctionType) -> list[FunctionType]:
    """The functions of pages that a function knows by name, its own module's and others'."""
    names = names_in(view)
    known = [view.__globals__.get(name) for name in names]
    inside = [vars(one).get(name) for one in known if isinstance(one, ModuleType) for name in names]
    return [one for one in (*known, *inside) if isinstance(one, FunctionType) and is_of_a_page(one)]


def is_of_a_page(one: FunctionType) -> bool:
    """Whether a function is written where pages are."""
    return any(part in one.__code__.co_filename for part in PAGES)


def names_in(one: FunctionType) -> set[str]:
    """The names that a function's code uses, and those of the functions within it."""
    inner = [const for const in one.__code__.co_consts if hasattr(const, "co_names")]
    return {name for code in (one.__code__, *inner) for name in code.co_names}


def methods_allowed(one: FunctionType) -> list[str]:
    """What ``require_http_methods`` lets through, where this is its wrapper; else nothing."""
    if not one.__code__.co_filename.endswith(METHODS):
        return []
    cells = (cell.cell_contents for cell in one.__closure__ or ())
    return next((list(told) for told in cells if isinstance(told, list | tuple)), [])


def posted_to() -> set[str]:
    """The pages that the forms of the templates name."""
    texts = (page.read_text() for page in (ROOT / "templates").rglob("*.html"))
    return {name for text in texts for name in POSTED.findall(text)}
