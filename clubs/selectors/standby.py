"""Reading who is glad to fill in: in which order to ask, who was asked, what they said."""

from dataclasses import dataclass
from datetime import date, datetime
from urllib.parse import quote

from django.db.models import F, Max, QuerySet

from clubs.models import Answer, Club, Invitation, Player, Session, StandBy
from clubs.selectors.calendar import ClubDay, club_year


@dataclass(frozen=True, slots=True)
class ToAsk:
    """Someone who stands by, and when they were last asked."""

    player_id: int
    name: str
    asked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Asked:
    """Someone who was asked for the day."""

    name: str
    email: str
    key: str
    answer: Answer
    player_id: int


@dataclass(frozen=True, slots=True)
class FillingIn:
    """A day's stand-bys: those already asked, and whom to ask next, the longest not asked first."""

    held_on: date
    day: ClubDay | None
    asked: tuple[Asked, ...]
    waiting: tuple[ToAsk, ...]


@dataclass(frozen=True, slots=True)
class Answers:
    """Names of those asked for an evening, by what they said."""

    yes: tuple[str, ...]
    no: tuple[str, ...]
    none: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """What is written to someone; nothing is sent by itself."""

    text: str
    mail: str


def filling_in(club: Club, held_on: date) -> FillingIn:
    """Everything about filling in on that day; five queries."""
    asked = Invitation.objects.filter(club=club, held_on=held_on).select_related("player")
    there = list(asked)
    waiting = (
        StandBy.objects.filter(club=club, player__is_active=True)
        .exclude(player__in=[one.player_id for one in there])
        .annotate(asked_at=Max("player__invitations__asked_at"))
        .order_by(F("asked_at").asc(nulls_first=True), "since", "pk")
        .values_list("player_id", "player__name", "asked_at")
    )
    return FillingIn(
        held_on,
        club_day(club, held_on),
        tuple(
            Asked(one.player.name, one.player.email, one.key, Answer(one.answer), one.player_id)
            for one in there
        ),
        tuple(ToAsk(*row) for row in waiting),
    )


def club_day(club: Club, held_on: date) -> ClubDay | None:
    """When and where the club meets on that day, if it is planned; three queries."""
    days = club_year(club, held_on).days
    return next((day for day in days if day.held_on == held_on and not day.off), None)


def not_standing_by(club: Club) -> list[Player]:
    """Who could still be put on the list of those glad to fill in; one query."""
    return list(club.players.filter(is_active=True, stand_by=None))


def answers_for(session: Session) -> Answers:
    """What those asked for the evening have said; one query."""
    asked = Invitation.objects.filter(club_id=session.club_id, held_on=session.held_on)
    said = list(asked.values_list("answer", "player__name"))
    by = {answer: tuple(name for told, name in said if told == answer) for answer in Answer}
    return Answers(by[Answer.YES], by[Answer.NO], by[Answer.NONE])


def message_to(asked: Asked, *, club: str, when: str, link: str, sender: str) -> Message:
    """The words to copy, and the same as a draft for a mail program."""
    text = (
        f"Dear {asked.name},\n\ncould you play as a substitute at {club} on {when}?\n"
        f"Please answer yes or no here. You do not need a password:\n{link}\n\nThank you, {sender}"
    )
    about = quote(f"Can you come on {when}?")
    return Message(text, f"mailto:{quote(asked.email)}?subject={about}&body={quote(text)}")


def asked_by_link() -> QuerySet[Invitation]:
    """Whoever was asked to come, with their club, for whoever holds the key of it."""
    return Invitation.objects.select_related("club", "player")
