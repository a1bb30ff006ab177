"""The club's book of special hands: on a page, on paper, for a spreadsheet."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import framed
from clubs.core.permissions import SEE_RESULTS
from clubs.exports.special_hands import special_hands_csv
from clubs.models import Club
from clubs.paper.downloads import pdf
from clubs.paper.formats import format_of
from clubs.pdf.special_hands import special_hands_pdf
from clubs.selectors.special_hands import special_book

HANDS_A_PAGE = 12
LEAGUE = ("League", "seasons")


@door(SEE_RESULTS)
def book(request: ClubRequest, club: Club) -> HttpResponse:
    """The club's book of special hands, so many a page."""
    found = special_book(club, reader=request.reader)
    context = framed(
        club,
        "seasons",
        book=found,
        page_obj=Paginator(found.hands, HANDS_A_PAGE).get_page(request.GET.get("page")),
    )
    return render(request, "clubs/special_hands.html", context)


@door(SEE_RESULTS)
def paper(request: ClubRequest, club: Club) -> HttpResponse:
    """The whole book on paper."""
    found = special_book(club, reader=request.reader)
    printed = special_hands_pdf(club.name, found, format_of(request.GET))
    return pdf(request, printed, f"{club.slug}-special-hands")


@door(SEE_RESULTS)
def file(request: ClubRequest, club: Club) -> HttpResponse:
    """The whole book for a spreadsheet."""
    name = f"{club.slug}-special-hands.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    content = special_hands_csv(special_book(club, reader=request.reader))
    return HttpResponse(content, content_type="text/csv; charset=utf-8", headers=headers)
