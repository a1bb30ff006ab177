"""Hands agreed, disputed, decided and taken back, one corrected, and the wizard for several."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from clubs.core.forms import add_problems
from clubs.core.pages import run_action
from clubs.language.moments import time_of_day
from clubs.models.names import first_names
from clubs.table import services
from clubs.table.event import PlayedTable, missing_hand_is_404
from clubs.table.forms.hands import (
    CorrectionForm,
    apply_figure_button,
    hand_form_data,
    keep_tiles,
    playing_seats,
    refill_form,
)
from clubs.table.forms.repairs import (
    MAX_NOTE_LENGTH,
    FiguresForm,
    NotRightForm,
    ReasonForm,
    RepairForm,
    SeatsForm,
    SheetsForm,
    WinnerForm,
)
from clubs.table.pages.table import UNPROCESSABLE, TablePage
from clubs.table.rows import HandView, RulingChange, TableView, hands_in_words
from scoring.hands.problems import Code
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game, Hand, HandState, Repair, RepairKind
from scoring.scorebook.refusals import ProblemLike, Refusal, Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row
from scoring.scorebook.services import Mistake
from scoring.scorebook.services.rewriting import Rewriting

SEAT_PATTERN: Final = re.compile(r"\bSeat ([1-5])\b")
FINDING_PATTERN: Final = re.compile(r"games\.(\d+)\.hands\.(\d+)")
PREVIEW_REASON: Final = "only looked at"
REPAIR_QUESTIONS: Final = {
    RepairKind.SEATS: "who sat in each other’s seats, and when?",
    RepairKind.FIGURES: "whose scores were swapped, and when?",
    RepairKind.SHEETS: "which table’s score sheet was swapped with this one?",
}
UNCARRIED_FIELDS: Final = {"csrfmiddlewaretoken", "step", "reason", "mark"}


def agree(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """Agree to the hand, for one seat or, at the table's own link, for everyone."""
    seat_value = request.POST.get("seat", "")
    seat = page.seat or (int(seat_value) if seat_value in {"1", "2", "3", "4", "5"} else None)

    def describe_agreement(agreed_hand: Hand) -> str:
        if agreed_hand.state == HandState.AGREED:
            return f"Hand {agreed_hand.number_at_table} agreed by the table."
        subject_phrase = (
            "You have" if page.seat else f"{page.view.names.get(seat or 0, 'Everyone')} has"
        )
        return f"{subject_phrase} agreed to hand {agreed_hand.number_at_table}."

    for key, seen_digest in _shown_hands(request, page, hand).items():
        say = partial(
            services.record_agreement,
            table=page.event,
            hand_id=key,
            seats=None if seat is None else {seat},
            agrees=True,
            seen_digest=seen_digest,
            said_by=page.sent_by,
        )
        _run_hand_action(request, say, describe_agreement)
    # Earlier hands are agreed on their own page.
    is_last = not page.view.hands or page.view.hands[-1].row.pk == hand
    return redirect(
        page.address if is_last and not page.event.is_past else page.action_url("hands")
    )


def _shown_hands(request: HttpRequest, page: TablePage, hand: int) -> dict[int, str]:
    """What was shown of the hand, and of others that are agreed with the same press."""
    hands = {hand: request.POST.get("shown", "")}
    for review in page.waiting:
        key = review.hand.row.pk
        if seen_digest := request.POST.get(f"shown_{key}"):
            hands[key] = seen_digest
    return hands


def _run_hand_action(
    request: HttpRequest, act: Callable[[], Hand], message: str | Callable[[Hand], str] = ""
) -> bool:
    """As ``pressed``; raises ``Http404`` for a hand of another table."""
    with missing_hand_is_404():
        return run_action(request, act, message)


def dispute(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """Dispute a hand: who objects, and what is wrong."""
    review = page.reviews.get(hand)
    if review is None or not page.may_change:
        message = "That hand has just been changed. This is the current version."
        messages.error(request, page.closed_because or message)
        return redirect(page.address)
    voices = [(voice.seat, voice.name) for voice in review.voices]
    start = {"shown": review.mark, "words": request.GET.get("words", "")[:MAX_NOTE_LENGTH]}
    query = request.POST if request.method == "POST" else None
    form = NotRightForm(voices, page.seat, query, initial=start)
    if query is not None and form.is_valid() and _save_dispute(request, page, review.hand, form):
        return redirect(page.address)
    return render(
        request,
        "clubs/table/not_right.html",
        {"page": page, "review": review, "hand": review.hand, "form": form, **page.extra},
        status=UNPROCESSABLE if form.errors else 200,
    )


def _save_dispute(
    request: HttpRequest, page: TablePage, hand: HandView, form: NotRightForm
) -> bool:
    """Whether it was stored; if not, the form says why and keeps the words."""
    try:
        services.record_agreement(
            table=page.event,
            hand_id=hand.row.pk,
            seats={form.speaker},
            agrees=False,
            seen_digest=form.cleaned_data["shown"],
            said_by=page.sent_by,
            note=form.note,
        )
    except Refused as refused:
        form.add_error(None, str(refused))
        form.show_again(page.reviews[hand.row.pk].mark)
        return False
    messages.success(
        request, f"Hand {hand.row.number_at_table} reported. The scorer will check it."
    )
    return True


def undo_hand(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """Explain what taking the hand back does; confirmed, take it back."""
    review = page.reviews.get(hand)
    if request.method != "POST" and review is not None:
        context = {"page": page, "review": review, "hand": review.hand, **page.extra}
        undone = {(page.game.pk, review.hand.row.number): None}
        context["ruling_changes"] = page.event.rulings_after(undone, reader=page.reader)
        return render(request, "clubs/table/take_back.html", context)
    undo = partial(services.undo_last_hand, table=page.event, hand_id=hand, taken_by=page.sent_by)
    if request.method == "POST" and not _run_hand_action(request, undo):
        return redirect(page.address)
    return redirect(f"{page.address}?again={hand}")


def initial_from_undone(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    """Initial data after ``?again=``: the hand that was taken back, to correct."""
    undone_hand = page.gone_now
    if undone_hand is None or request.GET.get("again") != str(undone_hand.hand.pk):
        return {}
    return {**hand_form_data(undone_hand.hand), **page.blank_hand()}


def undone_message(page: TablePage, hand: Hand) -> str:
    """The message to a phone that resends a hand which the table has taken back."""
    undone_hand = next(
        taken_back for taken_back in page.undone_hands if taken_back.hand.pk == hand.pk
    )
    return (
        f"Hand {hand.number_at_table} was undone at {time_of_day(undone_hand.taken_at)}, "
        "so this entry does not count. If the hand was played, enter it again."
    )


def correct(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """The scorer's page of one hand: confirm it as entered, or correct it."""
    if request.POST.get("step") == "uphold":
        reason = request.POST.get("reason", "")
        uphold = partial(
            services.confirm_hand,
            table=page.event,
            hand_id=hand,
            reason=reason,
            made_by=page.sent_by,
        )
        message = "Hand {0.number_at_table} kept as entered. The table can see your reason."
        return redirect(
            page.address if _run_hand_action(request, uphold, message.format) else request.path
        )
    view = next((view for view in page.view.hands if view.row.pk == hand), None)
    if view is None:
        messages.error(request, "That hand has just been corrected. This is the current version.")
        return redirect(page.address)
    if request.method == "POST":
        return _save_correction(request, page, view)
    return _render_correction(
        request, page, view, _correction_form(page, view, None, hand_form_data(view.row))
    )


def _correction_form(
    page: TablePage, view: HandView, data: Any, initial: Mapping[str, Any] | None = None
) -> CorrectionForm:
    sticks_before = page.sticks_before(view.row.number) | dict(
        Report.from_json(view.row.report).had
    )
    return CorrectionForm(
        playing_seats(view.row.winds, view.names),
        data,
        initial,
        rules=page.rules,
        sticks_before=sticks_before,
    )


def _save_correction(request: HttpRequest, page: TablePage, view: HandView) -> HttpResponse:
    step = request.POST.get("step", "")
    if step.startswith("tell:"):
        return _render_correction(
            request, page, view, _correction_form(page, view, None, refill_form(request.POST))
        )
    form = _correction_form(page, view, apply_figure_button(request.POST))
    if step == "change" or not form.is_valid():
        return _render_correction(request, page, view, form)
    report = keep_tiles(form.report, view.row)
    try:
        if step != "save":
            replacements = scorebook.preview_correction(hand_id=view.row.pk, report=report)
            return _render_correction(request, page, view, form, replacements=replacements)
        services.correct_hand(
            table=page.event,
            hand_id=view.row.pk,
            report=report,
            corrected_by=page.sent_by,
            reason=form.cleaned_data["reason"],
        )
    except Refused as refused:
        form.offer(refused)
        return _render_correction(request, page, view, form)
    messages.success(request, f"Hand {view.row.number_at_table} corrected.")
    return redirect(page.address)


def _render_correction(
    request: HttpRequest,
    page: TablePage,
    view: HandView,
    form: CorrectionForm,
    *,
    replacements: Sequence[scorebook.Replacement] = (),
) -> HttpResponse:
    pairs = [
        (
            *(
                _hand_view(hand, first_names(page.names_in(hand.game_id)))
                for hand in (moves.old, moves.new)
            ),
            moves.new.game_id != page.game.pk,
        )
        for moves in replacements
    ]
    return render(
        request,
        "clubs/table/correct.html",
        {"page": page, "form": form, "hand": view, "moved": pairs}
        | {"ruling_changes": rulings_after(page, replacements)}
        | {"review": page.reviews.get(view.row.pk), **page.extra},
        status=UNPROCESSABLE if form.errors else 200,
    )


def rulings_after(
    page: PlayedTable, replacements: Sequence[scorebook.Replacement]
) -> Sequence[RulingChange]:
    """What becomes of the rulings on hands that are corrected so."""
    hands = {(moves.old.game_id, moves.old.number): moves.new for moves in replacements}
    return page.event.rulings_after(hands, reader=page.reader) if hands else ()


@dataclass(frozen=True, slots=True)
class HandChange:
    """One hand before and after; None if it is new or removed."""

    number: int
    number_at_table: int
    old: HandView | None
    new: HandView | None


@dataclass(frozen=True, slots=True)
class TableChange:
    """The changes at one table: its hands, and each player's total before and after."""

    title: str
    pays: bool
    hands: tuple[HandChange, ...]
    totals: tuple[tuple[str, int, int], ...]


def rulings_after_repair(
    page: PlayedTable, repair_result: scorebook.RepairResult
) -> Sequence[RulingChange]:
    """What becomes of the rulings on hands that the repair changes."""
    hands = {
        (rewriting.game.pk, change.number): change.new
        for rewriting in repair_result.line
        for change in rewriting.changes
    }
    return page.event.rulings_after(hands, reader=page.reader) if hands else ()


def changes_by_table(
    page: PlayedTable, repair_result: scorebook.RepairResult
) -> tuple[TableChange, ...]:
    rulings = rulings_after_repair(page, repair_result)
    return tuple(
        _table_change(page, rewriting, rulings)
        for rewriting in repair_result.line
        if rewriting.changes
    )


def _table_change(
    page: PlayedTable, rewriting: Rewriting, rulings: Sequence[RulingChange]
) -> TableChange:
    table = page.tables[rewriting.game.pk]
    names = first_names(table.names)
    hands, gains = [], Counter(dict.fromkeys(names, 0))
    for change in rewriting.changes:
        hands.append(
            HandChange(
                number=change.number,
                number_at_table=table.game.hands_before + change.number,
                old=_hand_view(change.old, names),
                new=_hand_view(change.new, names),
            )
        )
        gains.subtract(change.old.gains if change.old else {})
        gains.update(change.new.gains if change.new else {})
    for ruling in rulings:
        if ruling.game_id == rewriting.game.pk:
            gains.update(ruling.points)
    old_totals = {seat: points + page.stake for seat, points in table.game.totals.items()}
    totals = tuple(
        (names[seat], old_totals[seat], old_totals[seat] + gains[seat]) for seat in sorted(names)
    )
    return TableChange(table.title, page.pays, tuple(hands), totals)


def _hand_view(hand: Hand | None, names: Mapping[int, str]) -> HandView | None:
    if hand is None:
        return None
    return HandView(hand_row(hand, hands_before=hand.game.hands_before), names)


def mistake_in_words(mistake: Mistake, tables: Mapping[int, TableView]) -> str:
    """A sentence on the repair that the table reads."""
    table = tables[mistake.game_id]
    hands_before = table.game.hands_before
    if mistake.kind == RepairKind.SHEETS and mistake.other_id is not None:
        which = (
            "All hands"
            if mistake.first == 1
            else f"The hands from {hands_before + mistake.first} on"
        )
        other_table = tables[mistake.other_id]
        return f"{which} of {table.title.lower()} and {other_table.title.lower()} are swapped."
    if mistake.kind == RepairKind.WINNER and mistake.report is not None:
        winner = mistake.report.winner
        winner_name = "nobody" if winner is None else first_names(table.names)[winner]
        return f"Hand {hands_before + mistake.first}: {winner_name} went Mah-Jong."
    first, second = (first_names(table.names)[seat] for seat in mistake.seats or ())
    if mistake.kind == RepairKind.FIGURES:
        return (
            f"The scores of {first} and {second} are swapped "
            f"{_hands_phrase(mistake, hands_before)}."
        )
    swap_text = (
        "only the winds are swapped" if mistake.names_are_right else "winds and scores are swapped"
    )
    return (
        f"{first} and {second} sat in each other’s seats {_hands_phrase(mistake, hands_before)}: "
        f"{swap_text}."
    )


def _hands_phrase(mistake: Mistake, hands_before: int) -> str:
    first = hands_before + mistake.first
    if mistake.last is None:
        return f"{hands_in_words(first, None)} on"
    return f"in {hands_in_words(first, hands_before + mistake.last)}"


def refusal_with_names(refusal: Refused, tables: Mapping[int, TableView]) -> Refused:
    """The refusal with players instead of seats, and with the table if there are two."""
    return Refused([_finding_with_names(finding, tables) for finding in refusal.problems])


def _finding_with_names(finding: ProblemLike, tables: Mapping[int, TableView]) -> ProblemLike:
    code, message = finding.code, finding.message
    match = FINDING_PATTERN.fullmatch(finding.path)
    table = tables.get(int(match[1])) if match else None
    if match is None or table is None:
        return finding
    names = first_names(table.names)
    seat = SEAT_PATTERN.search(message)
    if code == Code.BAD_OUTCOME and seat:
        reason = "would sit out and cannot have gone Mah-Jong."
        number = table.game.hands_before + int(match[2])
        message = f"hand {number} would not fit: {names[int(seat[1])]} {reason}"
        return Refusal(code, f"{table.title}, {message}")
    message = SEAT_PATTERN.sub(lambda match: names.get(int(match[1]), match[0]), message)
    return Refusal(code, f"{table.title}, {message[0].lower()}{message[1:]}")


def find_repair(game: Game, repair_id: int) -> Repair | None:
    return Repair.objects.filter(pk=repair_id, games__game=game).first()


def repair_wizard(request: HttpRequest, page: TablePage) -> HttpResponse:
    """One step of the wizard: the next question, or the result."""
    if not page.may_change:
        messages.error(request, page.closed_because)
        return redirect(page.address)
    query = request.POST if request.method == "POST" else request.GET
    kind, step = query.get("kind", ""), request.POST.get("step", "")
    form = _repair_form(page, kind, query, is_sent=request.method == "POST")
    if form is None:
        return _render_step(request, page, "which_hand" if kind == RepairKind.WINNER else "what")
    if request.method != "POST" or step.startswith(("change", "tell:")) or not form.is_valid():
        return _ask_details(request, page, kind, form)
    return (
        _save_repair(request, page, form)
        if step == "save"
        else _preview_repair(request, page, form)
    )


def _save_repair(request: HttpRequest, page: TablePage, form: RepairForm) -> HttpResponse:
    """Step 4: save as previewed; preview again if the game has changed."""
    reason = ReasonForm(request.POST)
    if not reason.is_valid():
        return _preview_repair(request, page, form, reason)
    reason_text, mark = reason.cleaned_data["reason"], request.POST.get("mark", "")
    try:
        repair_result = repair_action(page, form.mistake(page.game.pk))(
            reason=reason_text, mark=mark
        )
    except Refused as refused:
        add_problems(reason, refusal_with_names(refused, page.tables))
        return _preview_repair(request, page, form, reason)
    messages.success(request, f"Corrected. {repair_result.repair.words}")
    return redirect(page.address)


def _repair_form(page: TablePage, kind: str, value: Any, *, is_sent: bool) -> RepairForm | None:
    """The form for that kind of repair; None if the kind is unknown."""
    view, data = page.view, value if is_sent else None
    if kind == RepairKind.WINNER:
        return _winner_form(page, value, data)
    if kind == RepairKind.SHEETS:
        return sheets_form(page, data)
    if kind == RepairKind.SEATS:
        return SeatsForm(view.names, view.hands, data)
    return FiguresForm(view.names, view.hands, data) if kind == RepairKind.FIGURES else None


def sheets_form(table: PlayedTable, data: Any) -> SheetsForm:
    """The form for two tables' sheets, with the tables beside this one."""
    other_tables = table.other_tables
    names = {
        key: f"{other_table.title}: {', '.join(other_table.names.values())}"
        for key, other_table in other_tables.items()
    }
    hands = [len(view.game.hands) for view in (table.view, *other_tables.values())]
    return SheetsForm(names, range(1, max(hands) + 1), table.view.game.hands_before, data)


def _winner_form(page: TablePage, value: Any, data: Any) -> WinnerForm | None:
    view = next(
        (view for view in page.view.hands if str(view.row.number) == value.get("hand")), None
    )
    if view is None:
        return None
    if data is not None:
        data = None if data.get("step", "").startswith("tell:") else apply_figure_button(data)
    initial = hand_form_data(view.row) if data is None else None
    if value.get("step", "").startswith("tell:"):
        initial = refill_form(value)
    return WinnerForm(
        playing_seats(view.row.winds, view.names),
        view.row,
        data,
        initial=initial,
        rules=page.rules,
        sticks_before=page.sticks_before(view.row.number)
        | dict(Report.from_json(view.row.report).had),
    )


def repair_action(table: PlayedTable, mistake: Mistake) -> Callable[..., scorebook.RepairResult]:
    """The repair, without a reason yet."""
    description = mistake_in_words(mistake, table.tables)
    return partial(
        services.repair_hands,
        table=table.event,
        mistake=mistake,
        description=description,
        made_by=table.sent_by,
    )


def _preview_repair(
    request: HttpRequest, page: TablePage, form: RepairForm, reason: ReasonForm | None = None
) -> HttpResponse:
    """Step 3: preview every change by applying it and rolling back."""
    try:
        act = partial(repair_action(page, form.mistake(page.game.pk)), reason=PREVIEW_REASON)
        trial = services.try_out(act, page.event)
    except Refused as refused:
        add_problems(form, refusal_with_names(refused, page.tables))
        return _ask_details(request, page, str(request.POST["kind"]), form)
    return _render_step(
        request,
        page,
        "consequences",
        words=trial.repair_result.repair.words,
        changes=changes_by_table(page, trial.repair_result),
        ruling_changes=rulings_after_repair(page, trial.repair_result),
        moved=trial.rank_changes,
        mark=trial.repair_result.mark,
        carried=[
            (name, value) for name, value in request.POST.items() if name not in UNCARRIED_FIELDS
        ],
        form=reason or ReasonForm(),
        status=UNPROCESSABLE if reason else 200,
    )


def _ask_details(
    request: HttpRequest, page: TablePage, kind: str, form: RepairForm
) -> HttpResponse:
    """Step 2: choose players, hands and table."""
    return _render_step(
        request,
        page,
        "winner" if kind == RepairKind.WINNER else "question",
        kind=kind,
        asked=REPAIR_QUESTIONS.get(RepairKind(kind)),
        form=form,
        status=UNPROCESSABLE if form.errors else 200,
    )


def _render_step(
    request: HttpRequest, page: TablePage, step: str, *, status: int = 200, **context: Any
) -> HttpResponse:
    context = {"page": page, **page.extra, **context}
    return render(request, f"clubs/table/repair_{step}.html", context, status=status)


def undo_correction(request: HttpRequest, page: TablePage, repair: int) -> HttpResponse:
    """Preview undoing a repair; on POST, undo it."""
    result = find_repair(page.game, repair)
    if result is None:
        raise Http404
    act = partial(services.undo_repair, table=page.event, repair=result, undone_by=page.sent_by)
    try:
        if request.method == "POST":
            act()
            messages.success(request, f"Correction undone: {result.words}")
            return redirect(page.address)
        trial = services.try_out(act, page.event)
    except Refused as refused:
        messages.error(request, str(refusal_with_names(refused, page.tables)))
        return redirect(page.address)
    context = {
        "page": page,
        "repair": result,
        "changes": changes_by_table(page, trial.repair_result),
        "ruling_changes": rulings_after_repair(page, trial.repair_result),
        "moved": trial.rank_changes,
        **page.extra,
    }
    return render(request, "clubs/table/repair_back.html", context)
