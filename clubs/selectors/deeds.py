"""The activity log in sentences: stored numbers, shown with the names of today."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.db.models import Model, Q, QuerySet
from django.urls import reverse

from clubs.deedwords import DRAWERS, PLACE, Act, Place, act_of, names_in, names_like
from clubs.language.moments import long_date
from clubs.models import Batch, Club, Deed, Season, Session

Told = Mapping[int, tuple[str, str]]
GONE: Final = "A former user"
UNTOLD: Final = "changed something"
NUMBERED: Final = {"table": "table", "round": "round", "hand": "hand"}


@dataclass(frozen=True, slots=True)
class Kind:
    """Rows that a sentence can name: which, in what words, by which page, and if it is gone."""

    rows: Callable[[Club], QuerySet[Any]]
    words: Callable[[Any], str]
    otherwise: str
    page: str = ""


@dataclass(frozen=True, slots=True)
class DeedRow:
    """An entry of the activity log; ``address`` is the page of what it was done to, or nothing.

    ``kind`` is the key of a drawer, or nothing; ``user`` whose sign-in or key it was, ``program``
    the key, command or timetable that did it, ``who`` either of them in words.
    """

    pk: int
    at: datetime
    sentence: str
    kind: str
    user: int | None
    program: str
    address: str
    request_id: str
    what: str
    who: str

    def is_act(self, name: str) -> bool:
        """Whether it did what the address of that name does, on a page or over the API."""
        return self.what in names_like(name)

    @property
    def drawer(self) -> str:
        """Its kind in words."""
        return DRAWERS.get(self.kind, "")


@dataclass(frozen=True, slots=True)
class Doer:
    """Someone or something that has done anything: what to ask for, and its name."""

    key: str
    name: str


def _evening(session: Session) -> str:
    return f"the evening of {long_date(session.held_on)}"


KINDS: Final[dict[str, Kind]] = {
    "evening": Kind(lambda club: club.sessions.all(), _evening, "an evening", "evening"),
    "player": Kind(lambda club: club.players.all(), lambda one: one.name, "someone", "player"),
    "season": Kind(
        lambda club: Season.objects.filter(league__club=club), lambda one: one.name, "a season",
        "season",
    ),
    "series": Kind(
        lambda club: club.series.all(), lambda one: f"“{one.name}”", "a regular evening",
        "series-change",
    ),
    "batch": Kind(
        lambda club: Batch.objects.filter(club=club), lambda one: f"“{one.title}”", "messages",
        "batch",
    ),
}  # fmt: skip


def tell_kind(name: str, kind: Kind) -> None:
    """Take in a kind of row that another room's sentences name."""
    KINDS[name] = kind


def deeds_of(
    club: Club, *, doer: str = "", drawer: str = "", day: date | None = None
) -> QuerySet[Deed]:
    """The club's lines, newest first: all, or one doer's, one drawer's, one day's."""
    found = Deed.objects.filter(club=club).select_related("made_by").order_by("-pk")
    if doer:
        found = found.filter(made_by=int(doer)) if doer.isdigit() else found.filter(by=doer)
    if drawer:
        found = found.filter(what__in=names_in(drawer))
    return found.filter(at__date=day) if day else found


def last_deed(
    club: Club, kind: str, pk: int, acts: Iterable[str], **about: int | str | None
) -> DeedRow | None:
    """The newest line of these acts, by page or API, on one event; at most two queries.

    ``kind`` is the name of the event's key in addresses of the API, or ``club`` for the club
    itself; ``about`` is what else the lines must name, such as a round.
    """
    names = {name for act in acts for name in names_like(act)}
    here = Q() if kind == "club" else Q(about__pk=pk) | Q(**{f"about__{kind}": pk})
    named = {f"about__{key}": value for key, value in about.items()}
    found = Deed.objects.filter(here, club=club, what__in=names, **named)
    line = found.select_related("made_by").order_by("-pk").first()
    return None if line is None else in_words(club, [line])[0]


def doers_of(club: Club) -> list[Doer]:
    """Everyone and everything in the club's lines, by name; one query."""
    told = Deed.objects.filter(club=club).order_by()
    found = told.values_list("made_by", "made_by__name", "made_by__email", "by").distinct()
    people = {Doer(str(pk), name or email) for pk, name, email, _ in found if pk}
    programs = {Doer(by, by) for _, _, _, by in found if by}
    return sorted(people | programs, key=lambda one: one.name.casefold())


def in_words(club: Club, deeds: Iterable[Deed]) -> list[DeedRow]:
    """A row a line; a query for each kind of thing that the lines name."""
    lines = list(deeds)
    told = {kind: _told(club, kind, numbers) for kind, numbers in _asked(lines).items()}
    return [_row(line, told) for line in lines]


def _asked(lines: Iterable[Deed]) -> dict[str, set[int]]:
    """The numbers that sentences name, by kind."""
    found: dict[str, set[int]] = {}
    for line in lines:
        for kind, number in _numbers(line).values():
            found.setdefault(kind, set()).add(number)
    return found


def _numbers(line: Deed) -> dict[Place, tuple[str, int]]:
    """What stands in each gap that names a row; ``pk`` is the first that has no name of its own."""
    act = act_of(line.what)
    spare = [line.about["pk"]] if "pk" in line.about else []
    found = {}
    for place in act.places if act else []:
        if place.kind not in KINDS:
            continue
        number = line.about.get(place.key)
        if number is None and spare and not place.is_sent:
            number = spare.pop()
        if isinstance(number, int):
            found[place] = (place.kind, number)
    return found


def _told(club: Club, kind: str, numbers: set[int]) -> Told:
    told = KINDS[kind]
    rows: Iterable[Model] = told.rows(club).filter(pk__in=numbers)
    return {row.pk: (told.words(row), _page(club, told, row)) for row in rows}


def _page(club: Club, kind: Kind, row: Model) -> str:
    return reverse(kind.page, args=[club.slug, row.pk]) if kind.page else ""


def _row(line: Deed, told: Mapping[str, Told]) -> DeedRow:
    act, numbers = act_of(line.what), _numbers(line)
    rows = {place: told[kind][at] for place, (kind, at) in numbers.items() if at in told[kind]}
    words = _sentence(act, line, {place: words for place, (words, _) in rows.items()})
    address = next((page for _, page in rows.values() if page), "")
    who = "Someone" if act and "{doer}" in act.words else _who(line)
    return DeedRow(
        pk=line.pk,
        at=line.at,
        sentence=f"{who} {words}.",
        kind=act.drawer if act else "",
        user=line.made_by_id,
        program=line.by,
        address=address,
        request_id=line.request_id,
        what=line.what,
        who=_who(line),
    )


def _sentence(act: Act | None, line: Deed, rows: Mapping[Place, str]) -> str:
    if act is None:
        return UNTOLD

    def fill(gap: re.Match[str]) -> str:
        place = Place.of(gap)
        if place.kind == "doer":
            return _who(line)
        return rows.get(place) or _plainly(place, line.about.get(place.key))

    return PLACE.sub(fill, act.words)


def _plainly(place: Place, told: Any) -> str:
    """A number or a day as it is; what has no number is told in general."""
    if place.kind in NUMBERED:
        return f"{NUMBERED[place.kind]} {told}" if told is not None else f"a {place.kind}"
    if place.kind == "day":
        return long_date(date.fromisoformat(told)) if told else "another day"
    return KINDS[place.kind].otherwise


def _who(line: Deed) -> str:
    person = str(line.made_by) if line.made_by else ""
    if line.by:
        return f"{line.by} ({person}’s)" if person else line.by
    return person or GONE
