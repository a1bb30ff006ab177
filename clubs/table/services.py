"""A repair tried out, a paper sheet drafted and saved, tiles and links replaced."""

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
from scoring.building import Draft as TileDraft
from scoring.building import Steps
from scoring.scorebook import services as scorebook
from scoring.scorebook.refusals import Refusal, Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.services import Recorded
from scoring.scorebook.services.games import Tapped, put_tiles_away, tap_tiles


@dataclass(frozen=True, slots=True)
class Trial:
    """What a repair, or the taking back of one, would do, and who would move by it."""

    done: scorebook.Repaired
    moved: tuple[Moved, ...]


def tried_out(
    act: Callable[[], scorebook.Repaired], rankings: Callable[[], Sequence[Ranking]]
) -> Trial:
    """Do it, look who moves in the rankings, and leave everything as it was.

    Raises ``Refused`` as the act does.
    """
    with transaction.atomic():
        before = rankings()
        done = act()
        after = rankings()
        transaction.set_rollback(True)
    return Trial(done, moved(before, after))


AS_ON_PAPER = "As on the paper score sheet"


@dataclass(frozen=True, slots=True)
class SheetHand:
    """One row of a sheet, ready for the book; ``submission_id`` makes sending it twice once."""

    submission_id: UUID
    number: int
    report: Report


@dataclass(frozen=True, slots=True)
class Telling:
    """A game as the paper has it: what stays ``before``, what is ``told`` from there on.

    ``seen`` are the keys of the book's hands that the paper was laid beside.
    """

    before: Sequence[Mapping[str, Any]]
    told: Sequence[Report]
    seen: Sequence[int]

    @property
    def reports(self) -> list[Report]:
        """Every hand of the game as it will be told."""
        return [*(Report.from_json(report) for report in self.before), *self.told]


@transaction.atomic
def post_sheet(
    *,
    post: Callable[..., Recorded],
    hands: Sequence[SheetHand],
    sent_by: str,
    tell: Callable[..., int] | None = None,
    telling: Telling | None = None,
) -> list[Recorded]:
    """All of a sheet or nothing: first what the book has otherwise, then its new hands in order.

    ``post`` and ``tell`` are the event's own. Refuses as they do, for the first that is refused.
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
    """These taps from an empty rack on, all of them or none.

    Raises ``Refused`` with a sentence for each tap that can do nothing, and as ``tap_tiles`` does.
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
    """Give a table of an evening or of a round another link; its old ones and its seats' are void.

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
    """A sheet that was begun, and when something was last typed in it."""

    typed: Mapping[str, str]
    at: datetime


def keep_draft(request: HttpRequest, game_id: int, sent: Mapping[str, Any]) -> None:
    """Keep what was sent for whoever is signed in here, until the sheet is saved."""
    drafts = _drafts(request)
    drafts.pop(str(game_id), None)
    typed = {name: str(value) for name, value in sent.items() if value and name not in NOT_KEPT}
    drafts[str(game_id)] = {"at": timezone.now().isoformat(), "typed": typed}
    _store(request, dict(list(drafts.items())[-MOST_SHEETS:]))


def forget_draft(request: HttpRequest, game_id: int) -> None:
    """The sheet is saved, or is to be typed afresh."""
    drafts = _drafts(request)
    if drafts.pop(str(game_id), None) is not None:
        _store(request, drafts)


def draft_of(request: HttpRequest, game_id: int) -> Draft | None:
    """What was typed of the game's sheet in this browser, if it is not saved yet."""
    kept = _drafts(request).get(str(game_id))
    return Draft(kept["typed"], datetime.fromisoformat(kept["at"])) if kept else None


def games_begun(request: HttpRequest) -> frozenset[int]:
    """The games whose sheets are begun in this browser and not saved."""
    return frozenset(int(key) for key in _drafts(request))


def others_typing(request: HttpRequest, game_id: int) -> list[str]:
    """Who else has typed in the same sheet in the last minutes; notes that this one types now."""
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
