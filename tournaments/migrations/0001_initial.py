"""Tournaments: entrants, rounds, tables, rulings and prizes."""

from decimal import Decimal

from django.db import migrations, models

import tournaments.models
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
        ("tournaments", "0002_rulings_and_showing"),
        ("tournaments", "0003_people_and_seating_changes"),
        ("tournaments", "0004_clock_calls_and_prizes"),
        ("tournaments", "0005_bell_rung_by_hand"),
        ("tournaments", "0006_rounds_by_standing_and_one_prize_each"),
        ("tournaments", "0007_drawings"),
        ("tournaments", "0008_steps_taken_back_and_resumed_clocks"),
        ("tournaments", "0009_at_the_table"),
        ("tournaments", "0010_books_of_tournaments"),
        ("tournaments", "0011_what_sitting_out_counts"),
        ("tournaments", "0012_plain_words"),
        ("tournaments", "0013_times_withdrawn"),
    ]

    dependencies = [("clubs", "0001_initial"), ("scorebook", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Tournament",
            fields=[
                row_id(),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="tournaments", to="clubs.club"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("held_on", models.DateField()),
                (
                    "rules",
                    models.CharField(default="bmja", help_text="rule set key", max_length=40),
                ),
                ("rounds_planned", models.PositiveSmallIntegerField(default=5)),
                (
                    "hands_a_round",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        default=8,
                        help_text="maximum; empty for as many as time allows",
                        null=True,
                    ),
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
                    "minutes_a_round",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="empty for no clock", null=True
                    ),
                ),
                (
                    "at_the_bell",
                    models.CharField(
                        choices=[
                            ("finish", "It is finished and counts"),
                            ("one_more", "It is finished, and one more hand is played"),
                            ("stop", "It stops and does not count"),
                        ],
                        default="finish",
                        max_length=8,
                    ),
                ),
                (
                    "start_stake",
                    models.PositiveIntegerField(
                        default=0, help_text="starting points of each player in a round"
                    ),
                ),
                (
                    "by_standing_from",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="this round and later ones are seated by standings",
                        null=True,
                    ),
                ),
                (
                    "bands",
                    models.PositiveSmallIntegerField(
                        default=1,
                        help_text="tables in a group when seated by standings; 1: leaders together",
                    ),
                ),
                (
                    "has_final",
                    models.BooleanField(
                        default=False, help_text="the top four play at table 1 in the last round"
                    ),
                ),
                (
                    "one_prize_each",
                    models.BooleanField(
                        default=False, help_text="other prizes of a winner go to the next in line"
                    ),
                ),
                (
                    "ranks_by",
                    models.JSONField(
                        default=tournaments.models.ranking_default, help_text="metric keys in order"
                    ),
                ),
                (
                    "odd_number",
                    models.CharField(
                        choices=[
                            ("wait", "Do not start until the number divides by four"),
                            ("house", "Add house players, who are not ranked"),
                            ("sit_out", "Let players sit out in turn"),
                        ],
                        default="wait",
                        max_length=8,
                    ),
                ),
                (
                    "sitting_out_counts",
                    models.CharField(
                        choices=[
                            ("average", "The average of the player’s own rounds"),
                            ("fixed", "A fixed score"),
                            ("nothing", "Nothing"),
                        ],
                        default="average",
                        max_length=8,
                    ),
                ),
                (
                    "sitting_out_table_points",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("1.75"),
                        help_text="for each round sat out, where the score is fixed",
                        max_digits=4,
                    ),
                ),
                (
                    "sitting_out_points",
                    models.IntegerField(
                        default=0,
                        help_text="of gain, for each round sat out, where the score is fixed",
                    ),
                ),
                (
                    "places",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="later entries go on the waiting list", null=True
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("entering", "taking entries"),
                            ("playing", "being played"),
                            ("finished", "finished"),
                        ],
                        default="entering",
                        max_length=10,
                    ),
                ),
                (
                    "version",
                    models.PositiveIntegerField(
                        default=0, help_text="goes up with every change shown"
                    ),
                ),
                ("wall_key", models.CharField(default=link_key, max_length=24, unique=True)),
                (
                    "book",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="tournament",
                        to="scorebook.book",
                    ),
                ),
                (
                    "hides_last_round",
                    models.BooleanField(
                        default=False,
                        help_text="only officials see the last round until it is shown",
                    ),
                ),
                (
                    "published_at",
                    models.DateTimeField(
                        blank=True, help_text="when the results were published", null=True
                    ),
                ),
            ],
            options={
                "ordering": ["-held_on", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("club", "name"), name="one_tournament_of_a_name"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("rounds_planned__gte", 1)),
                        name="a_tournament_has_rounds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("hands_a_round__isnull", False),
                            ("minutes_a_round__isnull", False),
                            _connector="OR",
                        ),
                        name="a_round_has_hands_or_minutes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("hands_a_round__isnull", True),
                                ("hands_a_round__gte", 1),
                                _connector="OR",
                            ),
                            models.Q(
                                ("minutes_a_round__isnull", True),
                                ("minutes_a_round__gte", 1),
                                _connector="OR",
                            ),
                        ),
                        name="a_round_has_no_empty_measure",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Drawing",
            fields=[
                row_id(),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=models.PROTECT,
                        related_name="drawings",
                        to="tournaments.tournament",
                    ),
                ),
                ("first_round", models.PositiveSmallIntegerField()),
                ("last_round", models.PositiveSmallIntegerField()),
                ("asked", models.JSONField(help_text="the request of `python -m clubs.seating`")),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="Entrant",
            fields=[
                row_id(),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=models.PROTECT,
                        related_name="entrants",
                        to="tournaments.tournament",
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=80)),
                ("name_key", models.CharField(max_length=80)),
                ("from_club", models.CharField(blank=True, max_length=80)),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="entries",
                        to="clubs.player",
                    ),
                ),
                ("team", models.CharField(blank=True, max_length=80)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("entered", "entered"),
                            ("waiting", "on the waiting list"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="entered",
                        max_length=10,
                    ),
                ),
                ("times_withdrawn", models.PositiveSmallIntegerField(default=0)),
                ("is_house", models.BooleanField(default=False)),
                ("has_paid", models.BooleanField(default=False)),
                ("is_here", models.BooleanField(default=False, help_text="checked in on the day")),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "number"), name="one_entrant_number"
                    ),
                    models.UniqueConstraint(
                        fields=("tournament", "name_key"), name="one_entrant_name"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                row_id(),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="rounds", to="tournaments.tournament"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("seated", "seated"),
                            ("playing", "being played"),
                            ("closed", "closed"),
                        ],
                        default="seated",
                        max_length=10,
                    ),
                ),
                (
                    "seated_in_order",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="entrants in order when seated by standings; empty if drawn",
                    ),
                ),
                (
                    "traded",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="what seating by standings gave up and why, as sentences",
                    ),
                ),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "paused_at",
                    models.DateTimeField(
                        blank=True, help_text="when the clock was paused", null=True
                    ),
                ),
                (
                    "paused_seconds",
                    models.PositiveIntegerField(
                        default=0, help_text="how long the clock was paused earlier"
                    ),
                ),
                (
                    "resumed_at",
                    models.DateTimeField(
                        blank=True, help_text="when the clock was resumed", null=True
                    ),
                ),
                ("minutes_added", models.SmallIntegerField(default=0, help_text="for every table")),
                (
                    "rung_at",
                    models.DateTimeField(
                        blank=True, help_text="when the bell was rung early by hand", null=True
                    ),
                ),
                (
                    "sitting_out",
                    models.ManyToManyField(
                        blank=True, related_name="rounds_out", to="tournaments.entrant"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "number"), name="one_round_of_a_number"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "playing")),
                        fields=("tournament",),
                        name="one_round_is_played_at_a_time",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                row_id(),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="tables", to="tournaments.round"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        related_name="tournament_table",
                        to="scorebook.game",
                    ),
                ),
                ("link_key", models.CharField(default=link_key, max_length=24, unique=True)),
                (
                    "minutes_added",
                    models.SmallIntegerField(default=0, help_text="for this table alone"),
                ),
                (
                    "stopped_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="when the table stopped playing in this round",
                        null=True,
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "number"), name="one_table_in_a_round")
                ],
            },
        ),
        migrations.CreateModel(
            name="Placement",
            fields=[
                row_id(),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="placements", to="tournaments.round"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="placements", to="tournaments.table"
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=models.PROTECT,
                        related_name="placements",
                        to="tournaments.entrant",
                    ),
                ),
                (
                    "seat",
                    models.OneToOneField(
                        on_delete=models.PROTECT, related_name="placement", to="scorebook.seat"
                    ),
                ),
                (
                    "capacity",
                    models.CharField(
                        choices=[
                            ("entrant", "entrant"),
                            ("substitute", "substitute"),
                            ("house", "house player"),
                        ],
                        default="entrant",
                        max_length=10,
                    ),
                ),
                (
                    "substitute",
                    models.CharField(
                        blank=True, help_text="substitute who played for the entrant", max_length=80
                    ),
                ),
            ],
            options={
                "ordering": ["table__number", "seat__number"],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "entrant"), name="one_seat_a_round"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("capacity", "substitute"), ("substitute", ""), _connector="XOR"
                        ),
                        name="a_substitute_has_a_name",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Prize",
            fields=[
                row_id(),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="prizes", to="tournaments.tournament"
                    ),
                ),
                (
                    "number",
                    models.PositiveSmallIntegerField(help_text="order in which they are given"),
                ),
                ("name", models.CharField(max_length=80)),
                ("gift", models.CharField(blank=True, help_text="what is given", max_length=120)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("place", "A place in the standings"),
                            ("team", "A place among the teams"),
                            ("best", "The most of something"),
                            ("club", "Best player from a club"),
                            ("last", "The last place"),
                            ("chosen", "Chosen by the director"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "place",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="which place, for a place", null=True
                    ),
                ),
                (
                    "of",
                    models.CharField(
                        blank=True,
                        help_text="metric for the most of something, or a club's name",
                        max_length=80,
                    ),
                ),
                (
                    "chosen",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="prizes",
                        to="tournaments.entrant",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("tournament", "number"), name="one_prize_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SeatingChange",
            fields=[
                row_id(),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=models.PROTECT,
                        related_name="changes",
                        to="tournaments.tournament",
                    ),
                ),
                ("what", models.CharField(max_length=300)),
                (
                    "before",
                    models.JSONField(help_text="the changed rounds: tables, seats and who sat out"),
                ),
                ("made_by", models.CharField(max_length=40)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={"ordering": ["-pk"]},
        ),
        migrations.CreateModel(
            name="Call",
            fields=[
                row_id(),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="calls", to="tournaments.table"
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        blank=True, help_text="what it is about, if they said", max_length=120
                    ),
                ),
                ("called_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
                ("answered_by", models.CharField(blank=True, max_length=40)),
            ],
            options={
                "ordering": ["called_at"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("answered_at__isnull", True)),
                        fields=("table",),
                        name="a_table_calls_once_at_a_time",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                row_id(),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="rulings", to="tournaments.table"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("penalty", "penalty"),
                            ("pays_for_all", "pays for everyone"),
                            ("adjustment", "adjustment"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        help_text="the mistake and what it costs, in words", max_length=200
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="rulings", to="scorebook.seat"
                    ),
                ),
                (
                    "points",
                    models.JSONField(
                        help_text="what each seat gains, by seat number; nothing: a warning"
                    ),
                ),
                ("reason", models.CharField(max_length=200)),
                ("ruled_by", models.CharField(max_length=40)),
                ("ruled_at", models.DateTimeField()),
                ("submission_id", models.UUIDField(unique=True)),
                (
                    "takes_back",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="taken_back_by",
                        to="tournaments.ruling",
                    ),
                ),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="StepBack",
            fields=[
                row_id(),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=models.PROTECT,
                        related_name="steps_back",
                        to="tournaments.tournament",
                    ),
                ),
                ("what", models.CharField(max_length=120)),
                ("reason", models.CharField(max_length=200)),
                ("made_by", models.CharField(max_length=40)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ["-pk"]},
        ),
    ]
