"""Who did what is written down by construction: with the first row that a request changes.

The line is written in the same transaction as that row, so what is rolled back has no line, and a
press that was refused or only looked has none either.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.db import connection, transaction
from structlog.contextvars import get_contextvars

from clubs.deedwords import act_of, kept_under
from clubs.models import Deed, Membership, User
from clubs.models.tenancy import across_clubs, within
from clubs.permissions import ORGANISERS

ROWS: Final = re.compile(
    r'\s*(?:INSERT(?: OR IGNORE)? INTO|UPDATE|DELETE FROM) "((?:clubs|tournaments|scorebook)_\w+)"'
)
BOOKKEEPING: Final = frozenset({"clubs_deed", "clubs_keptanswer"})
SECRETS: Final = frozenset({"club", "key", "code", "old"})
COMMAND: Final = "Tongbox administrator"
TIMETABLE: Final = "Retention schedule"
MOST_SAID: Final = 80
MADE: Final = "made"
ISO_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


@dataclass(frozen=True, slots=True)
class Doing:
    """A request that perhaps changes something: by whom, where, and what it names.

    ``sent`` is asked once something is changed; ``clubs`` are those in whose books it is written.
    """

    name: str
    method: str
    named: Mapping[str, Any]
    sent: Callable[[], Any]
    clubs: Callable[[], Iterable[int]]
    made_by: int | None = None
    by: str = ""


_watching: ContextVar["_Watch | None"] = ContextVar("watching", default=None)


@contextmanager
def written_down(doing: Doing) -> Iterator[None]:
    """Whatever is changed in here is written down once, with the first row that changes."""
    watch = _Watch(doing)
    before = _watching.set(watch)
    try:
        with connection.execute_wrapper(watch):
            yield
    finally:
        _watching.reset(before)


def name_made(number: int) -> None:
    """Tell the line of this request which row was made, where its words ask (``player<made``)."""
    name_in_line(MADE, number)


def name_in_line(key: str, number: int) -> None:
    """Tell the line of this request a number that its words ask for and that was not sent."""
    watch = _watching.get()
    for line in watch.lines if watch is not None else ():
        act = act_of(line.what)
        if act is not None and any(place.key == key for place in act.places):
            line.about = {**line.about, key: number}
            Deed.objects.filter(pk=line.pk).update(about=line.about)


class _Watch:
    """Looks at every statement; one insert for the first that changes a row of ours."""

    def __init__(self, doing: Doing) -> None:
        self.doing = doing
        self.is_writing = self.is_kept = False
        self.lines: list[Deed] = []

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001
        if not self.is_writing and _changes(sql) and not self._stands():
            self.is_writing = True
            try:
                self.lines = _write(self.doing)
            finally:
                self.is_writing = False
            transaction.on_commit(self._kept)
        return execute(sql, params, many, context)

    def _kept(self) -> None:
        self.is_kept = True

    def _stands(self) -> bool:
        """Whether the line is there: committed, or waiting in what was not rolled back."""
        return self.is_kept or any(waits[1] == self._kept for waits in connection.run_on_commit)


def _changes(sql: str) -> bool:
    found = ROWS.match(sql)
    return found is not None and found[1] not in BOOKKEEPING


def _write(doing: Doing) -> list[Deed]:
    data = doing.sent()
    sent = data if isinstance(data, Mapping) else {}
    what = kept_under(doing.name, doing.method, sent)
    about = {key: value for key, value in doing.named.items() if key not in SECRETS}
    about |= _said(what, sent)
    return [
        _add(club, what, made_by=doing.made_by, by=doing.by, about=about) for club in doing.clubs()
    ]


def note(*, club: int, what: str, by: str) -> None:
    """Write down what no request did, ``by`` a command or the timetable."""
    _add(club, what, made_by=None, by=by, about={})


def note_of_organiser(*, user: User, what: str, about: Mapping[str, str] | None = None) -> None:
    """Write down what befell the sign-in of an organiser, in each club that they run."""
    for club in clubs_run_by(user.pk):
        _add(club, what, made_by=user.pk, by="", about=about or {})


def clubs_run_by(user: int) -> list[int]:
    """The clubs in which someone is an organiser; one query."""
    with across_clubs():
        held = Membership.objects.filter(user=user, role__in=ORGANISERS)
        return list(held.values_list("club_id", flat=True))


def _add(club: int, what: str, *, made_by: int | None, by: str, about: Mapping[str, Any]) -> Deed:
    with within(club):
        return Deed.objects.create(
            club_id=club,
            made_by_id=made_by,
            by=by[:MOST_SAID],
            what=what,
            about=dict(about),
            request_id=str(get_contextvars().get("request_id", ""))[:64],
        )


def _said(what: str, sent: Mapping[str, Any]) -> dict[str, int | str]:
    """Of what was sent only numbers and days that the words ask for: never a name."""
    act = act_of(what)
    if act is None:
        return {}
    asked = {place.key: sent.get(place.key) for place in act.places if place.is_sent}
    found = {key: _number_or_day(value) for key, value in asked.items()}
    return {key: value for key, value in found.items() if value is not None}


def _number_or_day(value: Any) -> int | str | None:
    if isinstance(value, date) or (isinstance(value, str) and ISO_DAY.fullmatch(value)):
        return str(value)
    is_number = str(value).isascii() and str(value).isdigit() and len(str(value)) < 19
    return int(value) if is_number else None
