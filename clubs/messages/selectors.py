"""Messages and batches, and the values of the fields in each message."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from typing import Annotated
from uuid import UUID

from django.db.models import Count, F, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse

from clubs.core.addresses import site_address
from clubs.core.mail import sends_email
from clubs.core.people_names import active_records, names_of
from clubs.evenings.selectors.evenings import ResultRow, result_of
from clubs.language.moments import long_date
from clubs.language.words import ordinal
from clubs.messages import message_kinds as kinds
from clubs.messages.message_kinds import Topic, split_blocks
from clubs.models import (
    Batch,
    Club,
    Invitation,
    Job,
    JobState,
    Message,
    MessageState,
    Player,
    PlayerKind,
    PlayerMerge,
    Session,
)
from clubs.models.names import Reader, by_surname, surname_key
from clubs.seating.why import join_with_and
from clubs.table.rankings import place_words
from clubs.table.rows import points_text

DIGEST_LENGTH = 16
SENDING_JOB = "messages"
PREVIEW_DIGEST_LENGTH = 24
UNFINISHED = Q(draft__gt=0) | Q(waiting__gt=0)
CONTACT_ANSWERS = {"telephone": "contacted by phone", "letter": "contacted by letter"}
CONTACTED_BY_HAND = Q(answer__in=tuple(CONTACT_ANSWERS.values()))
NO_ADDRESS = "no email"
EMAIL_FAILS = "emails not delivered"
EMAIL_REFUSED = "no emails"
NO_MAIL_SERVER = "cannot be emailed from here"
NO_RESULTS = "no longer wants results"
NO_CONTACT_NEEDED = ("", NO_RESULTS)


@dataclass(frozen=True, slots=True)
class MailedResult:
    """An evening's result for messages; ``players`` are those of its rows."""

    rows: tuple[ResultRow, ...]
    players: tuple[Player, ...]

    @property
    def digest(self) -> str:
        """A digest of the rows; it changes when a place or a gain changes."""
        rows = [(row.place, row.player_id, row.points) for row in self.rows]
        return sha256(repr(rows).encode()).hexdigest()

    def table_for(self, player_id: int) -> str:
        """Every row in letters of one width, with the names as this reader may read them."""
        names = names_of(self.players, Reader(player=player_id))
        longest = max(map(len, names.values()), default=0)
        lines = []
        for row in self.rows:
            place = place_words(row.place, is_tied=row.is_tied)
            points = points_text(row.points, pays=row.pays)
            lines.append(f"{place:>4}  {names[row.player_id]:<{longest}}  {points:>7}")
        return "\n".join(lines)

    def place_of(self, player_id: int) -> str:
        """``You came 1st of 4, with +240.``; empty for someone who did not play."""
        own_row = next((row for row in self.rows if row.player_id == player_id), None)
        if own_row is None or own_row.place is None:
            return ""
        place = f"joint {ordinal(own_row.place)}" if own_row.is_tied else ordinal(own_row.place)
        players = sum(row.place is not None for row in self.rows)
        return (
            f"You came {place} of {players}, with {points_text(own_row.points, pays=own_row.pays)}."
        )

    def winner_for(self, player_id: int) -> str:
        """``Ann won with +240.``, by the name that this reader may read; empty without a winner."""
        winners = [row for row in self.rows if row.place == 1]
        if not winners:
            return ""
        names = names_of(self.players, Reader(player=player_id))
        points = points_text(winners[0].points, pays=winners[0].pays)
        suffix = " each" if len(winners) > 1 else ""
        return (
            f"{join_with_and([names[row.player_id] for row in winners])} won with {points}{suffix}."
        )

    def key_for(self, message: Message) -> UUID:
        """The message's key: this result, this reader. So one result has one email a reader."""
        reader = sha256(f"{message.batch.about}.{message.player_id}".encode()).hexdigest()
        return UUID(hex=self.digest[:DIGEST_LENGTH] + reader[:DIGEST_LENGTH])


def mailed_result(session: Session) -> MailedResult:
    """The evening's result now; two queries."""
    return MailedResult(result_of(session), tuple(Player.objects.filter(places__session=session)))


def session_of(batch: Batch) -> Session:
    return Session.objects.get(pk=batch.about or 0, club=batch.club_id)


def day_key(day: date) -> int:
    """A day as a batch notes what it is about: 20261117."""
    return int(f"{day:%Y%m%d}")


def day_of(key: int) -> date:
    return date.fromisoformat(str(key))


def values_of(batch: Batch, messages: Sequence[Message]) -> dict[int, kinds.FieldValues]:
    """The values of the fields by a person's key; at most three queries however many there are."""
    players = [message.player for message in messages]
    values = {player.pk: {"name": player.name} for player in players}
    if batch.kind == kinds.INVITATION.key:
        site = site_address()
        for person, key in _answer_keys(batch, values).items():
            values[person]["answer link"] = site + reverse("standby-answer", args=[key])
    elif batch.kind == kinds.RENEWAL.key:
        for player in players:
            day = player.paid_until
            values[player.pk]["paid until"] = long_date(day) if day else ""
    elif batch.kind in kinds.RESULT_KINDS:
        result = mailed_result(session_of(batch))
        evening = site_address() + reverse("evening", args=[batch.club.slug, batch.about])
        for person, fields in values.items():
            fields["your place"] = result.place_of(person)
            fields["result"] = result.table_for(person)
            fields["evening link"] = evening
    return dict(values)


def _answer_keys(batch: Batch, players: Iterable[int]) -> dict[int, str]:
    """By player the key of the link to say yes or no; one query."""
    held_on = day_of(batch.about or 0)
    invitations = Invitation.objects.filter(club=batch.club_id, held_on=held_on)
    return dict(invitations.filter(player__in=players).values_list("player_id", "key"))


def email_obstacle(player: Player, topic: Topic) -> str:
    """Why no email of this topic goes to someone, in a few words; empty: it does."""
    if topic.is_refused_by(player):
        return NO_RESULTS if topic is Topic.RESULTS else EMAIL_REFUSED
    if not player.email:
        return NO_ADDRESS
    if not sends_email():
        return NO_MAIL_SERVER
    return EMAIL_FAILS if player.email_fails else ""


@dataclass(frozen=True, slots=True)
class Letter:
    """One person’s message, as it will be sent or was sent."""

    pk: int
    player_id: int
    name: str
    email: str
    phone: str
    state: MessageState
    subject: str
    body: Annotated[str, "the text with its fields filled in"]
    answer: Annotated[str, "the mail server’s answer"]
    sent_at: datetime | None
    has_own_text: bool
    has_left: bool
    not_emailed: Annotated[str, "why a draft is not sent by email; empty: it is, or it is no draft"]
    second_phone: str = ""

    @property
    def blocks(self) -> tuple[kinds.TextBlock, ...]:
        return split_blocks(self.body)

    @property
    def printed_blocks(self) -> tuple[kinds.TextBlock, ...]:
        """Its text as a letter bears it."""
        return split_blocks(kinds.printed_text(self.body))

    @property
    def previewed_blocks(self) -> tuple[kinds.TextBlock, ...]:
        """Its text as its reader gets or got it."""
        return self.printed_blocks if self.is_on_paper else self.blocks

    @property
    def is_on_paper(self) -> bool:
        """Whether it is or was passed on by post or phone."""
        return self.was_contacted or (self.is_draft and self.is_by_hand)

    @property
    def was_contacted(self) -> bool:
        """Whether it was passed on by phone or letter, not by email."""
        return self.answer in CONTACT_ANSWERS.values()

    @property
    def is_draft(self) -> bool:
        return self.state == MessageState.DRAFT

    @property
    def is_to_send(self) -> bool:
        """Whether it goes by email when Send is pressed."""
        return self.is_draft and not self.not_emailed and not self.has_left

    @property
    def is_by_hand(self) -> Annotated[bool, "whether to contact them by post or phone"]:
        is_without = self.not_emailed not in NO_CONTACT_NEEDED and not self.has_left
        return is_without or self.state == MessageState.REFUSED


@dataclass(frozen=True, slots=True)
class BatchView:
    """Messages written together; ``subject`` and ``text`` are the most common ones, with fields.

    ``job`` is the last request to send them.
    """

    batch: Batch
    letters: tuple[Letter, ...]
    subject: Annotated[str, "the subject of most drafts, before personal details are inserted"]
    text: Annotated[str, "the text of most drafts, before personal details are inserted"]
    job: Job | None

    @property
    def message_kind(self) -> kinds.MessageKind:
        return kinds.MESSAGE_KINDS[self.batch.kind]

    @property
    def to_send(self) -> list[Letter]:
        return [letter for letter in self.letters if letter.is_to_send]

    @property
    def by_hand(self) -> list[Letter]:
        return [letter for letter in self.letters if letter.is_by_hand]

    @property
    def to_print(self) -> list[Letter]:
        """The letters to post; once everyone has been contacted, those of everyone written to."""
        written_letters = [
            letter
            for letter in self.letters
            if letter.state != MessageState.DROPPED and not letter.has_left
        ]
        return self.by_hand or written_letters

    @property
    def example(self) -> Letter | None:
        """One that is to be sent, if there is one, to look at."""
        return next(iter([*self.to_send, *self.by_hand, *self.letters]), None)

    @property
    def drafts(self) -> int:
        return sum(letter.is_draft for letter in self.letters)

    @property
    def own_texts(self) -> int:
        return sum(letter.is_draft and letter.has_own_text for letter in self.letters)

    @property
    def counts(self) -> Counter[MessageState]:
        return Counter(letter.state for letter in self.letters)

    @property
    def waiting(self) -> int:
        return self.counts[MessageState.WAITING]

    @property
    def sent(self) -> int:
        return self.counts[MessageState.SENT]

    @property
    def contacted(self) -> int:
        return sum(letter.was_contacted for letter in self.letters)

    @property
    def emailed(self) -> int:
        return self.sent - self.contacted

    @property
    def on_the_way(self) -> int:
        return self.waiting + self.sent

    @property
    def dropped(self) -> int:
        return self.counts[MessageState.DROPPED]

    @property
    def refused_letters(self) -> list[Letter]:
        return [letter for letter in self.letters if letter.state == MessageState.REFUSED]

    @property
    def has_failed(self) -> bool:
        """Whether messages are waiting and no job is sending them."""
        return bool(self.waiting and self.job and self.job.state == JobState.FAILED)

    @property
    def preview_digest(
        self,
    ) -> Annotated[str, "send this back with send; it changes with any edit"]:
        """A digest of everything that Send would send."""
        contents = [
            (letter.pk, letter.email, letter.subject, letter.body) for letter in self.to_send
        ]
        return sha256(repr(contents).encode()).hexdigest()[:PREVIEW_DIGEST_LENGTH]

    def letter(self, pk: int) -> Letter | None:
        return next((letter for letter in self.letters if letter.pk == pk), None)


@dataclass(frozen=True, slots=True)
class WaitingResults:
    """How many results of an evening are drafts, and the newest batch of them."""

    count: int
    batch_id: int


@dataclass(frozen=True, slots=True)
class Undelivered:
    """A message that did not arrive."""

    pk: int
    batch_id: int
    player_id: int
    name: str
    email: str
    subject: str
    answer: Annotated[str, "the mail server’s answer"]


def people_by_key() -> QuerySet[Player]:
    """Everyone with their club, to be looked up by key."""
    return Player.objects.select_related("club")


def current_record(player: Player) -> Player:
    """The record that someone's is merged into, or their own."""
    while merge := PlayerMerge.objects.filter(gone=player, undone_at=None).first():
        player = Player.objects.select_related("club").get(pk=merge.kept_id)
    return player


def batch_of(club: Club, pk: int) -> Batch:
    """The club's batch of that number; raises ``Http404``."""
    return get_object_or_404(Batch.objects.select_related("club", "made_by"), club=club, pk=pk)


def batch_view(batch: Batch) -> BatchView:
    """A batch with every message; two queries, and at most three for the fields."""
    messages = messages_of(batch)
    common = common_text(messages)
    fields, topic = values_of(batch, messages), kinds.MESSAGE_KINDS[batch.kind].topic
    letters = []
    for message in messages:
        player, is_draft = message.player, message.state == MessageState.DRAFT
        texts = (message.subject, message.body)
        values = fields[player.pk] if is_draft else None
        subject, body = (
            text if values is None else kinds.fill_fields(text, values) for text in texts
        )
        letters.append(
            Letter(
                message.pk,
                player.pk,
                player.name,
                player.email if is_draft else message.email,
                player.phone,
                MessageState(message.state),
                subject,
                body,
                message.answer,
                message.sent_at,
                has_own_text=texts != common,
                has_left=not player.is_active,
                not_emailed=email_obstacle(player, topic) if is_draft else "",
                second_phone=player.second_phone,
            )
        )
    job = Job.objects.filter(club_id=batch.club_id, kind=SENDING_JOB, about=batch.pk).first()
    return BatchView(batch, tuple(letters), *common, job)


def messages_of(batch: Batch) -> list[Message]:
    messages = batch.messages.select_related("player").order_by("pk")
    return sorted(messages, key=lambda message: surname_key(message.player.name))


def common_text(messages: Sequence[Message]) -> tuple[str, str]:
    """Subject and text that most of the drafts have (of all, where no draft is left)."""
    drafts = [message for message in messages if message.state == MessageState.DRAFT]
    texts = Counter((message.subject, message.body) for message in drafts or messages)
    return texts.most_common(1)[0][0] if texts else ("", "")


def batches_with_counts(club: Club, search: str = "") -> QuerySet[Batch]:
    """The club's batches, newest first, with how many messages have come how far."""
    batches = Batch.objects.filter(club=club)
    if search:
        condition = Q(title__icontains=search) | Q(messages__subject__icontains=search)
        condition |= Q(messages__body__icontains=search) | Q(
            messages__player__name__icontains=search
        )
        batches = batches.filter(pk__in=Batch.objects.filter(condition, club=club).values("pk"))
    counts = {
        str(state.value): Count("messages", filter=Q(messages__state=state))
        for state in MessageState
    }
    is_draft = Q(messages__state=MessageState.DRAFT, messages__player__is_active=True)
    is_result = Q(kind__in=kinds.RESULT_KINDS)
    is_wanted = is_result | Q(messages__player__wants_messages=True)
    is_draft &= ~is_result | _wants_results("messages__player__")
    email = "messages__player__email"
    is_reached = is_wanted & ~Q(**{email: ""}) & ~Q(messages__player__failed_email=F(email))
    if not sends_email():
        is_reached = Q(pk=None)
    counts["by_hand"] = Count("messages", filter=is_draft & ~is_reached)
    counts["to_send"] = Count("messages", filter=is_draft & is_reached)
    is_sent = Q(messages__state=MessageState.SENT)
    was_contacted = Q(messages__answer__in=tuple(CONTACT_ANSWERS.values()))
    counts["contacted"] = Count("messages", filter=is_sent & was_contacted)
    counts["emailed"] = Count("messages", filter=is_sent & ~was_contacted)
    return batches.select_related("made_by").annotate(**counts).order_by("-pk")


def _wants_results(prefix: str = "") -> Q:
    """The people whose emails with results are not refused, as ``Topic.is_refused_by`` says."""
    default_condition = Q(**{f"{prefix}wants_messages": True, f"{prefix}refuses_results": False})
    return Q(**{f"{prefix}wants_results": True}) | default_condition


def open_batches(club: Club) -> list[Batch]:
    """Batches with messages still to send or deliver by hand; one query."""
    return list(batches_with_counts(club).filter(UNFINISHED))


def earlier_batches(club: Club) -> QuerySet[Batch]:
    return batches_with_counts(club).exclude(UNFINISHED)


def undelivered_messages(club: Club) -> tuple[Undelivered, ...]:
    """Every undelivered message, newest first; one query."""
    messages = Message.objects.filter(batch__club=club, state=MessageState.REFUSED)
    columns = ("pk", "batch_id", "player_id", "player__name", "email", "subject", "answer")
    return tuple(Undelivered(*row) for row in messages.order_by("-pk").values_list(*columns))


def result_messages(session: Session) -> QuerySet[Message]:
    """Every message with the evening's result."""
    return Message.objects.filter(
        batch__club=session.club_id, batch__kind__in=kinds.RESULT_KINDS, batch__about=session.pk
    )


def players_with_drafts(session: Session) -> set[int]:
    """The people for whom the result is a draft."""
    drafts = result_messages(session).filter(state=MessageState.DRAFT)
    return set(drafts.values_list("player_id", flat=True))


@dataclass(frozen=True, slots=True)
class ResultReaders:
    """Who has a result of the evening, by their keys."""

    earlier_readers: Annotated[
        frozenset[int], "have one, or have it on its way; perhaps an earlier one"
    ]
    settled_players: Annotated[frozenset[int], "have the result of now, or are not to have it"]


def result_readers(session: Session) -> ResultReaders:
    """Who has which result; four queries."""
    now = mailed_result(session).digest[:DIGEST_LENGTH]
    messages = list(result_messages(session).values_list("player_id", "key", "state"))
    received_results = {
        (player, key.hex[:DIGEST_LENGTH])
        for player, key, state in messages
        if state not in (MessageState.DRAFT, MessageState.DROPPED)
    }
    sent_results = session.sent_results.values_list("player_id", "digest")
    received_results |= {(player, digest[:DIGEST_LENGTH]) for player, digest in sent_results}
    # Whom the secretary does not want to send which result.
    dropped_results = {
        (player, key.hex[:DIGEST_LENGTH])
        for player, key, state in messages
        if state == MessageState.DROPPED
    }
    settled_players = {
        player for player, digest in received_results | dropped_results if digest == now
    }
    return ResultReaders(
        frozenset(player for player, _ in received_results), frozenset(settled_players)
    )


def players_without_result(session: Session) -> list[Player]:
    """Whom the result can still be sent to: members, and who played, by name; five queries.

    Where emails are sent, those with an address. Nobody who refused it, or whom it is settled for.
    """
    people = active_records(session.club).filter(
        Q(kind=PlayerKind.MEMBER) | Q(places__session=session), _wants_results(), is_active=True
    )
    if sends_email():
        people = people.exclude(email="").exclude(failed_email=F("email"))
    settled_players = result_readers(session).settled_players
    return [player for player in by_surname(people.distinct()) if player.pk not in settled_players]


def waiting_results(session: Session) -> WaitingResults | None:
    """Results of the evening that nobody has sent yet, if there are any; one query."""
    drafts = result_messages(session).filter(state=MessageState.DRAFT)
    result = list(drafts.order_by("-batch_id").values_list("batch_id", flat=True))
    return WaitingResults(len(result), result[0]) if result else None


@dataclass(frozen=True, slots=True)
class PersonToContact:
    """Someone to contact by post or phone.

    ``link`` is where their yes or no is recorded.
    """

    pk: int
    player_id: int
    name: str
    phone: str
    say: Annotated[str, "what to say, in a line"]
    link: str
    reason: Annotated[str, "why they are not emailed, in a sentence; empty: there is no address"]
    second_phone: str = ""


@dataclass(frozen=True, slots=True)
class ContactList:
    """The people to phone, and those without a number."""

    to_call: tuple[PersonToContact, ...]
    to_write: tuple[PersonToContact, ...]

    @property
    def people(self) -> tuple[PersonToContact, ...]:
        return self.to_call + self.to_write

    @property
    def to_all(self) -> str:
        """What everyone is told; empty if it differs."""
        sentences = {call.say for call in self.people}
        return sentences.pop() if len(sentences) == 1 else ""


def _contact_reason(letter: Letter) -> str:
    if letter.answer:
        return f"The email was not delivered: {letter.answer}"
    if letter.not_emailed == EMAIL_FAILS:
        return f"Emails to {letter.email} are not delivered."
    return "They do not want emails from the club." if letter.not_emailed == EMAIL_REFUSED else ""


def contact_list(view: BatchView) -> ContactList:
    """Everyone of a batch to contact by post or phone; at most two queries."""
    people, kind = [letter.player_id for letter in view.by_hand], view.batch.kind
    places, links = dict[int, str](), dict[int, str]()
    if people and kind in kinds.RESULT_KINDS:
        result = mailed_result(session_of(view.batch))
        places = {person: result.place_of(person) or result.winner_for(person) for person in people}
    if people and kind == kinds.INVITATION.key:
        links = _answer_keys(view.batch, people)
    calls = [
        PersonToContact(
            letter.pk,
            letter.player_id,
            letter.name,
            letter.phone,
            places.get(letter.player_id) or letter.subject,
            links.get(letter.player_id, ""),
            _contact_reason(letter),
            letter.second_phone,
        )
        for letter in view.by_hand
    ]
    to_call = tuple(call for call in calls if call.phone)
    return ContactList(to_call, tuple(call for call in calls if not call.phone))
