"""What a page that is open hears of a table: nothing, a word about a hand, or that it is old."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubs.tablepages.page import TablePage


def news(request: HttpRequest, page: TablePage) -> HttpResponse:
    """204 while nothing is newer than ``?v=``.

    Where someone has only said something of a hand, the part that tells so is sent anew to the
    pages that show it (``?said=shown``) and nothing is said on those that have none
    (``?said=none``).
    """
    seen, said, now = request.GET["v"], request.GET.get("said", ""), page.mark_now
    if seen == now:
        return HttpResponse(status=204)
    if said and _without_words(seen) == _without_words(now):
        context = {"page": page, "table": page.view, "said": said, **page.extra}
        return render(request, "tables/_said_news.html", context)
    return render(request, "tables/_news.html", {"page": page, "what": _what(now, seen)})


def _without_words(mark: str) -> list[str]:
    """The mark but for the part that changes with what is said of the hands."""
    hands, book, _, *rest = [*mark.split("-"), "", ""]
    return [hands, book, *rest]


def _what(now: str, seen: str) -> str:
    hands, before = int(now.partition("-")[0]), seen.partition("-")[0]
    if before == str(hands - 1):
        return f"Hand {hands} was entered by someone else."
    if before == str(hands + 1):
        return f"Hand {hands + 1} was undone."
    return "Something has changed at this table."
