"""The guides, as pages to read and to print."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from clubs.core.access import open_to_all
from clubs.guides import WHO, WORDS, all_guides, read_guide


@open_to_all
def guides(request: HttpRequest) -> HttpResponse:
    """Which guide is for whom, and what else explains the game and Tongbox."""
    return render(
        request, "clubs/guides.html", {"guides": all_guides(), "words": read_guide(WORDS)}
    )


@open_to_all
def guide(request: HttpRequest, who: str) -> HttpResponse:
    """One guide, whole."""
    if who not in {*WHO, WORDS}:
        raise Http404
    shown = read_guide(who)
    crumbs = [{"label": "Help", "url": reverse("guides")}, {"label": shown.title}]
    return render(request, "clubs/guide.html", {"guide": shown, "breadcrumbs": crumbs})
