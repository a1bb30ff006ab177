"""Hands corrected, put right together and restored."""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, fields, replace
from hashlib import sha256
from itertools import zip_longest
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.utils import timezone

from scoring import BadOutcome, Deal
from scoring.scorebook import ledger, selectors
from scoring.scorebook.models import (
    Game,
    Hand,
    HandState,
    LinkKind,
    Repair,
    RepairedGame,
    RepairKind,
)
from scoring.scorebook.refusals import ProblemLike, Refusal, Refused, refuse
from scoring.scorebook.reports import SEAT_FIELDS, Report
from scoring.scorebook.selectors import UNDO_PERIOD, Outcome, outcome_of
from scoring.scorebook.services.games import MAX_REASON_LENGTH, clean_reason
from scoring.scorebook.services.recording import count_outcome, new_hand, remove_hand
from scoring.table.progression import Exchange, exchanges_between


@dataclass(frozen=True, slots=True)
class GameSheet:
    """A game as it was told: the reports of its hands in order, and who changed places when."""

    reports: tuple[Report, ...]
    exchanges: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """What went wrong at a game, from hand ``first`` to ``last`` (None: to the last one).

    Two ``seats`` for SEATS and FIGURES; for SEATS ``names_are_right`` says whose figures they are:
    each player's own (the winds were wrong), or each wind's (the names were wrong). The ``report``
    of what happened for WINNER, the key of the ``other`` game for SHEETS.
    """

    kind: RepairKind
    game_id: int
    first: int
    last: int | None = None
    seats: tuple[int, int] | None = None
    names_are_right: bool = True
    report: Report | None = None
    other_id: int | None = None

    @property
    def game_ids(self) -> tuple[int, ...]:
        """The games that it touches, its own first."""
        return (self.game_id,) if self.other_id is None else (self.game_id, self.other_id)


def corrected_sheets(mistake: Mistake, sheets: Sequence[GameSheet]) -> tuple[GameSheet, ...]:
    """The sheets of its games as they should have been, in the order of ``game_ids``.

    Raises ``Refused`` where it names hands, seats or tables that there are not.
    """
    own_sheet = sheets[0]
    if mistake.kind == RepairKind.SHEETS:
        return _swap_later_hands(mistake, *sheets)
    hands_played = len(own_sheet.reports)
    if not 1 <= mistake.first <= hands_played:
        raise refuse("no_hand", f"Hand {mistake.first} has not been played.", "first")
    if mistake.last is not None and not mistake.first <= mistake.last <= hands_played:
        raise refuse(
            "no_hand", f"Choose hand {mistake.first} or a later one as the last hand.", "last"
        )
    if mistake.kind == RepairKind.WINNER:
        if mistake.report is None:
            raise refuse("no_report", "Choose who went Mah-Jong.", "winner")
        index = mistake.first - 1
        return (
            replace(
                own_sheet,
                reports=(
                    *own_sheet.reports[:index],
                    mistake.report,
                    *own_sheet.reports[index + 1 :],
                ),
            ),
        )
    first, other_seat = _mistaken_seats(mistake)
    names_stay = mistake.kind == RepairKind.SEATS and mistake.names_are_right
    last = mistake.last or hands_played
    reports = own_sheet.reports
    if not names_stay:
        reports = tuple(
            swap_seats(report, first, other_seat) if mistake.first <= number <= last else report
            for number, report in enumerate(own_sheet.reports, start=1)
        )
    if mistake.kind == RepairKind.FIGURES:
        return (replace(own_sheet, reports=reports),)
    stretch = exchanges_between(
        own_sheet.exchanges, (first, other_seat), mistake.first, mistake.last
    )
    return (GameSheet(reports, stretch),)


def swap_seats(report: Report, first: int, other_seat: int) -> Report:
    """The report with everything that was told of either seat told of the other."""
    comes = {first: other_seat, other_seat: first}
    changes: dict[str, Any] = {}
    for field in fields(report):
        value = getattr(report, field.name)
        if field.name in SEAT_FIELDS:
            changes[field.name] = comes.get(value, value)
        elif isinstance(value, Mapping):
            changes[field.name] = {comes.get(seat, seat): entry for seat, entry in value.items()}
    return replace(report, **changes)


def _swap_later_hands(
    mistake: Mistake, own_sheet: GameSheet, *other_sheets: GameSheet
) -> tuple[GameSheet, ...]:
    """Both tables' hands from one on; that one, at least, both tables must have come to."""
    if not other_sheets:
        raise refuse("no_table", "Choose the other table.", "other")
    (other_sheet,) = other_sheets
    hands_before = mistake.first - 1
    shorter, longer = sorted([len(own_sheet.reports), len(other_sheet.reports)])
    if not 0 <= hands_before <= shorter or hands_before >= longer:
        message = f"Choose a hand that both tables have played: 1 to {max(shorter, 1)}."
        raise refuse("no_hand", message, "first")
    return (
        replace(
            own_sheet,
            reports=(*own_sheet.reports[:hands_before], *other_sheet.reports[hands_before:]),
        ),
        replace(
            other_sheet,
            reports=(*other_sheet.reports[:hands_before], *own_sheet.reports[hands_before:]),
        ),
    )


def _mistaken_seats(mistake: Mistake) -> tuple[int, int]:
    if mistake.seats is None or mistake.seats[0] == mistake.seats[1]:
        raise refuse("same_player", "Choose two different players.", "other_seat")
    return mistake.seats


@dataclass(frozen=True, slots=True)
class HandChange:
    """One hand before and after: ``old`` None where it is added, ``new`` None where it goes."""

    old: Hand | None
    new: Hand | None

    @property
    def number(self) -> int:
        return next(hand.number for hand in (self.old, self.new) if hand is not None)


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A game as it stood and the sheet it is to have, and the hands that change by it."""

    game: Game
    standing: tuple[Hand, ...]
    old_sheet: GameSheet
    sheet: GameSheet
    changes: tuple[HandChange, ...]
    next_rewriting: "Rewriting | None" = None
    """The game that carries this one on, where it begins otherwise by it."""

    @property
    def line(self) -> "tuple[Rewriting, ...]":
        """This one, and those of the games that carry it on."""
        return (self, *(self.next_rewriting.line if self.next_rewriting else ()))

    @property
    def is_nothing(self) -> bool:
        return not self.changes and self.sheet.exchanges == self.old_sheet.exchanges


class DoesNotFit(Exception):
    """Hands that could not have been played so: the number of each and what is wrong with it."""

    def __init__(self, findings: Sequence[tuple[int, ProblemLike]]) -> None:
        super().__init__(
            "; ".join(f"hand {number}: {finding.message}" for number, finding in findings)
        )
        self.findings = tuple(findings)


def game_sheet(game: Game) -> GameSheet:
    """What the book has of a game; one query."""
    return _make_sheet(game, _standing_hands(game))


def rewrite_game(game: Game, sheet: GameSheet, *, ruled_numbers: Collection[int] = ()) -> Rewriting:
    """The game played again by the sheet; nothing is stored. Raises ``DoesNotFit``.

    Only hands whose report or deal changes are replaced, and those of the numbers that were
    ``ruled_numbers`` on. Nobody has ruled on one that is only played again: what was disputed still
    is.
    """
    as_wanted = copy(game)
    as_wanted.exchanges = [list(exchange) for exchange in sheet.exchanges]
    standing = _standing_hands(game)
    deals = _deals_by_number(as_wanted, [Outcome(report.winner, {}) for report in sheet.reports])
    played_hands: list[Hand] = []
    findings: list[tuple[int, ProblemLike]] = []
    for number, report in enumerate(sheet.reports, start=1):
        old = standing[number - 1] if number <= len(standing) else None
        is_ruled = number in ruled_numbers
        if (
            old is not None
            and not is_ruled
            and old.report == report.as_json()
            and old.deal == selectors.deal_as_json(deals[number])
        ):
            played_hands.append(old)
            continue
        try:
            played_hands.append(
                _replacement_hand(as_wanted, deals[number], report, old, is_ruled=is_ruled)
            )
        except Refused as refused:
            findings += [(number, problem) for problem in refused.problems]
    if findings:
        raise DoesNotFit(findings)
    _deals_by_number(as_wanted, [outcome_of(hand) for hand in played_hands])
    changes = tuple(
        HandChange(old, new) for old, new in zip_longest(standing, played_hands) if old is not new
    )
    later_rewriting = _rewrite_later_game(as_wanted, [outcome_of(hand) for hand in played_hands])
    return Rewriting(game, standing, _make_sheet(game, standing), sheet, changes, later_rewriting)


def _rewrite_later_game(game: Game, hand_outcomes: Sequence[Outcome]) -> Rewriting | None:
    """The game that carries this one on, played again from where this one stops now.

    None where it begins as before. Raises ``Refused`` for its hands that no longer fit.
    """
    following = Game.objects.filter(continues=game.pk).first()
    if following is None:
        return None
    opening = selectors.opening_from(game, hand_outcomes, selectors.seats_before(following))
    if opening == following.opening:
        return None
    following.opening = opening
    try:
        return rewrite_game(following, game_sheet(following))
    except DoesNotFit as doubt:
        raise Refused(
            [
                Refusal(
                    finding.code,
                    f"Hand {following.hands_before + number}, played after the players changed, "
                    f"would no longer fit: {finding.message}",
                )
                for number, finding in doubt.findings
            ]
        ) from doubt


def rewrite_or_refuse(game: Game, sheet: GameSheet, path: str) -> Rewriting:
    """The same, but refused: each hand that could not have been played so, at its place."""
    try:
        return rewrite_game(game, sheet)
    except DoesNotFit as doubt:
        refusals = []
        for number, finding in doubt.findings:
            message = f"Hand {game.hands_before + number} would not fit: {finding.message}"
            refusals.append(Refusal(finding.code, message, f"{path}.{number}"))
        raise Refused(refusals) from doubt


def apply_rewriting(rewriting: Rewriting, *, written_by: str, reason: str) -> None:
    """Do it, under the games' locks: old hands stay as replaced or gone, new say who and why."""
    if not rewriting.is_nothing:
        _write_hands(rewriting, written_by=written_by, reason=reason)
    if rewriting.next_rewriting:
        rewriting.next_rewriting.game.save(update_fields=["opening"])
        apply_rewriting(rewriting.next_rewriting, written_by=written_by, reason=reason)


def _write_hands(rewriting: Rewriting, *, written_by: str, reason: str) -> None:
    game = rewriting.game
    game.exchanges = [list(exchange) for exchange in rewriting.sheet.exchanges]
    game.save(update_fields=["exchanges"])
    for change in rewriting.changes:
        if change.old is not None:
            remove_hand(change.old, written_by=written_by, reason=reason)
        if change.new is not None:
            change.new.sent_by = written_by
            change.new.reason = reason
            change.new.save()
            ledger.post_hand(change.new)


def _standing_hands(game: Game) -> tuple[Hand, ...]:
    return tuple(game.hands.filter(is_current=True).order_by("number"))


def _make_sheet(game: Game, standing: Sequence[Hand]) -> GameSheet:
    return GameSheet(
        tuple(Report.from_json(hand.report) for hand in standing),
        tuple((hand, first, other_seat) for hand, first, other_seat in game.exchanges),
    )


def _deals_by_number(game: Game, hand_outcomes: Sequence[Outcome]) -> dict[int, Deal]:
    """The deals of the game by number.

    Without gains a race has no end yet: who wins it is known once every hand is scored again.
    """
    try:
        progress = selectors.progress_after(game, hand_outcomes)
    except BadOutcome as bad:
        findings = [
            (int(problem.path.removeprefix("outcomes.")) + 1, problem) for problem in bad.problems
        ]
        raise DoesNotFit(findings) from bad
    return {deal.number: deal for deal in progress.deals}


def _replacement_hand(
    game: Game, deal: Deal, report: Report, old: Hand | None, *, is_ruled: bool
) -> Hand:
    new = new_hand(game, deal, report, sent_by="")
    new.submission_id = uuid4()
    new.state = HandState.DECIDED
    if old is None:
        return new
    new.replaces = old
    is_ruled = is_ruled or old.report != report.as_json()
    if old.state == HandState.DISPUTED and not is_ruled:
        new.state = HandState.DISPUTED
    return new


@dataclass(frozen=True, slots=True)
class Replacement:
    """A hand as it stands, and the row that is to stand for it (unsaved until it is done)."""

    old: Hand
    new: Hand


@transaction.atomic
def correct_hand(*, hand_id: int, report: Report, corrected_by: str, reason: str) -> Hand:
    """Replace a hand by what the scorer decided, and replay every later one under its new winds.

    Old rows stay, marked as replaced; the ledger gains reversals and new entries. Raises
    ``Refused`` when the hand is no longer the current one or when any hand no longer fits.
    """
    ledger.lock_with_later_games(Hand.objects.get(pk=hand_id).game_id)
    reason = clean_reason(reason)
    rewriting = _rewrite_hand(hand_id, report)
    apply_rewriting(rewriting, written_by=corrected_by, reason=reason)
    count_outcome("corrected")
    return _replacements(rewriting)[0].new


def preview_correction(*, hand_id: int, report: Report) -> list[Replacement]:
    """What ``correct_hand`` would do now: the hand itself, then each later one that it moves."""
    return _replacements(_rewrite_hand(hand_id, report))


def _rewrite_hand(hand_id: int, report: Report) -> Rewriting:
    hand = Hand.objects.select_related("game").get(pk=hand_id)
    if not hand.is_current:
        message = f"Hand {hand.number_at_table} has just been corrected by someone else."
        raise refuse("already_corrected", message)
    if faults := report.faults():
        raise Refused(faults)
    sheet = game_sheet(hand.game)
    reports = [*sheet.reports]
    reports[hand.number - 1] = report
    try:
        return rewrite_game(
            hand.game, replace(sheet, reports=tuple(reports)), ruled_numbers={hand.number}
        )
    except DoesNotFit as doubt:
        # What is wrong at the hand itself keeps its field; a later one is named.
        findings: list[ProblemLike] = []
        for number, finding in doubt.findings:
            code, message = finding.code, finding.message
            if number != hand.number:
                which = f"Hand {hand.game.hands_before + number}, played later,"
                message = f"{which} would no longer fit: {message}"
                findings.append(Refusal(code, message, f"hands.{number}"))
            elif finding.path.startswith("outcomes."):
                findings.append(Refusal(code, message, "winner"))
            else:
                findings.append(finding)
        raise Refused(findings) from doubt


def _replacements(rewriting: Rewriting) -> list[Replacement]:
    pairs = [(change.old, change.new) for piece in rewriting.line for change in piece.changes]
    return [Replacement(old, new) for old, new in pairs if old is not None and new is not None]


@transaction.atomic
def rewrite_from_reports(
    *,
    game_id: int,
    reports: Sequence[Report],
    seen_keys: Sequence[int],
    written_by: str,
    reason: str,
) -> Rewriting:
    """The game gets just these hands: one that was forgotten in the middle comes in, others go.

    Hands that are told as before and keep their winds stay as they are; old rows of the others
    stay in the book. ``seen_keys`` are the keys of the hands that were looked at: where others
    stand by now nothing is done. Raises ``Refused`` for every hand that no longer fits.
    """
    game = ledger.lock_with_later_games(game_id)
    reason = clean_reason(reason)
    rewriting = preview_rewrite(game=game, reports=reports)
    if [hand.pk for hand in rewriting.standing] != list(seen_keys):
        raise _changed_refusal("Compare the sheet with the current score book.")
    apply_rewriting(rewriting, written_by=written_by, reason=reason)
    return rewriting


def _changed_refusal(advice: str) -> Refused:
    message = "A hand was entered or changed while you were working, so nothing has been saved."
    return refuse("changed_meanwhile", f"{message} {advice}")


def preview_rewrite(*, game: Game, reports: Sequence[Report]) -> Rewriting:
    """What ``rewrite_from_reports`` would do now."""
    if faults := [finding for report in reports for finding in report.faults()]:
        raise Refused(faults)
    return rewrite_or_refuse(game, replace(game_sheet(game), reports=tuple(reports)), "hands")


@dataclass(frozen=True, slots=True)
class RepairResult:
    """A repair, or the taking back of one, and what it changed in each of its games.

    ``mark`` tells the games as they stood before: it changes with every hand.
    """

    repair: Repair
    rewritings: tuple[Rewriting, ...]
    mark: str

    @property
    def line(self) -> tuple[Rewriting, ...]:
        """What it changed, in games too that carry others on."""
        return tuple(piece for rewriting in self.rewritings for piece in rewriting.line)


@transaction.atomic
def repair_games(
    *, mistake: Mistake, description: str, reason: str, made_by: str, mark: str | None = None
) -> RepairResult:
    """Put a mistake right: its games are locked in their order and played again as they should be.

    ``description`` say what was done, ``mark`` is that of the games as they were looked at (None:
    they need not be). Raises ``Refused`` where nothing would change, where the games have changed
    since they were looked at, and for every hand that no longer fits (``games.12.hands.5``).
    """
    games = lock_games_together(mistake.game_ids)
    reason = clean_reason(reason)
    rewritings = _repair_rewritings(mistake, games)
    current_mark = games_mark(rewritings)
    if mark is not None and mark != current_mark:
        raise _changed_refusal("This is what would change now.")
    if all(rewriting.is_nothing for rewriting in rewritings):
        raise refuse("nothing_changes", "This would not change anything. Check the hands again.")
    repair = Repair.objects.create(
        kind=mistake.kind,
        words=description[:300],
        reason=reason,
        made_by=made_by,
        made_at=timezone.now(),
    )
    for rewriting in rewritings:
        apply_rewriting(rewriting, written_by=made_by, reason=reason)
    RepairedGame.objects.bulk_create(_repaired_game(repair, rewriting) for rewriting in rewritings)
    ledger.seal_repair(LinkKind.REPAIRED, repair, games)
    return RepairResult(repair, rewritings, current_mark)


def lock_games_together(game_ids: Sequence[int]) -> list[Game]:
    """Games of one event, locked in their order and then its book; told as they were asked for.

    Those that carry them on are locked too.
    """
    lines = [[key, *ledger.later_game_ids(key)] for key in game_ids]
    rows = Game.objects.filter(pk__in={key for line in lines for key in line})
    ledger.lock_games(rows)
    by_key = rows.in_bulk()
    if not by_key or not by_key.keys() >= set(game_ids):
        raise refuse("no_game", "This table has been removed or reseated.")
    games = [by_key[key] for key in game_ids]
    ledger.lock_book(games[0])
    return games


def games_mark(rewritings: Sequence[Rewriting]) -> str:
    """A short text that changes with every hand of the games and whoever sits where."""
    contents = [
        (piece.game.pk, piece.old_sheet.exchanges, [hand.pk for hand in piece.standing])
        for rewriting in rewritings
        for piece in rewriting.line
    ]
    return sha256(repr(contents).encode()).hexdigest()[:16]


def _repair_rewritings(mistake: Mistake, games: Sequence[Game]) -> tuple[Rewriting, ...]:
    if len({(game.rules, game.size) for game in games}) > 1:
        raise refuse(
            "other_rules",
            "These tables play by different rules, or have a different number of players.",
            "other",
        )
    if any(
        game.pk in ledger.later_game_ids(other_game.pk) for game in games for other_game in games
    ):
        message = "These hands are of the same table, before and after its players changed."
        raise refuse("same_table", message, "other")
    if mistake.report is not None and (faults := mistake.report.faults()):
        raise Refused(faults)
    if any(seat > games[0].size for seat in mistake.seats or ()):
        raise refuse("bad_seat", "Choose two players of this table.", "seat")
    sheets = corrected_sheets(mistake, [game_sheet(game) for game in games])
    return tuple(
        rewrite_or_refuse(game, sheet, f"games.{game.pk}.hands")
        for game, sheet in zip(games, sheets, strict=True)
    )


def _repaired_game(repair: Repair, rewriting: Rewriting) -> RepairedGame:
    """How the game stood: exchanges, length, and the reports of the hands that went."""
    old = [change.old for change in rewriting.changes if change.old is not None]
    new = [change.new for change in rewriting.changes if change.new is not None]
    return RepairedGame(
        repair=repair,
        game=rewriting.game,
        before={
            "exchanges": [list(exchange) for exchange in rewriting.old_sheet.exchanges],
            "length": len(rewriting.standing),
            "reports": {str(hand.number): hand.report for hand in old},
            "disputed": [hand.number for hand in old if hand.state == HandState.DISPUTED],
        },
        after={
            "exchanges": [list(exchange) for exchange in rewriting.sheet.exchanges],
            "length": len(rewriting.sheet.reports),
            "hands": [hand.pk for hand in new],
        },
    )


@transaction.atomic
def undo_repair(*, repair_id: int, undone_by: str) -> RepairResult:
    """The repair's hands stand again as they did before it; later hands keep what was told.

    Raises ``Refused`` a day after the repair, where a hand of it was changed since, and for every
    hand that no longer fits; ``Repair.DoesNotExist`` where there is no such repair.
    """
    pieces = list(RepairedGame.objects.filter(repair=repair_id).order_by("pk"))
    games = lock_games_together([piece.game_id for piece in pieces])
    repair = Repair.objects.get(pk=repair_id)
    if repair.undone_at is not None:
        raise refuse("undone_already", "This correction has already been undone.")
    if timezone.now() > repair.made_at + UNDO_PERIOD:
        raise refuse(
            "too_late",
            "This correction is more than a day old, so it cannot be undone in one go. Correct "
            "the hands one by one.",
        )
    for piece, game in zip(pieces, games, strict=True):
        piece.game = game
    rewritings = tuple(_restore_game(piece) for piece in pieces)
    reason = f"Undone: {repair.reason}"[:MAX_REASON_LENGTH]
    for rewriting in rewritings:
        apply_rewriting(rewriting, written_by=undone_by, reason=reason)
    repair.undone_at = timezone.now()
    repair.undone_by = undone_by
    repair.save(update_fields=["undone_at", "undone_by"])
    ledger.seal_repair(LinkKind.UNDONE, repair, games)
    return RepairResult(repair, rewritings, games_mark(rewritings))


def _restore_game(piece: RepairedGame) -> Rewriting:
    game, state_before, state_after = piece.game, piece.before, piece.after
    changed_hands = Hand.objects.filter(pk__in=state_after["hands"], is_current=False).order_by(
        "number"
    )
    if changed_hand := changed_hands.first():
        raise _changed_since_refusal(f"Hand {changed_hand.number} has been changed since")
    if game.exchanges != state_after["exchanges"]:
        raise _changed_since_refusal("The seats have been corrected again since")
    now = game_sheet(game).reports
    earlier_reports = {
        int(number): Report.from_json(report) for number, report in state_before["reports"].items()
    }
    restored_reports = [
        earlier_reports.get(n) or now[n - 1] for n in range(1, state_before["length"] + 1)
    ]
    sheet = GameSheet(
        (*restored_reports, *now[state_after["length"] :]),
        tuple((hand, first, other_seat) for hand, first, other_seat in state_before["exchanges"]),
    )
    rewriting = rewrite_or_refuse(game, sheet, f"games.{game.pk}.hands")
    for change in rewriting.changes:
        if change.new is not None and change.number in state_before["disputed"]:
            change.new.state = HandState.DISPUTED
    return rewriting


def _changed_since_refusal(change_text: str) -> Exception:
    return refuse(
        "changed_since",
        f"{change_text}, so this can no longer be undone in one go. Undo later changes first, or "
        "correct the hands one by one.",
    )
