"""What a phone is told whose card was replaced, and how its new card takes over what it kept."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string

from clubs.selectors.links import is_replaced, was_link_of


def no_table(request: HttpRequest, *, key: str, is_void: bool) -> HttpResponse:
    """410 where the link was replaced, else 404: a sentence and what to do."""
    if is_void or is_replaced(key):
        return render(request, "tables/replaced.html", status=HTTPStatus.GONE)
    return render(request, "tables/unknown.html", status=HTTPStatus.NOT_FOUND)


def nothing_sent(request: HttpRequest, *, key: str, is_void: bool) -> HttpResponse:
    """The same for the script that sends kept hands: they stay on the phone for the new card."""
    if is_void or is_replaced(key):
        page = render_to_string("tables/_kept_replaced.html", request=request)
        return JsonResponse({"problems": {}, "page": page}, status=HTTPStatus.GONE)
    return no_table(request, key=key, is_void=False)


def formerly(request: HttpRequest, table: object, old: str) -> HttpResponse:  # noqa: ARG001
    """Whether the old link was this table's: 204, and a phone sends what it kept under it here."""
    is_its_own = was_link_of(old, getattr(table, "link_key", ""))
    return HttpResponse(status=HTTPStatus.NO_CONTENT if is_its_own else HTTPStatus.NOT_FOUND)
