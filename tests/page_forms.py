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


def own_patterns() -> Iterator[URLPattern]:
    """Every address of a page of ours."""
    for pattern in patterns(get_resolver()):
        of_the_api = str(pattern.name).startswith("api-") and pattern.name != "api-docs"
        if not of_the_api and pattern.name not in DECIDED_BY_ALLAUTH:
            yield pattern


@cache
def pages_with_a_form() -> frozenset[str]:
    """The names of all pages that someone can send something to."""
    return frozenset(
        str(pattern.name) for pattern in own_patterns() if takes_a_form(pattern.callback)
    )


def takes_a_form(view: Any) -> bool:
    """Whether a view does anything else when it is sent something than when it is asked for.

    What ``require_POST`` or ``require_safe`` says decides; otherwise whether the view, or a page's
    function that it calls, looks at the request's method or at what was sent.
    """
    functions = list(functions_of(view, set()))
    for methods in filter(None, map(methods_allowed, functions)):
        return "POST" in methods
    return any(
        function.__code__.co_filename != DOORS and TOLD_BY & names_in(function)
        for function in functions
    )


def is_only_sent_to(view: Any) -> bool:
    """Whether a view refuses to be looked at: it is an action, and no page."""
    methods = next(filter(None, map(methods_allowed, functions_of(view, set()))), ["GET"])
    return "GET" not in methods


def functions_of(view: Any, seen_ids: set[int]) -> Iterator[FunctionType]:
    """A view, the functions that it wraps, and those of pages that it calls by their names."""
    if not isinstance(view, FunctionType) or id(view) in seen_ids:
        return
    seen_ids.add(id(view))
    yield view
    callees = called_by(view) if is_of_a_page(view) else []
    for candidate in (*(cell.cell_contents for cell in view.__closure__ or ()), *callees):
        yield from functions_of(candidate, seen_ids)


def called_by(view: FunctionType) -> list[FunctionType]:
    """The functions of pages that a function knows by name, its own module's and others'."""
    names = names_in(view)
    known_objects = [view.__globals__.get(name) for name in names]
    inside = [
        vars(candidate).get(name)
        for candidate in known_objects
        if isinstance(candidate, ModuleType)
        for name in names
    ]
    return [
        candidate
        for candidate in (*known_objects, *inside)
        if isinstance(candidate, FunctionType) and is_of_a_page(candidate)
    ]


def is_of_a_page(function: FunctionType) -> bool:
    """Whether a function is written where pages are."""
    return any(part in function.__code__.co_filename for part in PAGES)


def names_in(function: FunctionType) -> set[str]:
    """The names that a function's code uses, and those of the functions within it."""
    inner = [const for const in function.__code__.co_consts if hasattr(const, "co_names")]
    return {name for code in (function.__code__, *inner) for name in code.co_names}


def methods_allowed(function: FunctionType) -> list[str]:
    """What ``require_http_methods`` lets through, where this is its wrapper; else nothing."""
    if not function.__code__.co_filename.endswith(METHODS):
        return []
    cells = (cell.cell_contents for cell in function.__closure__ or ())
    return next((list(methods) for methods in cells if isinstance(methods, list | tuple)), [])


def posted_to() -> set[str]:
    """The pages that the forms of the templates name."""
    texts = (page.read_text() for page in (ROOT / "templates").rglob("*.html"))
    return {name for text in texts for name in POSTED.findall(text)}
