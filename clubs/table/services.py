"""Hands entered, agreed, decided and corrected at a table of any event, sheets, tiles and links."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from clubs.models import Club, News, ReplacedLink, link_key
from clubs.table.event import PLAYERS_CHANGED, TOO_LATE_MESSAGE, PlayedTable, TableEvent
from clubs.table.rankings import RankingChange, ranking_changes
from scoring.building import Draft as TileDraft, Steps
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand, Repair
from scoring.scorebook.refusals import Refusal, Refused, refuse
from scoring.scorebook.reports import Report
from scoring.scorebook.services import Mistake, RecordedHand, RepairResult
from scoring.scorebook.services.games import TapAnswer, forget_tapped_tiles, tap_tiles

PAPER_SHEET_REASON = "As on the paper score sheet"
DRAFTS_SESSION_KEY: Final = "sheets"
MAX_DRAFTS: Final = 60
UNKEPT_FIELDS: Final = frozenset({"csrfmiddlewaretoken", "step", "at", "choose-all"})
TYPING_PERIOD: Final = timedelta(minutes=3)


@scorebook.count_results
@transaction.atomic
def post_hand(
    *,
    table: TableEvent,
    submission_id: UUID,
    number: int,
    report: Report,
    sent_by: str,
    seat: int | None = None,
    entered_at: datetime | None = None,
) -> RecordedHand:
    """Record a hand and raise the event's version, in one transaction.

    The seat that sends it has thereby agreed. ``entered_at``: when a phone without a line kept it.
    Refused as ``record_hand`` does, and where the event takes no hand.
    """
    game = scorebook.lock_game(table.row.game_id)
    if stored_hand := table.sent_before(submission_id, number, entered_at):
        return RecordedHand(scorebook.hand_of_submission(stored_hand, report), is_new=False)
    recorded_hand = scorebook.record_hand(
        game=game,
        submission_id=submission_id,
        number=number,
        report=report,
        sent_by=sent_by,
        entered_at=entered_at,
    )
    if recorded_hand.is_new:
        if seat is not None:
            sitters = table.sitters(recorded_hand.hand.pk)
            scorebook.agree_as_sender(recorded_hand.hand, seat=seat, sitters=sitters)
        table.work_out_rulings([game.pk], written_by=sent_by)
        table.touch()
        table.tell(News.HAND_RECORDED, recorded_hand.hand)
    return recorded_hand


def post_page_hand(
    page: PlayedTable,
    submission_id: UUID,
    number: int,
    report: Report,
    *,
    entered_at: datetime | None = None,
) -> RecordedHand:
    """Record a hand as sent by whoever has the table open there."""
    return post_hand(
        table=page.event,
        submission_id=submission_id,
        number=number,
        report=report,
        sent_by=page.sent_by,
        seat=page.seat,
        entered_at=entered_at,
    )


def hand_before_change(submission_id: UUID, report: Report) -> Hand:
    """The hand that this submission stored before the table's players changed.

    Refused if it stored none: what others scored is not entered for those who play now.
    """
    stored_hand = Hand.objects.filter(submission_id=submission_id).first()
    if stored_hand is None:
        raise refuse(PLAYERS_CHANGED, TOO_LATE_MESSAGE)
    return scorebook.hand_of_submission(stored_hand, report)


def preview_hand(
    *, table: TableEvent, submission_id: UUID, number: int, report: Report
) -> RecordedHand:
    """The result of ``post_hand`` now; nothing is stored."""
    table.sent_before(submission_id, number)
    return scorebook.preview_hand(
        game_id=table.row.game_id, submission_id=submission_id, number=number, report=report
    )


@transaction.atomic
def correct_hand(
    *, table: TableEvent, hand_id: int, report: Report, corrected_by: str, reason: str
) -> Hand:
    """The scorer's ruling on a hand of this table; later hands are replayed."""
    table.lock()
    hand = scorebook.correct_hand(
        hand_id=hand_id, report=report, corrected_by=corrected_by, reason=reason
    )
    table.work_out_rulings([hand.game_id], written_by=corrected_by)
    table.touch()
    table.tell(News.HAND_CORRECTED, hand)
    return hand


@transaction.atomic
def name_first_dealer(*, table: TableEvent, seat: int) -> None:
    """Set the first dealer, while the table is played and before its first hand."""
    table.lock()
    table.check_playing()
    scorebook.name_first_dealer(game_id=table.row.game_id, seat=seat)
    table.touch()


@transaction.atomic
def record_agreement(
    *,
    table: TableEvent,
    hand_id: int,
    seats: Collection[int] | None,
    agrees: bool,
    seen_digest: str | None,
    said_by: str,
    note: str = "",
) -> Hand:
    """These seats (None: all that played) agree or not, until the event is finished."""
    table.lock()
    hand = scorebook.record_agreement(
        game_id=table.row.game_id,
        hand_id=hand_id,
        seats=seats,
        agrees=agrees,
        seen_digest=seen_digest,
        sitters=table.sitters(hand_id),
        said_by=said_by,
        note=note,
    )
    table.touch()
    if not agrees:
        table.tell(News.HAND_DISPUTED, hand)
    return hand


@transaction.atomic
def confirm_hand(*, table: TableEvent, hand_id: int, reason: str, made_by: str) -> Hand:
    """The scorer confirms a hand as entered, until the event is finished."""
    table.lock()
    hand = scorebook.decide_hand(
        game_id=table.row.game_id, hand_id=hand_id, reason=reason, made_by=made_by
    )
    table.touch()
    table.tell(News.HAND_DECIDED, hand)
    return hand


@transaction.atomic
def undo_last_hand(*, table: TableEvent, hand_id: int, taken_by: str) -> Hand:
    """The table takes back its last hand, as long as it may then enter it again."""
    table.lock()
    table.check_playing()
    hand = scorebook.undo_hand(game_id=table.row.game_id, hand_id=hand_id, taken_by=taken_by)
    table.check_next()
    table.work_out_rulings([hand.game_id], written_by=taken_by)
    table.touch()
    table.tell(News.HAND_UNDONE, hand)
    return hand


@transaction.atomic
def repair_hands(
    *,
    table: TableEvent,
    mistake: Mistake,
    description: str,
    reason: str,
    made_by: str,
    mark: str | None = None,
) -> RepairResult:
    """Repair a mistake at one or two tables of the event, until it is finished.

    Raises ``Refused`` as ``scorebook.repair`` does; the event's version goes up.
    """
    table.lock_games(mistake.game_ids)
    repair_result = scorebook.repair_games(
        mistake=mistake, description=description, reason=reason, made_by=made_by, mark=mark
    )
    table.work_out_rulings(mistake.game_ids, written_by=made_by)
    table.touch()
    table.tell(News.HANDS_REPAIRED)
    return repair_result


@transaction.atomic
def undo_repair(*, table: TableEvent, repair: Repair, undone_by: str) -> RepairResult:
    """Undo a repair within a day, until the event is finished."""
    game_ids = [piece.game_id for piece in repair.games.all()]
    table.lock_games(game_ids)
    repair_result = scorebook.undo_repair(repair_id=repair.pk, undone_by=undone_by)
    table.work_out_rulings(game_ids, written_by=undone_by)
    table.touch()
    table.tell(News.HANDS_REPAIRED)
    return repair_result


@dataclass(frozen=True, slots=True)
class RepairTrial:
    """The effect of a repair or its undoing, and who would move in the rankings."""

    repair_result: RepairResult
    rank_changes: tuple[RankingChange, ...]


def try_out(act: Callable[[], RepairResult], table: TableEvent) -> RepairTrial:
    """Run the act, compare the rankings, and roll back. Raises ``Refused`` as the act does."""
    with transaction.atomic():
        old_rankings = table.rankings()
        repair_result = act()
        new_rankings = table.rankings()
        transaction.set_rollback(True)
    return RepairTrial(repair_result, ranking_changes(old_rankings, new_rankings))


@dataclass(frozen=True, slots=True)
class SheetHand:
    """One row of a sheet, ready for the book; ``submission_id`` makes sending idempotent."""

    submission_id: UUID
    number: int
    report: Report


@dataclass(frozen=True, slots=True)
class PaperAccount:
    """A game as on paper: the hands kept ``kept_reports``, and ``later_reports`` ones after them.

    ``seen_hands`` are the keys of the book's hands that the paper was compared with.
    """

    kept_reports: Sequence[Mapping[str, Any]]
    later_reports: Sequence[Report]
    seen_hands: Sequence[int]

    @property
    def reports(self) -> list[Report]:
        return [*(Report.from_json(report) for report in self.kept_reports), *self.later_reports]


@transaction.atomic
def post_sheet(
    *,
    table: TableEvent,
    hands: Sequence[SheetHand],
    sent_by: str,
    telling: PaperAccount | None = None,
) -> list[RecordedHand]:
    """Save a whole sheet or nothing: first the changes to the book, then its new hands in order.

    Raises ``Refused`` as ``post_hand`` and ``scorebook.tell_anew`` do, at the first refusal.
    """
    if telling is not None:
        table.lock()
        scorebook.rewrite_from_reports(
            game_id=table.row.game_id,
            reports=telling.reports,
            seen_keys=telling.seen_hands,
            written_by=sent_by,
            reason=PAPER_SHEET_REASON,
        )
        table.work_out_rulings([table.row.game_id], written_by=sent_by)
        table.touch()
    return [
        post_hand(
            table=table,
            submission_id=hand.submission_id,
            number=hand.number,
            report=hand.report,
            sent_by=sent_by,
        )
        for hand in hands
    ]


@transaction.atomic
def put_tiles(*, game_id: int, number: int, seat: int, taps: Sequence[str]) -> TapAnswer:
    """Apply these taps to an empty rack, all of them or none.

    Raises ``Refused`` with a sentence for each tap without effect, and as ``tap_tiles`` does.
    """
    forget_tapped_tiles(game_id=game_id, number=number, seat=seat)
    tap_answer = tap_tiles(
        game_id=game_id, number=number, seat=seat, sent_steps=Steps(TileDraft(won=False)), taps=taps
    )
    if tap_answer.result.refusals:
        raise Refused(
            [Refusal("bad_tap", message, "taps") for message in tap_answer.result.refusals]
        )
    return tap_answer


@transaction.atomic
def replace_links(*, table: TableEvent) -> str:
    """Replace a table's link; its old links and its seats' links stop working.

    So do those of its earlier games, as they lead to the table. Returns the new key.
    """
    new = {row.pk: _replace_link(row, table.club) for row in table.lock_links()}
    return new[table.row.pk]


def _replace_link(row: Any, club: Club) -> str:
    old, new = row.link_key, link_key()
    ReplacedLink.objects.filter(stands=old).update(stands=new)
    ReplacedLink.objects.create(club=club, key=old, stands=new)
    row.link_key = new
    row.save(update_fields=["link_key"])
    return new


@dataclass(frozen=True, slots=True)
class SheetDraft:
    """An unfinished sheet, and when it was last typed in."""

    typed_fields: Mapping[str, str]
    typed_at: datetime


def keep_draft(request: HttpRequest, game_id: int, form_data: Mapping[str, Any]) -> None:
    """Keep the form data for the signed-in user until the sheet is saved."""
    drafts = _drafts(request)
    drafts.pop(str(game_id), None)
    entries = {
        name: str(value) for name, value in form_data.items() if value and name not in UNKEPT_FIELDS
    }
    drafts[str(game_id)] = {"at": timezone.now().isoformat(), "typed": entries}
    request.session[DRAFTS_SESSION_KEY] = dict(list(drafts.items())[-MAX_DRAFTS:])


def forget_draft(request: HttpRequest, game_id: int) -> None:
    """Delete the draft, because the sheet was saved or is started afresh."""
    drafts = _drafts(request)
    if drafts.pop(str(game_id), None) is not None:
        request.session[DRAFTS_SESSION_KEY] = drafts


def draft_of(request: HttpRequest, game_id: int) -> SheetDraft | None:
    """The draft of the game's sheet in this browser, unless it was saved."""
    draft = _drafts(request).get(str(game_id))
    return SheetDraft(draft["typed"], datetime.fromisoformat(draft["at"])) if draft else None


def games_begun(request: HttpRequest) -> frozenset[int]:
    return frozenset(int(key) for key in _drafts(request))


def others_typing(request: HttpRequest, game_id: int) -> list[str]:
    """Who else has typed in the same sheet in the last minutes; notes this user too."""
    key, now = f"typing-sheet-{game_id}", timezone.now()
    typists: dict[int, tuple[str, datetime]] = cache.get(key, {})
    recent = {pk: entry for pk, entry in typists.items() if now - entry[1] < TYPING_PERIOD}
    own_pk = int(request.user.pk or 0)
    other_names = [name for pk, (name, _) in recent.items() if pk != own_pk]
    recent[own_pk] = (str(getattr(request.user, "name", "")) or "Someone", now)
    cache.set(key, recent, TYPING_PERIOD.total_seconds())
    return other_names


def _drafts(request: HttpRequest) -> dict[str, Any]:
    return dict(request.session.get(DRAFTS_SESSION_KEY, {}))
