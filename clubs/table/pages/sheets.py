"""The page for typing in a paper sheet, for a table of an evening or a tournament."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from clubs.table.forms.hands import told_number
from clubs.table.forms.sheet_rows import BOOK, PAPER
from clubs.table.forms.sheets import Sheet, choosing_all, row_put_in, row_taken_out
from clubs.table.pages.table import CONFLICT, UNPROCESSABLE, TablePage
from clubs.table.services import draft_of, forget_draft, keep_draft, others_typing, post_sheet
from scoring.scorebook.refusals import Refused

ASKED_BY_ADDRESS = ("first", "kind")


class Neighbour(NamedTuple):
    """The sheet of another table: the link's text and address."""

    words: str
    address: str


@dataclass(frozen=True, slots=True)
class Stack:
    """The sheets of an evening or a round: the URL of each, and of their list."""

    address: str
    sheets: Mapping[int, str]

    def beside(self, number: int) -> list[Neighbour]:
        """The previous and the next table."""
        before = [at for at in self.sheets if at < number][-1:]
        after = [at for at in self.sheets if at > number][:1]
        return [
            *(Neighbour(f"← Table {at}", self.sheets[at]) for at in before),
            *(Neighbour(f"Table {at} →", self.sheets[at]) for at in after),
        ]


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A table's sheet: its page, its stack, and the function that replaces its game."""

    page: TablePage
    stack: Stack
    tell: Callable[..., int]

    @property
    def may_change(self) -> bool:
        """Whether the user may correct recorded hands."""
        return bool(self.page.extra.get("may_correct"))

    def sheet(self, data: Mapping[str, Any]) -> Sheet:
        """The sheet with the typed values."""
        page = self.page
        return Sheet(
            page.game,
            page.view,
            page.rules,
            data,
            start=page.had(1),
            may_change=self.may_change,
        )


def show_sheet(request: HttpRequest, at: SheetPage) -> HttpResponse:
    """The sheet; on POST, checked and kept, or saved in one go if every row is right."""
    if request.method != "POST":
        # A blank sheet, or the unfinished one.
        draft = draft_of(request, at.page.game.pk)
        wanted = {name: request.GET[name] for name in ASKED_BY_ADDRESS if request.GET.get(name)}
        typed = dict(draft.typed) if draft else {}
        if "first" in wanted:
            typed.pop("count", None)
        return _render(request, at, at.sheet(typed | wanted), draft=draft)
    # The pressed button; checking the rows is not one, whatever has the focus.
    step = "" if "HX-Request" in request.headers else request.POST.get("step", "")
    if step == "afresh":
        forget_draft(request, at.page.game.pk)
        return redirect(f"{at.page.address}score-sheet/")
    sent = _changed(request.POST.dict(), step)
    sheet = at.sheet(sent)
    if step != "save" or sheet.problems or sheet.open_choices:
        _keep(request, at, sheet, sent)
        return _answer(request, at, sheet)
    try:
        saved = _save(at, sheet)
    except Refused as refused:
        fresh = replace(at, page=replace(at.page))
        _keep(request, fresh, sheet, sent)
        said = [problem.sentence for problem in refused.problems]
        return _render(request, fresh, fresh.sheet(sent), refused=said)
    forget_draft(request, at.page.game.pk)
    messages.success(request, f"{at.page.view.title}: {_saved_sentence(saved, sheet.changed)}.")
    return redirect(f"{at.page.address}score-sheet/")


def _changed(sent: dict[str, str], step: str) -> dict[str, str]:
    """The form data, after the change that a button makes to it."""
    if step == "put-in":
        return row_put_in(sent, sent.get("at", ""))
    if step == "take-out":
        return row_taken_out(sent, sent.get("at", ""))
    all_of = {"all-paper": PAPER, "all-book": BOOK}.get(step)
    return choosing_all(sent, all_of) if all_of else sent


def _keep(request: HttpRequest, at: SheetPage, sheet: Sheet, sent: Mapping[str, str]) -> None:
    if sheet.typed_anything and not at.page.closed_because:
        keep_draft(request, at.page.game.pk, sent)


def _save(at: SheetPage, sheet: Sheet) -> int:
    """The number of hands recorded."""
    saved = post_sheet(
        post=at.page.post,
        hands=sheet.ready,
        sent_by=at.page.sent_by,
        tell=at.tell,
        telling=sheet.telling if at.may_change else None,
    )
    return len(saved)


def _saved_sentence(saved: int, changed: int) -> str:
    hands = {0: "no new hands to save", 1: "1 hand saved"}
    words = hands.get(saved, f"{saved} hands saved")
    if not changed:
        return words
    others = "1 recorded hand" if changed == 1 else f"{changed} recorded hands"
    put_right = f"{others} changed to match the paper"
    return f"{words}, {put_right}" if saved else put_right


def _answer(request: HttpRequest, at: SheetPage, sheet: Sheet) -> HttpResponse:
    if "HX-Request" not in request.headers:
        return _render(request, at, sheet)
    grown = sheet.count > told_number({"number": request.POST.get("count", "")})
    others = others_typing(request, at.page.game.pk)
    context = {"page": at.page, "sheet": sheet, "others": others, "grown": grown, "news": True}
    return render(request, "clubs/table/_sheet_news.html", context)


def _render(
    request: HttpRequest,
    at: SheetPage,
    sheet: Sheet,
    *,
    refused: Sequence[str] = (),
    draft: Any = None,
) -> HttpResponse:
    page = at.page
    context = {
        "page": page,
        "table": page.view,
        "sheet": sheet,
        "neighbours": at.stack.beside(page.view.number),
        "stack": at.stack.address,
        "refused": refused,
        "differs": request.method == "POST" and sheet.open_choices,
        "draft": draft,
        "others": others_typing(request, page.game.pk),
        "may_change": at.may_change,
        **page.extra,
    }
    # A conflict with another report is 409, any other error 422; a checked sheet is 200.
    status = 200
    if request.method == "POST":
        wrong = UNPROCESSABLE if refused or sheet.problems else 200
        status = CONFLICT if sheet.open_choices else wrong
    return render(request, "clubs/table/sheet.html", context, status=status)
