"""Clubs: their people, evenings and leagues, and what is sent, deleted and logged for them."""

import uuid

from django.conf import settings
from django.db import migrations, models
from django.utils import timezone

from clubs.models.people import link_key


def row_id() -> tuple[str, models.BigAutoField]:
    return (
        "id",
        models.BigAutoField(
            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
        ),
    )


class Migration(migrations.Migration):
    initial = True
    # Databases from before this was one migration have applied these as well.
    replaces = [
        ("clubs", "0002_sent_results"),
        ("clubs", "0003_season_rules"),
        ("clubs", "0004_house_rules"),
        ("clubs", "0005_at_the_table"),
        ("clubs", "0006_books_of_evenings"),
        ("clubs", "0007_the_clubs_year"),
        ("clubs", "0008_rules_of_seasons"),
        ("clubs", "0009_the_rest_of_the_year"),
        ("clubs", "0010_comings_and_goings"),
        ("clubs", "0011_many_clubs_one_installation"),
        ("clubs", "0012_signed_out_everywhere"),
        ("clubs", "0013_keys_with_scopes"),
        ("clubs", "0014_replaced_links"),
        ("clubs", "0015_nights_of_backups"),
        ("clubs", "0016_keeping_of_deeds"),
        ("clubs", "0017_secrets_of_webhooks"),
        ("clubs", "0018_backups_put_back"),
        ("clubs", "0019_public_league_and_calendar"),
        ("clubs", "0020_role_invitations"),
        ("clubs", "0021_plain_words"),
        ("clubs", "0022_times_closed"),
    ]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("scorebook", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                row_id(),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                ("email", models.EmailField(max_length=254, unique=True)),
                ("name", models.CharField(max_length=80)),
                ("is_active", models.BooleanField(default=True)),
                ("date_joined", models.DateTimeField(default=timezone.now)),
                (
                    "signed_out",
                    models.PositiveIntegerField(
                        default=0, help_text="how often they signed out everywhere"
                    ),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.CreateModel(
            name="Club",
            fields=[
                row_id(),
                ("name", models.CharField(max_length=80, unique=True)),
                ("slug", models.SlugField(max_length=60, unique=True)),
                (
                    "rules",
                    models.CharField(default="bmja", help_text="rule set key", max_length=40),
                ),
                (
                    "record_by",
                    models.CharField(
                        choices=[
                            ("totals", "What each hand scored"),
                            ("tiles", "The tiles of each hand"),
                            ("tallies", "Each player’s stick count after the hand"),
                            ("winner", "Only who went Mah-Jong"),
                        ],
                        default="totals",
                        max_length=8,
                    ),
                ),
                (
                    "agreement",
                    models.CharField(
                        choices=[
                            ("all", "Everyone who played the hand"),
                            ("two", "Any two players"),
                            ("scorer", "The scorer alone"),
                            ("none", "No one: hands count as entered"),
                        ],
                        default="all",
                        max_length=8,
                    ),
                ),
                (
                    "shows_results",
                    models.BooleanField(
                        default=False, help_text="anyone can see evenings, results and tournaments"
                    ),
                ),
                (
                    "shows_league",
                    models.BooleanField(
                        default=False, help_text="anyone can see league tables and ratings"
                    ),
                ),
                (
                    "shows_calendar",
                    models.BooleanField(
                        default=False, help_text="anyone can see the dates of coming evenings"
                    ),
                ),
                (
                    "table_money",
                    models.PositiveIntegerField(
                        default=0, help_text="pence a head; 0: none is taken"
                    ),
                ),
                (
                    "guest_visits",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        default=3,
                        help_text="before a guest is asked to join; empty: any",
                        null=True,
                    ),
                ),
                (
                    "rates",
                    models.BooleanField(
                        default=False, help_text="players' pages show an OpenSkill rating"
                    ),
                ),
                (
                    "rehearsal_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.CASCADE,
                        related_name="rehearsals",
                        to="clubs.club",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="players", to="clubs.club"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                (
                    "name_key",
                    models.CharField(
                        help_text="the name without accents and capitals", max_length=80
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("member", "member"), ("guest", "guest")],
                        default="member",
                        max_length=10,
                    ),
                ),
                ("email", models.EmailField(blank=True, max_length=254)),
                (
                    "wants_results",
                    models.BooleanField(default=False, help_text="each evening's result by email"),
                ),
                ("phone", models.CharField(blank=True, max_length=40)),
                (
                    "shown_as",
                    models.CharField(
                        choices=[
                            ("full", "Full name"),
                            ("initial", "First name and initial"),
                            ("hidden", "Hidden"),
                        ],
                        default="full",
                        max_length=10,
                    ),
                ),
                ("is_active", models.BooleanField(default=True)),
                ("joined_on", models.DateField(default=timezone.localdate)),
                (
                    "paid_until",
                    models.DateField(blank=True, help_text="the last day paid for", null=True),
                ),
                (
                    "lapsed_on",
                    models.DateField(
                        blank=True, help_text="since when no longer a member", null=True
                    ),
                ),
                (
                    "erased_on",
                    models.DateField(
                        blank=True, help_text="since when only results are kept", null=True
                    ),
                ),
            ],
            options={
                "ordering": ["name_key"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "name_key"), name="one_player_of_a_name"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Alias",
            fields=[
                row_id(),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="aliases", to="clubs.player"
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="aliases", to="clubs.club"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("name_key", models.CharField(max_length=80)),
            ],
            options={
                "ordering": ["name_key"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "name_key"), name="one_person_of_an_alias"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="memberships", to="clubs.club"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.CASCADE,
                        related_name="memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("secretary", "secretary"),
                            ("director", "tournament director"),
                            ("scorer", "scorer"),
                            ("player", "player"),
                        ],
                        default="player",
                        max_length=10,
                    ),
                ),
                (
                    "player",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="membership",
                        to="clubs.player",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("club", "user"), name="one_role_in_a_club")
                ]
            },
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                row_id(),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=models.CASCADE,
                        related_name="api_tokens",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        help_text="empty: every club in which the person has a role",
                        null=True,
                        on_delete=models.CASCADE,
                        related_name="api_tokens",
                        to="clubs.club",
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        help_text="what it is for, in the person's words", max_length=80
                    ),
                ),
                ("beginning", models.CharField(help_text="to know it again by", max_length=12)),
                (
                    "digest",
                    models.CharField(
                        help_text="SHA-256 of the whole key", max_length=64, unique=True
                    ),
                ),
                ("scopes", models.JSONField(default=list, help_text="names of what it may do")),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "used_at",
                    models.DateTimeField(blank=True, help_text="to the nearest minute", null=True),
                ),
                (
                    "ends_at",
                    models.DateTimeField(
                        blank=True, help_text="empty: until it is revoked", null=True
                    ),
                ),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={"ordering": ["-pk"]},
        ),
        migrations.CreateModel(
            name="KeptAnswer",
            fields=[
                row_id(),
                (
                    "owner",
                    models.CharField(
                        help_text="token, account or table link that asked", max_length=80
                    ),
                ),
                ("key", models.CharField(max_length=200)),
                (
                    "asked",
                    models.CharField(help_text="SHA-256 of method, path and body", max_length=64),
                ),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("body", models.TextField(blank=True)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "indexes": [models.Index(fields=["made_at"], name="kept_answers_by_age")],
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "key"), name="one_answer_to_a_key")
                ],
            },
        ),
        migrations.CreateModel(
            name="Backup",
            fields=[
                row_id(),
                (
                    "night",
                    models.DateField(
                        blank=True,
                        help_text="the first worker of the night makes it; by hand: none",
                        null=True,
                        unique=True,
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("file", models.CharField(max_length=300)),
                ("bytes", models.PositiveBigIntegerField(default=0)),
                (
                    "digest",
                    models.CharField(
                        blank=True,
                        help_text="of standings and chain heads as they were",
                        max_length=64,
                    ),
                ),
                (
                    "tried_at",
                    models.DateTimeField(blank=True, help_text="when it was put back", null=True),
                ),
                ("is_good", models.BooleanField(help_text="empty: not tried yet", null=True)),
                (
                    "fault",
                    models.CharField(
                        blank=True, help_text="a sentence, if it is not good", max_length=300
                    ),
                ),
                (
                    "put_back_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="when the book that this is in was put back from it",
                        null=True,
                    ),
                ),
                (
                    "let_go_at",
                    models.DateTimeField(
                        blank=True, help_text="when its file was deleted", null=True
                    ),
                ),
                (
                    "told_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="when the operators were alerted that something is wrong",
                        null=True,
                    ),
                ),
            ],
            options={"ordering": ["-made_at"]},
        ),
        migrations.CreateModel(
            name="HouseRules",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="house_rules", to="clubs.club"
                    ),
                ),
                (
                    "edition",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="clubs", to="scorebook.edition"
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "retired_at",
                    models.DateTimeField(blank=True, help_text="since when not offered", null=True),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "edition"), name="one_edition_once_in_a_club"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="League",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="leagues", to="clubs.club"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("club", "name"), name="one_league_of_a_name")
                ]
            },
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                row_id(),
                (
                    "league",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="seasons", to="clubs.league"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                (
                    "rules",
                    models.CharField(
                        blank=True,
                        help_text="rule set key; empty: as the club plays",
                        max_length=40,
                    ),
                ),
                ("starts_on", models.DateField()),
                ("ends_on", models.DateField()),
            ],
            options={
                "ordering": ["-starts_on"],
                "constraints": [
                    models.UniqueConstraint(fields=("league", "name"), name="one_season_of_a_name"),
                    models.CheckConstraint(
                        condition=models.Q(("ends_on__gte", models.F("starts_on"))),
                        name="season_ends_after_it_starts",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SeasonRules",
            fields=[
                row_id(),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="versions", to="clubs.season"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(help_text="1 is the first version")),
                ("declaration", models.JSONField()),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "adopted_at",
                    models.DateTimeField(
                        blank=True, help_text="empty: only tried so far", null=True
                    ),
                ),
            ],
            options={
                "ordering": ["-number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("season", "number"), name="one_version_of_a_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Handicap",
            fields=[
                row_id(),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="handicaps", to="clubs.season"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="handicaps", to="clubs.player"
                    ),
                ),
                ("points", models.SmallIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("season", "player"), name="one_handicap_each")
                ]
            },
        ),
        migrations.CreateModel(
            name="Session",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="sessions", to="clubs.club"
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="sessions",
                        to="clubs.season",
                    ),
                ),
                ("held_on", models.DateField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("arriving", "people are arriving"),
                            ("playing", "being played"),
                            ("closed", "finished"),
                        ],
                        default="arriving",
                        max_length=10,
                    ),
                ),
                (
                    "version",
                    models.PositiveIntegerField(
                        default=0, help_text="goes up with every change shown"
                    ),
                ),
                ("times_closed", models.PositiveIntegerField(default=0)),
                ("wall_key", models.CharField(default=link_key, max_length=24, unique=True)),
                (
                    "book",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="session",
                        to="scorebook.book",
                    ),
                ),
            ],
            options={
                "ordering": ["-held_on", "-pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("club", "held_on"), name="one_session_a_day")
                ],
            },
        ),
        migrations.CreateModel(
            name="Attendance",
            fields=[
                row_id(),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="attendances", to="clubs.session"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="attendances", to="clubs.player"
                    ),
                ),
                (
                    "left_at",
                    models.DateTimeField(blank=True, help_text="gone home since", null=True),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("session", "player"), name="one_tick_each")
                ]
            },
        ),
        migrations.CreateModel(
            name="Credit",
            fields=[
                row_id(),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="credits", to="clubs.session"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="credits", to="clubs.player"
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=120)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("session", "player"), name="one_credit_an_evening"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="SessionTable",
            fields=[
                row_id(),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="tables", to="clubs.session"
                    ),
                ),
                (
                    "number",
                    models.PositiveSmallIntegerField(
                        help_text="from 1001 on: a game that has ended"
                    ),
                ),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=models.PROTECT, related_name="session_table", to="scorebook.game"
                    ),
                ),
                ("link_key", models.CharField(default=link_key, max_length=24, unique=True)),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("session", "number"), name="one_table_of_a_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SessionSeat",
            fields=[
                row_id(),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="places", to="clubs.session"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="places", to="clubs.sessiontable"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="places", to="clubs.player"
                    ),
                ),
                (
                    "seat",
                    models.OneToOneField(
                        on_delete=models.PROTECT, related_name="session_place", to="scorebook.seat"
                    ),
                ),
                (
                    "is_current",
                    models.BooleanField(default=True, help_text="false once they have left it"),
                ),
            ],
            options={
                "ordering": ["table__number", "seat__number"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("is_current", True)),
                        fields=("session", "player"),
                        name="one_seat_at_a_time",
                    ),
                    models.UniqueConstraint(fields=("table", "player"), name="one_seat_in_a_game"),
                ],
            },
        ),
        migrations.CreateModel(
            name="SentResult",
            fields=[
                row_id(),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="sent_results", to="clubs.session"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="sent_results", to="clubs.player"
                    ),
                ),
                (
                    "digest",
                    models.CharField(
                        help_text="of the places and gains that were sent", max_length=64
                    ),
                ),
                ("sent_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("session", "player", "digest"), name="one_result_is_sent_once"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="Series",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="series", to="clubs.club"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("place", models.CharField(blank=True, max_length=120)),
                ("first_on", models.DateField()),
                ("last_on", models.DateField()),
                ("every", models.PositiveSmallIntegerField(default=1)),
                ("weeks", models.JSONField(blank=True, default=list)),
                ("starts_at", models.TimeField()),
                ("ends_at", models.TimeField()),
                ("feed_key", models.CharField(default=link_key, max_length=24, unique=True)),
            ],
            options={"verbose_name_plural": "series", "ordering": ["first_on", "pk"]},
        ),
        migrations.CreateModel(
            name="Holiday",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="holidays", to="clubs.club"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("first_on", models.DateField()),
                ("last_on", models.DateField()),
            ],
            options={"ordering": ["first_on"]},
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="invitations", to="clubs.club"
                    ),
                ),
                ("held_on", models.DateField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="invitations", to="clubs.player"
                    ),
                ),
                ("key", models.CharField(default=link_key, max_length=24, unique=True)),
                (
                    "answer",
                    models.CharField(
                        blank=True,
                        choices=[("", "no answer yet"), ("yes", "can come"), ("no", "cannot come")],
                        default="",
                        max_length=3,
                    ),
                ),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("asked_at", models.DateTimeField(default=timezone.now)),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["held_on", "asked_at"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "held_on", "player"), name="asked_once_for_a_day"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="StandBy",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="stand_bys", to="clubs.club"
                    ),
                ),
                (
                    "player",
                    models.OneToOneField(
                        on_delete=models.CASCADE, related_name="stand_by", to="clubs.player"
                    ),
                ),
                ("since", models.DateTimeField(default=timezone.now)),
            ],
            options={"ordering": ["since"]},
        ),
        migrations.CreateModel(
            name="TableMoney",
            fields=[
                row_id(),
                (
                    "session",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="money", to="clubs.session"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="money", to="clubs.player"
                    ),
                ),
                ("pence", models.PositiveIntegerField()),
                (
                    "taken_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("taken_at", models.DateTimeField(default=timezone.now)),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("session", "player"), name="paid_once_an_evening"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.CASCADE,
                        related_name="audit_entries",
                        to="clubs.club",
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="audit_entries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "by",
                    models.CharField(
                        blank=True, help_text="program or command, if no browser", max_length=80
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        help_text="the name of the address or of the event", max_length=60
                    ),
                ),
                (
                    "about",
                    models.JSONField(
                        default=dict, help_text="what the address named: numbers and keys"
                    ),
                ),
                ("request_id", models.CharField(blank=True, max_length=64)),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "db_table": "clubs_deed",
                "verbose_name": "activity log entry",
                "verbose_name_plural": "activity log entries",
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["club", "-at"], name="deeds_of_a_club")],
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, primary_key=True, serialize=False)),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="jobs", to="clubs.club"
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                (
                    "about",
                    models.PositiveBigIntegerField(help_text="the row the work is about, by kind"),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "being created"),
                            ("done", "ready"),
                            ("failed", "could not be created"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("message", models.CharField(blank=True, max_length=200)),
                ("result", models.FileField(blank=True, upload_to="results/")),
                (
                    "asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("heard_at", models.DateTimeField(auto_now=True, help_text="last sign of life")),
            ],
            options={"ordering": ["-made_at"]},
        ),
        migrations.CreateModel(
            name="Retention",
            fields=[
                row_id(),
                (
                    "club",
                    models.OneToOneField(
                        on_delete=models.CASCADE, related_name="retention", to="clubs.club"
                    ),
                ),
                (
                    "guests",
                    models.PositiveSmallIntegerField(
                        blank=True, default=12, help_text="after a guest's last visit", null=True
                    ),
                ),
                (
                    "lapsed",
                    models.PositiveSmallIntegerField(
                        blank=True, default=24, help_text="after a member has left", null=True
                    ),
                ),
                (
                    "letters",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        default=12,
                        help_text="messages, invitations and imports",
                        null=True,
                    ),
                ),
                (
                    "money",
                    models.PositiveSmallIntegerField(
                        blank=True, default=84, help_text="who paid for an evening", null=True
                    ),
                ),
                (
                    "deeds",
                    models.PositiveSmallIntegerField(
                        blank=True, default=24, help_text="the activity log", null=True
                    ),
                ),
                ("ran_on", models.DateField(blank=True, help_text="when it last ran", null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Erasure",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="erasures", to="clubs.club"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="erasures",
                        to="clubs.player",
                    ),
                ),
                ("what", models.CharField(max_length=200)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        help_text="empty: the retention schedule",
                        null=True,
                        on_delete=models.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ["-pk"]},
        ),
        migrations.CreateModel(
            name="ReplacedLink",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="replaced_links", to="clubs.club"
                    ),
                ),
                ("key", models.CharField(max_length=24, unique=True)),
                (
                    "stands",
                    models.CharField(
                        db_index=True, help_text="the key that opens it now", max_length=24
                    ),
                ),
                ("replaced_at", models.DateTimeField(default=timezone.now)),
            ],
            options={"ordering": ["-replaced_at"]},
        ),
        migrations.CreateModel(
            name="MemberImport",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="imports", to="clubs.club"
                    ),
                ),
                ("file_name", models.CharField(max_length=120)),
                (
                    "added",
                    models.JSONField(default=list, help_text="keys of the people who were new"),
                ),
                (
                    "before",
                    models.JSONField(default=dict, help_text="fields of before, by a person's key"),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={"ordering": ["-pk"]},
        ),
        migrations.CreateModel(
            name="PlayerMerge",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="merges", to="clubs.club"
                    ),
                ),
                (
                    "kept",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="merges", to="clubs.player"
                    ),
                ),
                (
                    "gone",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="merged_into", to="clubs.player"
                    ),
                ),
                ("moved", models.JSONField(default=dict)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={"ordering": ["-pk"]},
        ),
        migrations.CreateModel(
            name="Batch",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="batches", to="clubs.club"
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                (
                    "about",
                    models.PositiveBigIntegerField(
                        blank=True, help_text="the row, by kind", null=True
                    ),
                ),
                ("title", models.CharField(max_length=120)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ["-pk"]},
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                row_id(),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="messages", to="clubs.batch"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="messages", to="clubs.player"
                    ),
                ),
                ("key", models.UUIDField(default=uuid.uuid4, unique=True)),
                (
                    "email",
                    models.EmailField(
                        blank=True,
                        help_text="empty: a letter is printed, or a call is made",
                        max_length=254,
                    ),
                ),
                ("subject", models.CharField(max_length=160)),
                ("body", models.TextField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("draft", "draft"),
                            ("waiting", "being sent"),
                            ("sent", "sent"),
                            ("refused", "not delivered"),
                            ("dropped", "excluded"),
                        ],
                        default="draft",
                        max_length=10,
                    ),
                ),
                (
                    "answer",
                    models.CharField(
                        blank=True, help_text="what the mail server said", max_length=200
                    ),
                ),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("batch", "player"), name="one_message_each")
                ],
            },
        ),
        migrations.CreateModel(
            name="RoleInvitation",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="role_invitations", to="clubs.club"
                    ),
                ),
                ("email", models.EmailField(max_length=254)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("secretary", "secretary"),
                            ("director", "tournament director"),
                            ("scorer", "scorer"),
                            ("player", "player"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        help_text="who they are on the list of members",
                        null=True,
                        on_delete=models.CASCADE,
                        related_name="role_invitations",
                        to="clubs.player",
                    ),
                ),
                ("key", models.CharField(default=link_key, max_length=32, unique=True)),
                (
                    "invited_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("sent_at", models.DateTimeField(default=timezone.now)),
            ],
            options={
                "ordering": ["email"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "email"), name="one_invitation_of_an_address"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Wish",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="wishes", to="clubs.club"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("apart", "not at one table"),
                            ("together", "at one table"),
                            ("helper", "a beginner, with a helper"),
                            ("table", "always at this table"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="wishes", to="clubs.player"
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.CASCADE,
                        related_name="wishes_of_others",
                        to="clubs.player",
                    ),
                ),
                ("table", models.PositiveSmallIntegerField(blank=True, null=True)),
                (
                    "until",
                    models.DateField(
                        blank=True, help_text="the last evening it holds for", null=True
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True, help_text="for the secretary only", max_length=120
                    ),
                ),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(default=timezone.now)),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("other__isnull", False)),
                        fields=("kind", "player", "other"),
                        name="one_wish_of_a_kind_for_two",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("kind", "table")),
                        fields=("player",),
                        name="one_table_always",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("kind", "table"), ("other__isnull", True), ("table__isnull", False)
                            ),
                            models.Q(
                                models.Q(("kind", "table"), _negated=True),
                                ("other__isnull", False),
                                ("table__isnull", True),
                            ),
                            _connector="OR",
                        ),
                        name="a_wish_names_a_player_or_a_table",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("other", models.F("player")), _negated=True),
                        name="nobody_is_their_own_company",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="webhooks", to="clubs.club"
                    ),
                ),
                ("address", models.URLField(max_length=500)),
                (
                    "secret",
                    models.CharField(help_text="signs what is sent; shown once", max_length=64),
                ),
                (
                    "former_secret",
                    models.CharField(blank=True, help_text="signs beside the new", max_length=64),
                ),
                ("former_until", models.DateTimeField(blank=True, null=True)),
                (
                    "kinds",
                    models.JSONField(default=list, help_text="the kinds of event it receives"),
                ),
                ("is_active", models.BooleanField(default=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("stopped_because", models.CharField(blank=True, max_length=200)),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                row_id(),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="deliveries", to="clubs.webhook"
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("payload", models.JSONField()),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                (
                    "try_at",
                    models.DateTimeField(
                        blank=True, help_text="when it is tried next; empty: no more", null=True
                    ),
                ),
                ("done_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answer",
                    models.CharField(
                        blank=True, help_text="the last one, in words", max_length=200
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [models.Index(fields=["try_at"], name="deliveries_by_time")],
            },
        ),
    ]
