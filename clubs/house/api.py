"""The club's settings, house rules, jobs and practice evening over the API."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.text import slugify
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.accounts.services import clubs_of
from clubs.api.base import (
    ClubAPIView,
    ClubListAPIView,
    ClubTableAPIView,
    OpenAPIView,
    OwnListAPIView,
    TablesAPIView,
    WholePages,
    lists,
    reads,
    removes,
    tables,
)
from clubs.api.callers import clubs_opened_by
from clubs.api.commands import ActAPIView, ChangeAPIView, changes, does
from clubs.api.created import Place
from clubs.api.fields import FlagField, OneOfField, TextField, named, one_of, since
from clubs.api.papers import PaperAPIView, prints
from clubs.api.rows import schema_of
from clubs.core.permissions import (
    MAKE_PACK,
    MANAGE_CLUB,
    MANAGE_LEAGUE,
    REHEARSE,
    RUN_EVENING,
    SEE_HOME,
)
from clubs.core.queue import CLUB_FILE
from clubs.house import phone_address_api, services
from clubs.house.first_run import FirstStep, first_steps
from clubs.house.forms.club import (
    SWITCHES,
    ClubEmailForm,
    ClubNameForm,
    HandsForm,
    PublicForm,
    initial_email,
    initial_name,
)
from clubs.house.forms.house_rules import NumberLine, hands_of, lines_of
from clubs.house.mail_checks import MailCheck, Verdict
from clubs.league import services as league_services
from clubs.league.schemas import JobShape
from clubs.models import Club, Job, JobState, MarkColour, Session, SessionState
from clubs.paper.formats import Format
from clubs.table.forms.rules import HELD, ClubRulesForm
from clubs.table.selectors import rules as selectors_rules
from clubs.table.selectors.rules import HouseRow, house_rules_of, printed_beside, rules_offered
from scoring import BadHouseRules, RuleSet, UnknownRuleSet, house, rule_set_keys
from scoring.rules.conditions import HandCondition, SetCondition
from scoring.rules.declarations import Choice
from scoring.scorebook.editions import declaration_of, rule_set
from scoring.scorebook.models import AgreementPolicy, Recording
from scoring.scorebook.refusals import Refusal, Refused
from scoring.scorebook.reports import asks_who_discarded

Shape = serializers.Serializer[object]
DECLARED = (
    "house rules: base and name; of limit, limits, choices, points, more_points, doubles, "
    "more_doubles, without, values, fishing, specials, chows, one_suit, minimum, minimum_with_two, "
    "losers_score, payments and passing what differs from the rule book. The page "
    "docs/rules/house-rules.md explains each."
)


@extend_schema_field({"type": "object", "additionalProperties": {}, "description": DECLARED})
class DeclarationField(serializers.JSONField):
    """House rules as data; the engine judges them."""

    default_error_messages = {"not_an_object": "These are not house rules."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_an_object")
        return data


class ClubNameShape(Shape):
    """What a club is called, and its mark: the tile beside its name."""

    name = serializers.CharField()
    mark_colour = serializers.ChoiceField(
        choices=MarkColour.choices, help_text="the colour of the mark"
    )


class ClubEmailShape(Shape):
    """Where answers to the club’s emails go."""

    contact_email = serializers.CharField(
        help_text="empty: to the sender of the message, or a secretary"
    )


MailCheckShape = schema_of(
    "MailCheckShape",
    MailCheck,
    "title term verdict sentence advice",
    "One thing that decides whether emails arrive.",
    verdict=serializers.ChoiceField(choices=[verdict.value for verdict in Verdict]),
)


class MailTestShape(Shape):
    """A test email, and what is wrong with how emails are sent."""

    to = serializers.CharField()
    checks = MailCheckShape(many=True)


class PublicShape(Shape):
    """What the public sees. Members always see all of it."""

    shows_results = serializers.BooleanField(
        help_text="evenings, players’ pages, special hands and tournaments"
    )
    shows_league = serializers.BooleanField(help_text="league tables, ranking rules and ratings")
    shows_calendar = serializers.BooleanField(help_text="the dates of coming evenings")


FirstStepShape = schema_of("FirstStepShape", FirstStep, "key title note is_optional is_done")


class SettingsIn(Shape):
    """A club's settings. Fields you omit stay as they are."""

    rules = TextField(required=False, max_length=40, help_text="the key of available rules")
    record_by = OneOfField(
        required=False, choices=Recording.choices, help_text="how hands are entered"
    )
    agreement = OneOfField(
        required=False,
        choices=AgreementPolicy.choices,
        help_text="who must agree that a hand is right",
    )
    rates = FlagField(required=False, help_text="whether members are rated")


class OfferedShape(Shape):
    """Rules that can be chosen."""

    key = serializers.CharField()
    name = serializers.CharField()


class ClubSettingsShape(Shape):
    """A club’s settings, and the rules it can choose."""

    rules = serializers.CharField(help_text="the key of the rules")
    record_by = named(Recording.choices)(help_text="how hands are entered")
    agreement = named(AgreementPolicy.choices)(help_text="who must agree that a hand is right")
    rates = serializers.BooleanField(help_text="whether members are rated")
    offered = OfferedShape(many=True)


HOUSE = "id=pk key name version book summary made_at made_by games is_offered is_played"

HouseRowShape = schema_of("HouseRowShape", HouseRow, HOUSE)


class DeclaredIn(Shape):
    """House rules as declared."""

    rules = DeclarationField(help_text=DECLARED)


class ChangedLineShape(Shape):
    """A line that differs from the rule book."""

    cells = serializers.ListField(child=serializers.CharField(allow_blank=True))
    change = serializers.CharField(help_text="what differs, in a word")
    said = serializers.CharField(allow_blank=True)
    here = serializers.CharField(help_text="what differs, as it is played here")
    in_the_book = serializers.CharField(help_text="what differs, as the rule book has it")


class ChangedSectionShape(Shape):
    """A section of the rules with the lines that differ."""

    title = serializers.CharField()
    heads = serializers.ListField(child=serializers.CharField(allow_blank=True))
    lines = ChangedLineShape(many=True)


class HousePreviewShape(Shape):
    """House rules compared with their rule book."""

    name = serializers.CharField()
    book = serializers.CharField()
    count = serializers.IntegerField(help_text="how many lines differ")
    changed = ChangedSectionShape(many=True)
    rules = DeclarationField(help_text="the whole rules as they would be saved")


HouseWholeShape = schema_of(
    "HouseWholeShape",
    HouseRow,
    f"{HOUSE} rules",
    "A club’s house rules, with their declaration.",
    rules=DeclarationField(help_text=DECLARED),
)

NumberLineShape = schema_of(
    "NumberLineShape", NumberLine, "kind name worth", kind=OneOfField(choices=["points", "doubles"])
)

OpenPointShape = schema_of(
    "OpenPointShape",
    Choice,
    "name words value",
    "A point the rule book leaves open, and its own answer.",
    value=serializers.JSONField(help_text="true or false, or a number"),
)


class HandOfBookShape(Shape):
    """A special hand that house rules can leave out."""

    key = serializers.CharField()
    name = serializers.CharField()


class ConditionShape(Shape):
    """What a line of points or doubles of a club’s own can be for."""

    name = serializers.CharField()
    words = serializers.CharField()


class HouseBookShape(Shape):
    """A rule book to base house rules on, and what they can change."""

    base = serializers.CharField()
    name = serializers.CharField()
    limit = serializers.IntegerField(allow_null=True)
    choices = OpenPointShape(many=True)
    lines = NumberLineShape(many=True)
    hands = HandOfBookShape(many=True, help_text="the names that without can contain")
    when = ConditionShape(many=True, help_text="conditions of a whole hand")
    sets = ConditionShape(many=True, help_text="conditions of a set")


class RehearsalShape(Shape):
    """A practice evening, in a separate club of made-up members."""

    club = serializers.CharField(
        help_text="the slug of the practice evening; use it like any club’s"
    )
    name = serializers.CharField()
    evening_id = serializers.IntegerField()
    state = named(SessionState.choices)()


class RehearsedShape(RehearsalShape):
    """A practice evening after hands were played."""

    hands = serializers.IntegerField(help_text="how many hands were played at all tables")


def rehearsal_data(session: Session) -> dict[str, Any]:
    """A practice evening as ``RehearsalShape``."""
    return {
        "club": session.club.slug,
        "name": session.club.name,
        "evening_id": session.pk,
        "state": session.state,
    }


class ClubShape(serializers.ModelSerializer[Club]):
    """A club."""

    class Meta:
        model = Club
        fields = ["slug", "name", "rules", "shows_results", "shows_league", "shows_calendar"]


class RuleSetShape(serializers.Serializer[object]):
    """A rule set, and what a hand must state under it."""

    key = serializers.CharField()
    name = serializers.CharField()
    limit = serializers.IntegerField(allow_null=True)
    losers_score = serializers.BooleanField(help_text="false if only the winner scores")
    players_pay = serializers.BooleanField(source="zero_sum", help_text="false if scores add up")
    asks_who_discarded = serializers.SerializerMethodField(
        help_text="whether a hand needs won_by and, after a claim, discarder"
    )

    def get_asks_who_discarded(self, rules: RuleSet) -> bool:
        """Whether what players pay depends on who discarded the last tile."""
        return asks_who_discarded(rules)


class ClubsView(OwnListAPIView):
    pagination_class = WholePages

    @tables(ClubShape)
    def get(self) -> list[Club]:
        """List your clubs, by name."""
        return clubs_opened_by(self.request.auth, clubs_of(self.me))


class RuleSetsView(TablesAPIView, OpenAPIView):
    sheet = "Rules"

    @tables(RuleSetShape)
    def get(self) -> list[RuleSet]:
        """List the newest edition of each rule set."""
        return [rule_set(key) for key in rule_set_keys()]


class HouseRulesView(ClubTableAPIView):
    access = SEE_HOME
    sheet = "Rules"

    @tables(RuleSetShape)
    def get(self) -> tuple[RuleSet, ...]:
        """List the house rules that a club can play, newest first."""
        return selectors_rules.editions_of(self.club)


class SettingsView(ChangeAPIView):
    access = MANAGE_LEAGUE

    @reads(ClubSettingsShape)
    def get(self) -> dict[str, Any]:
        """Get the club's rules, how hands are entered, who agrees, and the choices."""
        return self.current_settings()

    def current(self) -> Mapping[str, Any]:
        return {name: getattr(self.club, name) for name in HELD}

    def form_kwargs(self) -> dict[str, Any]:
        return {"club": self.club}

    @changes(ClubRulesForm, answers=ClubSettingsShape, shape=SettingsIn)
    def patch(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Change the club's settings. A season already started keeps its own rules."""
        league_services.change_rules(club=self.club, **validated)
        self.club.refresh_from_db()
        return self.current_settings()

    def current_settings(self) -> dict[str, Any]:
        """The current settings, and the available rules."""
        offered = rules_offered(self.club, current=self.club.rules)
        return {**self.current(), "offered": [{"key": key, "name": name} for key, name in offered]}


class ClubNameView(ChangeAPIView):
    access = MANAGE_CLUB

    @reads(ClubNameShape)
    def get(self) -> Club:
        """Get the club's name, and the colour of its mark."""
        return self.club

    def current(self) -> Mapping[str, Any]:
        return initial_name(self.club)

    @changes(ClubNameForm, answers=ClubNameShape)
    def patch(self, validated: dict[str, Any]) -> Club:
        """Rename the club or recolour its mark. Its slug and every address stay as they are."""
        return services.change_club(club=self.club, **validated)


class FirstStepsView(ClubTableAPIView):
    access = MANAGE_CLUB

    @tables(FirstStepShape)
    def get(self) -> tuple[FirstStep, ...]:
        """List what a new club does first. It is empty once all is done, or the list is hidden."""
        return first_steps(self.club)

    @removes
    def delete(self) -> None:
        """Hide the list of first steps on the home page."""
        services.hide_first_steps(club=self.club)


class ClubEmailView(ChangeAPIView):
    access = MANAGE_CLUB

    @reads(ClubEmailShape)
    def get(self) -> Club:
        """Get where answers to the club's emails go."""
        return self.club

    def current(self) -> Mapping[str, Any]:
        return initial_email(self.club)

    @changes(ClubEmailForm, answers=ClubEmailShape)
    def patch(self, validated: dict[str, Any]) -> Club:
        """Set where answers to the club's emails go; empty for the sender of the message."""
        return services.change_contact(club=self.club, **validated)


class EmailTestView(ActAPIView):
    access = MANAGE_CLUB

    @does(answers=MailTestShape)
    def post(self) -> dict[str, Any]:
        """Send yourself a test email, and get what is wrong with how emails are sent.

        This takes up to ten seconds.
        """
        return {
            "to": self.me.email,
            "checks": services.send_test_mail(club=self.club, to=self.me.email),
        }


class PublicView(ChangeAPIView):
    access = MANAGE_CLUB

    @reads(PublicShape)
    def get(self) -> Club:
        """Get what the public sees without signing in."""
        return self.club

    def current(self) -> Mapping[str, Any]:
        return {name: getattr(self.club, name) for name in SWITCHES}

    @changes(PublicForm, answers=PublicShape)
    def patch(self, validated: dict[str, Any]) -> Club:
        """Choose what the public sees: results, league and calendar."""
        services.publish(club=self.club, **validated)
        return self.club


class HouseRulesListView(ClubListAPIView, ActAPIView):
    access = MANAGE_LEAGUE
    sheet = "House rules"

    @lists(HouseRowShape)
    def get(self) -> tuple[HouseRow, ...]:
        """List the club's house rules, newest first, retired ones included."""
        return house_rules_of(self.club)

    def dry_run(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Every line that differs from the rule book."""
        declared = declared_in(validated["rules"])
        printed = printed_beside(declared.rules, rule_set(declared.base))
        return {
            "name": declared.name,
            "book": printed.book.name,
            "count": printed.count,
            "changed": [
                {
                    "title": section.title,
                    "heads": [cell.text for cell in section.heads],
                    "lines": [
                        {
                            "cells": [cell.text for cell in row.cells],
                            "change": row.change,
                            "said": row.said,
                            "here": row.here,
                            "in_the_book": row.in_the_book,
                        }
                        for row in section.changes
                    ],
                }
                for section in printed.changed
            ],
            "rules": declared.as_data(),
        }

    @does(
        DeclaredIn,
        answers=HouseRowShape,
        creates=Place("api-house", rules="id"),
        previews=HousePreviewShape,
    )
    def post(self, validated: dict[str, Any]) -> HouseRow:
        """Save house rules. They can then be chosen, and never changed.

        A dry run compares them with their rule book, line by line.
        """
        declared = declared_in(validated["rules"])
        kept = services.keep_house_rules(club=self.club, declared=declared, made_by=self.me)
        return row_of(self.club, kept.pk)


class KeptHouseRulesView(ClubAPIView):
    access = MANAGE_LEAGUE

    @reads(HouseWholeShape)
    def get(self) -> dict[str, Any]:
        """Get house rules with their declaration, which new ones can start from."""
        kept = get_object_or_404(
            self.club.house_rules.select_related("edition"), pk=self.kwargs["rules"]
        )
        row = row_of(self.club, kept.pk)
        fields = {name: getattr(row, name) for name in HouseRow.__slots__}
        return {**fields, "rules": declaration_of(kept.edition.key).as_data()}


class HouseRetireView(ActAPIView):
    access = MANAGE_LEAGUE

    @does(answers=HouseRowShape)
    def post(self) -> HouseRow:
        """Retire house rules. Games already played keep them. Refused while the club uses them."""
        kept = get_object_or_404(self.club.house_rules, pk=self.kwargs["rules"])
        services.retire_house_rules(club=self.club, pk=kept.pk)
        return row_of(self.club, kept.pk)


class HouseOfferView(ActAPIView):
    access = MANAGE_LEAGUE

    @does(answers=HouseRowShape)
    def post(self) -> HouseRow:
        """Make retired house rules available again."""
        kept = get_object_or_404(self.club.house_rules, pk=self.kwargs["rules"])
        services.offer_house_rules(club=self.club, pk=kept.pk)
        return row_of(self.club, kept.pk)


class HouseBookView(ClubAPIView):
    access = MANAGE_LEAGUE

    @reads(HouseBookShape)
    def get(self) -> dict[str, Any]:
        """Get what house rules can change in this rule book: open points, numbers and hands."""
        try:
            book = rule_set(self.kwargs["key"])
            begun = house.read_house_rules({"base": book.key, "name": self.club.name[:60]})
        except (UnknownRuleSet, BadHouseRules) as unknown:
            raise Http404 from unknown
        return {
            "base": book.key,
            "name": book.name,
            "limit": book.limit,
            "choices": book.choices,
            "lines": lines_of(book),
            "hands": [{"key": key, "name": name} for key, name in hands_of(book, begun)],
            "when": _worded(house.VOCABULARY),
            "sets": _worded(house.SETS_VOCABULARY),
        }


def _worded(
    vocabulary: Mapping[str, HandCondition] | Mapping[str, SetCondition],
) -> list[dict[str, str]]:
    return [{"name": name, "words": condition.words} for name, condition in vocabulary.items()]


def declared_in(data: Mapping[str, Any]) -> house.HouseRules:
    """The house rules in the data. Raises ``Refused`` with each fault at its path."""
    try:
        return house.read_house_rules(data)
    except BadHouseRules as bad:
        raise Refused(
            [
                Refusal(str(problem.code), problem.sentence, f"rules.{problem.where}".rstrip("."))
                for problem in bad.problems
            ]
        ) from bad


def row_of(club: Club, key: int) -> HouseRow:
    """The club's house rules of that number, as listed."""
    return next(row for row in house_rules_of(club) if row.pk == key)


CLUB = "clubs/<slug:club>/"
OWN = f"{CLUB}house-rules/"


class JobsView(ClubListAPIView):
    access = MAKE_PACK
    filters = (one_of("state", JobState.values), since("made_at"))

    @lists(JobShape)
    def get(self) -> QuerySet[Job]:
        """List the background jobs, newest first: long printouts, messages, club files."""
        return self.club.jobs.order_by("-made_at", "-pk")


class JobView(ClubAPIView):
    access = MAKE_PACK

    @reads(JobShape)
    def get(self) -> Job:
        """Get the progress of a job. Ask every second or two until it is done or failed."""
        return get_object_or_404(self.club.jobs, pk=self.kwargs["job"])


class JobResultPaper(PaperAPIView):
    access = MAKE_PACK

    @prints(in_formats=False)
    def get(self, _form: Format) -> tuple[bytes, str]:
        """Download the job's PDF, or only ``?pages=3,7-9``. It is 404 until it is ready."""
        job = get_object_or_404(self.club.jobs.exclude(kind=CLUB_FILE), pk=self.kwargs["job"])
        if not job.result:
            raise Http404
        with job.result.open("rb") as file:
            return file.read(), f"{self.club.slug}-{slugify(job.kind)}"


JOB = "clubs/<slug:club>/jobs/"


class RehearseView(ActAPIView):
    access = REHEARSE

    @does(answers=RehearsalShape, creates=Place("api-rehearsal", club="club"))
    def post(self) -> dict[str, Any]:
        """Start a practice evening, or return the current one.

        It is a separate club with made-up members: continue at its address. Nothing in it counts.
        """
        return rehearsal_data(services.rehearse(club=self.club))


class RehearsalView(ClubAPIView):
    access = REHEARSE
    writing_access = RUN_EVENING

    @reads(RehearsalShape)
    def get(self) -> dict[str, Any]:
        """Get the practice evening. It is 404 in an ordinary club."""
        return rehearsal_data(session_of(self.club))

    @removes
    def delete(self) -> None:
        """Delete the practice evening and everything in it."""
        session_of(self.club)
        services.wipe(rehearsal=self.club)


class RehearsalPlayView(ActAPIView):
    access = REHEARSE

    @does(HandsForm, answers=RehearsedShape)
    def post(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Let the made-up members play this many hands at every table."""
        session = session_of(self.club)
        played = services.play_on(session=session, hands=validated["hands"])
        return {**rehearsal_data(session), "hands": played}


class RehearsalAgainView(ActAPIView):
    access = RUN_EVENING

    @does(answers=RehearsalShape, creates=Place("api-rehearsal", club="club"))
    def post(self) -> dict[str, Any]:
        """Restart: delete the practice evening and start a new one at a new address."""
        session_of(self.club)
        return rehearsal_data(services.begin_again(rehearsal=self.club))


def session_of(club: Club) -> Session:
    """The practice evening; raises ``Http404`` in an ordinary club."""
    session = services.evening_of(club)
    if session is None:
        raise Http404
    return session


urlpatterns = [
    path(f"{CLUB}settings/", SettingsView.as_view(), name="api-settings"),
    path(f"{CLUB}settings/name/", ClubNameView.as_view(), name="api-club-name"),
    *phone_address_api.urlpatterns,
    path(f"{CLUB}settings/email/", ClubEmailView.as_view(), name="api-club-email"),
    path(f"{CLUB}settings/email/test/", EmailTestView.as_view(), name="api-email-test"),
    path(f"{CLUB}first-steps/", FirstStepsView.as_view(), name="api-first-steps"),
    path(f"{CLUB}settings/public/", PublicView.as_view(), name="api-club-public"),
    path(OWN, HouseRulesListView.as_view(), name="api-house-list"),
    path(f"{OWN}books/<path:key>/", HouseBookView.as_view(), name="api-house-book"),
    path(f"{OWN}<int:rules>/", KeptHouseRulesView.as_view(), name="api-house"),
    path(f"{OWN}<int:rules>/retire/", HouseRetireView.as_view(), name="api-house-retire"),
    path(f"{OWN}<int:rules>/offer/", HouseOfferView.as_view(), name="api-house-offer"),
    path(JOB, JobsView.as_view(), name="api-jobs"),
    path(f"{JOB}<uuid:job>/", JobView.as_view(), name="api-job"),
    path(f"{JOB}<uuid:job>/result.pdf", JobResultPaper.as_view(), name="api-job-result"),
    path(f"{CLUB}rehearse/", RehearseView.as_view(), name="api-rehearse"),
    path(f"{CLUB}rehearsal/", RehearsalView.as_view(), name="api-rehearsal"),
    path(f"{CLUB}rehearsal/play/", RehearsalPlayView.as_view(), name="api-rehearsal-play"),
    path(f"{CLUB}rehearsal/again/", RehearsalAgainView.as_view(), name="api-rehearsal-again"),
]
