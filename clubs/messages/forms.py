"""What a secretary types about a message: to whom, about which day, in which words."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from clubs.core.forms import ChangeForm, PeopleField, ShownTextField, day_field
from clubs.core.people_names import active_records
from clubs.language.moments import full_date
from clubs.messages.message_kinds import (
    FREE_TEXT,
    INVITATION,
    MessageKind,
    subject_faults,
    text_faults,
)
from clubs.messages.selectors import NO_MAIL_SERVER, email_obstacle
from clubs.models import Club, Player, PlayerKind, Session, SessionState, counting_evenings

TO_MEMBERS, TO_PRESENT, TO_SUBSTITUTES, TO_CHOSEN = "members", "here", "glad", "chosen"
MAX_TEXT_LENGTH = 10_000
EVENING_NOT_FINISHED = "Choose an evening that is finished."

PEOPLE_TICKED_MESSAGE = (
    "You have ticked people below. Choose “Only the people ticked below”, or untick them."
)
NO_READERS_MESSAGES = {
    TO_MEMBERS: "The club has no members yet.",
    TO_PRESENT: "No one was checked in on that evening.",
    TO_SUBSTITUTES: "There is no one on the substitutes list.",
    TO_CHOSEN: "Choose at least one person.",
}


class TextForm(forms.Form):
    """Subject and text, with fields in braces where the matter has some."""

    subject = ShownTextField(
        label="Subject", max_length=160, error_messages={"required": "Enter a subject."}
    )
    text = ShownTextField(
        label="Text",
        max_length=MAX_TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 14}),
        error_messages={
            "required": "Enter a message.",
            "max_length": "The message is too long. Shorten it.",
        },
    )

    def __init__(self, kind: MessageKind, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        self.kind = kind

    def clean_subject(self) -> str:
        """The subject on one line, with no field that is not there."""
        subject: str = self.cleaned_data["subject"]
        _raise_sentences(subject_faults(subject, self.kind.names))
        return subject

    def clean_text(self) -> str:
        """The text with line ends as everywhere, and no field that is not there."""
        text: str = self.cleaned_data["text"]
        _raise_sentences(text_faults(text, self.kind.names))
        return text.replace("\r\n", "\n")


def _raise_sentences(sentences: list[str]) -> None:
    if sentences:
        raise ValidationError(sentences)


class TextChangeForm(ChangeForm, TextForm):
    """Other words for drafts that are there already."""


class EveningField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """A finished evening, by its date."""

    def label_from_instance(self, session: Session) -> str:
        return full_date(session.held_on)


class WriteForm(TextForm):
    """A new message: what its kind asks for, and who is to have it."""

    day = day_field("Which day?")
    evening = EveningField(
        label="Which evening?",
        queryset=Session.objects.none(),
        empty_label=None,
        error_messages={"required": "Choose an evening.", "invalid_choice": EVENING_NOT_FINISHED},
    )
    why = ShownTextField(
        label="Reason",
        max_length=80,
        required=False,
        help_text="In a few words, for example: the hall is let.",
    )
    who = forms.ChoiceField(
        label="Send to",
        widget=forms.RadioSelect,
        error_messages={"required": "Choose who to send it to."},
    )
    people = PeopleField(
        label="People",
        queryset=Player.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"invalid_choice": "Someone you ticked is no longer in the member list."},
    )
    field_order = ("day", "evening", "why", "subject", "text", "who", "people")

    def __init__(self, club: Club, kind: MessageKind, data: Any = None, **options: Any) -> None:
        def label(player: Player) -> str:
            guest = " (guest)" if player.kind == PlayerKind.GUEST else ""
            obstacle = email_obstacle(player, kind.topic)
            is_own = obstacle not in ("", NO_MAIL_SERVER)
            return f"{player.name}{guest}{is_own * f', {obstacle}'}"

        super().__init__(kind, data, **options)
        self.club = club
        self.session = club.sessions.filter(
            counting_evenings(), held_on__lte=timezone.localdate()
        ).first()
        for name in self.fields.keys() - set(kind.asks):
            del self.fields[name]
        if "evening" in self.fields:
            evenings: Any = self.fields["evening"]
            evenings.queryset = club.sessions.filter(state=SessionState.CLOSED)
        if "who" in self.fields:
            audience_field: Any = self.fields["who"]
            choices = [(TO_MEMBERS, "All members")]
            if kind is FREE_TEXT and self.session is not None:
                choices.append(
                    (TO_PRESENT, f"Everyone who came on {full_date(self.session.held_on)}")
                )
            if kind is INVITATION:
                choices.append((TO_SUBSTITUTES, "Substitutes"))
            audience_field.choices = [*choices, (TO_CHOSEN, "Only the people ticked below")]
            audience_field.initial = TO_MEMBERS
            people: Any = self.fields["people"]
            people.queryset = active_records(club).filter(is_active=True)
            people.label_from_instance = label

    def clean_day(self) -> Any:
        day = self.cleaned_data["day"]
        if day < timezone.localdate():
            raise ValidationError("That date has passed. Choose a future date.")
        return day

    def clean(self) -> dict[str, Any]:
        """The people it goes to, as ``readers``; at least one."""
        audience = self.cleaned_data.get("who")
        if audience not in (None, TO_CHOSEN) and self.cleaned_data.get("people"):
            self.add_error("who", PEOPLE_TICKED_MESSAGE)
        elif audience is not None and "people" not in self.errors:
            people = active_records(self.club).filter(is_active=True)
            groups = {
                TO_MEMBERS: people.filter(kind=PlayerKind.MEMBER),
                TO_PRESENT: people.filter(attendances__session=self.session),
                TO_SUBSTITUTES: people.filter(stand_by__isnull=False),
                TO_CHOSEN: self.cleaned_data.get("people", ()),
            }
            self.cleaned_data["readers"] = readers = list(groups[audience])
            if not readers:
                self.add_error(
                    "people" if audience == TO_CHOSEN else "who", NO_READERS_MESSAGES[audience]
                )
        return self.cleaned_data
