"""The page on which a paper sheet is typed in, for a table of an evening or a tournament alike."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from clubs.forms.sheets import Sheet
from clubs.services.sheets import post_sheet
from clubs.tablepages import CONFLICT, UNPROCESSABLE, TablePage
from scoring.scorebook.refusals import Refused


class Neighbour(NamedTuple):
    """The sheet of another table: the words of the link and where it is."""

    words: str
    address: str


def beside(number: int, sheets: Mapping[int, str]) -> list[Neighbour]:
    """The tables before and after this one; ``sheets`` are the addresses by table number."""
    before = [at for at in sheets if at < number][-1:]
    after = [at for at in sheets if at > number][:1]
    return [
        *(Neighbour(f"← Table {at}", sheets[at]) for at in before),
        *(Neighbour(f"Table {at} →", sheets[at]) for at in after),
    ]


def show_sheet(
    request: HttpRequest, page: TablePage, neighbours: Sequence[Neighbour]
) -> HttpResponse:
    """The sheet; sent, it is checked, or saved in one go if every row is right."""
    sheet = _sheet(request, page)
    if request.method == "POST" and "HX-Request" in request.headers:
        return render(request, "tables/_sheet_news.html", {"page": page, "sheet": sheet})
    if request.POST.get("step") != "save" or sheet.problems:
        return _render(request, page, sheet, neighbours)
    try:
        saved = post_sheet(post=page.post, hands=sheet.ready, sent_by=page.sent_by)
    except Refused as refused:
        page = replace(page)
        said = [problem.sentence for problem in refused.problems]
        return _render(request, page, _sheet(request, page), neighbours, said)
    hands = {0: "nothing was left to save", 1: "1 hand is saved"}
    words = hands.get(len(saved), f"{len(saved)} hands are saved")
    messages.success(request, f"{page.view.title}: {words}.")
    return redirect(f"{page.address}sheet/")


def _sheet(request: HttpRequest, page: TablePage) -> Sheet:
    """The sheet as it was sent, without a row that is to be dropped."""
    if request.method != "POST":
        return Sheet(page.game, page.view, page.rules)
    dropped = f"{request.POST.get('drop', '')}-"
    sent = {name: value for name, value in request.POST.items() if not name.startswith(dropped)}
    return Sheet(page.game, page.view, page.rules, sent)


def _render(
    request: HttpRequest,
    page: TablePage,
    sheet: Sheet,
    neighbours: Sequence[Neighbour],
    refused: Sequence[str] = (),
) -> HttpResponse:
    context = {
        "page": page,
        "table": page.view,
        "sheet": sheet,
        "neighbours": neighbours,
        "refused": refused,
        **page.extra,
    }
    return render(request, "tables/sheet.html", context, status=_status(request, sheet, refused))


def _status(request: HttpRequest, sheet: Sheet, refused: Sequence[str]) -> int:
    """What stands against it says 409, any other mistake 422; a sheet to look at is 200."""
    if sheet.conflicts:
        return CONFLICT
    is_wrong = refused or sheet.problems
    return UNPROCESSABLE if request.method == "POST" and is_wrong else 200
