"""What is typed of a paper sheet and not saved yet, and who else is typing it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone

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
    recent = {pk: told for pk, told in seen.items() if now - told[1] < TYPING_FOR}
    own = int(request.user.pk or 0)
    others = [name for pk, (name, _) in recent.items() if pk != own]
    recent[own] = (str(getattr(request.user, "name", "")) or "Someone", now)
    cache.set(key, recent, TYPING_FOR.total_seconds())
    return others


def _drafts(request: HttpRequest) -> dict[str, Any]:
    return dict(request.session.get(IN_THE_SESSION, {}))


def _store(request: HttpRequest, drafts: Mapping[str, Any]) -> None:
    request.session[IN_THE_SESSION] = dict(drafts)
