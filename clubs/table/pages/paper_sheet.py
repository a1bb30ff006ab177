"""A table's paper score sheet: shown as it was begun, checked row by row, and saved in one go."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from clubs.seating.why import join_with_and
from clubs.table import services
from clubs.table.event import TableEvent
from clubs.table.forms.hands import hand_number
from clubs.table.forms.sheets import TypedSheet, apply_step
from clubs.table.pages.table import CONFLICT, UNPROCESSABLE, TablePage
from scoring.scorebook.refusals import Refused

QUERY_FIELDS = ("first", "kind")
SAVE, SAVE_ANYWAY = "save", "save-anyway"
# The buttons; the second although the totals on the paper differ.
SAVE_BUTTONS = (SAVE, SAVE_ANYWAY)


class Neighbour(NamedTuple):
    """The sheet of another table: the words of the link and where it is."""

    label: str
    address: str


def _neighbours(table: TableEvent) -> list[Neighbour]:
    """The sheets of the tables before and after this one."""
    numbers, own_number = table.numbers(), table.row.number
    previous_numbers = [number for number in numbers if number < own_number][-1:]
    next_numbers = [number for number in numbers if number > own_number][:1]
    labels = [(number, f"← Table {number}") for number in previous_numbers] + [
        (number, f"Table {number} →") for number in next_numbers
    ]
    name, place = f"{table.desk}-sheet", table.place[:-1]
    return [Neighbour(label, reverse(name, args=[*place, number])) for number, label in labels]


def _typed_sheet(page: TablePage, data: Mapping[str, Any]) -> TypedSheet:
    may_change = bool(page.extra["may_correct"])
    return TypedSheet(
        page.game, page.view, page.rules, data, start=page.sticks_before(1), may_change=may_change
    )


def show_sheet(request: HttpRequest, page: TablePage) -> HttpResponse:
    """A fresh sheet, or the one that was begun; sent, it is checked and kept, or saved."""
    if request.method == "POST":
        return _take_sheet(request, page)
    draft = services.draft_of(request, page.game.pk)
    query_fields = {name: request.GET[name] for name in QUERY_FIELDS if request.GET.get(name)}
    entries = dict(draft.typed_fields) if draft else {}
    if "first" in query_fields:
        entries.pop("count", None)
    return _render_sheet(request, page, _typed_sheet(page, entries | query_fields), draft=draft)


def _take_sheet(request: HttpRequest, page: TablePage) -> HttpResponse:
    """Check and keep what was sent, or save it in one go if every row is right."""
    # The button that was pressed; a look at the rows is none, whichever has the focus.
    step = "" if "HX-Request" in request.headers else request.POST.get("step", "")
    if step == "afresh":
        services.forget_draft(request, page.game.pk)
        return redirect(f"{page.address}score-sheet/")
    form_data = apply_step(request.POST.dict(), step, hands_before=page.game.hands_before)
    sheet = _typed_sheet(page, form_data)
    is_right = not (sheet.problems or sheet.open_choices)
    is_asked = step == SAVE and is_right and bool(sheet.foot.sentences)
    if step not in SAVE_BUTTONS or is_asked or not is_right:
        _keep_draft(request, page, sheet, form_data)
        if "HX-Request" not in request.headers:
            obstacles = _why_not_saved(sheet, step)
            return _render_sheet(request, page, sheet, reasons=obstacles, asks=is_asked)
        has_grown = sheet.count > hand_number({"number": request.POST.get("count", "")})
        other_names = services.others_typing(request, page.game.pk)
        context = {
            "page": page,
            "sheet": sheet,
            "others": other_names,
            "grown": has_grown,
            "news": True,
        }
        return render(request, "clubs/table/_sheet_news.html", context)
    try:
        saved_hands = services.post_sheet(
            table=page.event,
            hands=sheet.ready,
            sent_by=page.sent_by,
            telling=sheet.telling if sheet.may_change else None,
        )
    except Refused as refused:
        fresh = replace(page)
        _keep_draft(request, fresh, sheet, form_data)
        reasons = [problem.message for problem in refused.problems]
        return _render_sheet(request, fresh, _typed_sheet(fresh, form_data), reasons=reasons)
    services.forget_draft(request, page.game.pk)
    messages.success(
        request, f"{page.view.title}: {_saved_sentence(len(saved_hands), sheet.change_count)}."
    )
    return redirect(f"{page.address}score-sheet/")


def _why_not_saved(sheet: TypedSheet, step: str) -> list[str]:
    """What is in the way of a sheet that was to be saved; empty if it was only checked."""
    if step not in SAVE_BUTTONS or sheet.open_choices:
        return []
    if rows := [str(row.number_at_table) for row in sheet.rows if row.problems]:
        return [f"Correct {'hand' if len(rows) == 1 else 'hands'} {join_with_and(rows)} first."]
    return list(sheet.unfit) or [f"{sheet.foot.sentences[0]} Correct it, or save it all the same."]


def _keep_draft(
    request: HttpRequest, page: TablePage, sheet: TypedSheet, form_data: Mapping[str, str]
) -> None:
    if sheet.typed_anything and not page.closed_because:
        services.keep_draft(request, page.game.pk, form_data)


def _saved_sentence(saved_count: int, changed_count: int) -> str:
    text = {0: "no new hands to save", 1: "1 hand saved"}.get(
        saved_count, f"{saved_count} hands saved"
    )
    if not changed_count:
        return text
    changed_hands = "1 recorded hand" if changed_count == 1 else f"{changed_count} recorded hands"
    put_right = f"{changed_hands} changed to match the paper"
    return f"{text}, {put_right}" if saved_count else put_right


def _render_sheet(
    request: HttpRequest,
    page: TablePage,
    sheet: TypedSheet,
    *,
    reasons: Sequence[str] = (),
    asks: bool = False,
    draft: Any = None,
) -> HttpResponse:
    """``asks``: whether the sheet is to be saved although the totals on the paper differ."""
    context = {
        "page": page,
        "table": page.view,
        "sheet": sheet,
        "neighbours": _neighbours(page.event),
        "stack": reverse(f"{page.event.desk}-sheets", args=page.event.place[:-1]),
        "refused": reasons,
        "asks": asks,
        "differs": request.method == "POST" and sheet.open_choices,
        "draft": draft,
        "others": services.others_typing(request, page.game.pk),
        "may_change": sheet.may_change,
        **page.extra,
    }
    # Another report that stands is 409, any other mistake 422; a sheet to look at is 200.
    status = 200
    if request.method == "POST" and sheet.open_choices:
        status = CONFLICT
    elif request.method == "POST" and (reasons or sheet.problems):
        status = UNPROCESSABLE
    return render(request, "clubs/table/sheet.html", context, status=status)
