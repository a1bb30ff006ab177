"""Tries out repairs, keeps and saves paper sheets, replaces tiles and links."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.core.cache import cache
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from clubs.models import Club, ReplacedLink, link_key
from clubs.table.rows import Moved, Ranking, moved
from scoring.building import Draft as TileDraft, Steps
from scoring.scorebook import services as scorebook
from scoring.scorebook.refusals import Refusal, Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.services import Recorded
from scoring.scorebook.services.games import Tapped, put_tiles_away, tap_tiles


@dataclass(frozen=True, slots=True)
class Trial:
    """The effect of a repair or its undoing, and who would move in the rankings."""

    done: scorebook.Repaired
    moved: tuple[Moved, ...]


def tried_out(
    act: Callable[[], scorebook.Repaired], rankings: Callable[[], Sequence[Ranking]]
) -> Trial:
    """Run the act, compare the rankings, and roll back. Raises ``Refused`` as the act does."""
    with transaction.atomic():
        before = rankings()
        done = act()
        after = rankings()
        transaction.set_rollback(True)
    return Trial(done, moved(before, after))


AS_ON_PAPER = "As on the paper score sheet"


@dataclass(frozen=True, slots=True)
class SheetHand:
    """One row of a sheet, ready for the book; ``submission_id`` makes sending idempotent."""

    submission_id: UUID
    number: int
    report: Report


@dataclass(frozen=True, slots=True)
class Telling:
    """A game as on paper: the hands kept ``before``, and ``later`` ones after them.

    ``seen`` are the keys of the book's hands that the paper was compared with.
    """

    before: Sequence[Mapping[str, Any]]
    later: Sequence[Report]
    seen: Sequence[int]

    @property
    def reports(self) -> list[Report]:
        return [*(Report.from_json(report) for report in self.before), *self.later]


@transaction.atomic
def post_sheet(
    *,
    post: Callable[..., Recorded],
    hands: Sequence[SheetHand],
    sent_by: str,
    tell: Callable[..., int] | None = None,
    telling: Telling | None = None,
) -> list[Recorded]:
    """Save a whole sheet or nothing: first the changes to the book, then its new hands in order.

    ``post`` and ``tell`` are the event's own. Raises ``Refused`` as they do, at the first refusal.
    """
    if telling is not None and tell is not None:
        tell(reports=telling.reports, seen=telling.seen, written_by=sent_by)
    return [
        post(
            submission_id=hand.submission_id,
            number=hand.number,
            report=hand.report,
            sent_by=sent_by,
        )
        for hand in hands
    ]


@transaction.atomic
def put_tiles(*, game_id: int, number: int, seat: int, taps: Sequence[str]) -> Tapped:
    """Apply these taps to an empty rack, all of them or none.

    Raises ``Refused`` with a sentence for each tap without effect, and as ``tap_tiles`` does.
    """
    put_tiles_away(game_id=game_id, number=number, seat=seat)
    tapped = tap_tiles(
        game_id=game_id, number=number, seat=seat, sent=Steps(TileDraft(won=False)), taps=taps
    )
    if tapped.played.refused:
        raise Refused([Refusal("bad_tap", said, "taps") for said in tapped.played.refused])
    return tapped


@transaction.atomic
def replace_link(*, table: Any, club: Club) -> str:
    """Replace a table's link; its old links and its seats' links stop working.

    Returns the new key. ``table`` is a row with a ``link_key``.
    """
    current = type(table).objects.select_for_update(of=("self",)).get(pk=table.pk)
    old, new = current.link_key, link_key()
    ReplacedLink.objects.filter(stands=old).update(stands=new)
    ReplacedLink.objects.create(club=club, key=old, stands=new)
    current.link_key = new
    current.save(update_fields=["link_key"])
    return new


IN_THE_SESSION: Final = "sheets"
MOST_SHEETS: Final = 60
NOT_KEPT: Final = frozenset({"csrfmiddlewaretoken", "step", "at", "choose-all"})
TYPING_FOR: Final = timedelta(minutes=3)


@dataclass(frozen=True, slots=True)
class Draft:
    """An unfinished sheet, and when it was last typed in."""

    typed: Mapping[str, str]
    at: datetime


def keep_draft(request: HttpRequest, game_id: int, sent: Mapping[str, Any]) -> None:
    """Keep the form data for the signed-in user until the sheet is saved."""
    drafts = _drafts(request)
    drafts.pop(str(game_id), None)
    typed = {name: str(value) for name, value in sent.items() if value and name not in NOT_KEPT}
    drafts[str(game_id)] = {"at": timezone.now().isoformat(), "typed": typed}
    _store(request, dict(list(drafts.items())[-MOST_SHEETS:]))


def forget_draft(request: HttpRequest, game_id: int) -> None:
    """Delete the draft, because the sheet was saved or is started afresh."""
    drafts = _drafts(request)
    if drafts.pop(str(game_id), None) is not None:
        _store(request, drafts)


def draft_of(request: HttpRequest, game_id: int) -> Draft | None:
    """The draft of the game's sheet in this browser, unless it was saved."""
    kept = _drafts(request).get(str(game_id))
    return Draft(kept["typed"], datetime.fromisoformat(kept["at"])) if kept else None


def games_begun(request: HttpRequest) -> frozenset[int]:
    return frozenset(int(key) for key in _drafts(request))


def others_typing(request: HttpRequest, game_id: int) -> list[str]:
    """Who else has typed in the same sheet in the last minutes; notes this user too."""
    key, now = f"typing-sheet-{game_id}", timezone.now()
    seen: dict[int, tuple[str, datetime]] = cache.get(key, {})
    recent = {pk: words for pk, words in seen.items() if now - words[1] < TYPING_FOR}
    own = int(request.user.pk or 0)
    others = [name for pk, (name, _) in recent.items() if pk != own]
    recent[own] = (str(getattr(request.user, "name", "")) or "Someone", now)
    cache.set(key, recent, TYPING_FOR.total_seconds())
    return others


def _drafts(request: HttpRequest) -> dict[str, Any]:
    return dict(request.session.get(IN_THE_SESSION, {}))


def _store(request: HttpRequest, drafts: Mapping[str, Any]) -> None:
    request.session[IN_THE_SESSION] = dict(drafts)
