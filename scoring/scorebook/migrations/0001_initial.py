"""The score book: games, seats, hands, the ledger and the chain, and what the database guards."""

import uuid

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def row_id() -> tuple[str, models.BigAutoField]:
    return (
        "id",
        models.BigAutoField(
            auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
        ),
    )


def within_limit(score: str) -> models.CheckConstraint:
    under = models.Q(("limit__isnull", True), (f"{score}__lte", models.F("limit")), _connector="OR")
    return models.CheckConstraint(
        condition=models.Q(
            (f"{score}__isnull", True), models.Q((f"{score}__gte", 0), under), _connector="OR"
        ),
        name=f"{score}_within_limit",
    )


# Table, what its function and its trigger are called by, and the words of the refusal.
NEVER_EDITED = (
    ("scorebook_edition", "edition", "an_edition", "an edition"),
    ("scorebook_ledgerentry", "ledger", "ledger", "the ledger"),
    ("scorebook_agreement", "agreement", "agreement", "what was said"),
    ("scorebook_decision", "decision", "decision", "a decision"),
    ("scorebook_link", "link", "link", "a link of the book"),
)
SQLITE = """
CREATE TRIGGER {trigger}_is_never_edited BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, '{words} is never edited'); END
"""
POSTGRESQL = """
CREATE FUNCTION refuse_{function}_edit() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{words} is never edited'; END $$;
CREATE TRIGGER {trigger}_is_never_edited BEFORE UPDATE ON {table}
FOR EACH ROW EXECUTE FUNCTION refuse_{function}_edit();
"""


def guard(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """The database refuses to change a row of these tables."""
    sql = POSTGRESQL if editor.connection.vendor == "postgresql" else SQLITE
    for table, function, trigger, words in NEVER_EDITED:
        editor.execute(sql.format(table=table, function=function, trigger=trigger, words=words))


def unguard(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    for table, function, trigger, _ in NEVER_EDITED:
        if editor.connection.vendor == "postgresql":
            editor.execute(f"DROP TRIGGER {trigger}_is_never_edited ON {table}")
            editor.execute(f"DROP FUNCTION refuse_{function}_edit()")
        else:
            editor.execute(f"DROP TRIGGER {trigger}_is_never_edited")


class Migration(migrations.Migration):
    initial = True
    # Databases from before this was one migration have applied these as well.
    replaces = [
        ("scorebook", "0002_ledger_is_never_edited"),
        ("scorebook", "0003_house_editions"),
        ("scorebook", "0004_at_the_table"),
        ("scorebook", "0005_what_was_said_is_never_edited"),
        ("scorebook", "0006_what_a_link_seals"),
        ("scorebook", "0007_what_a_repair_keeps"),
        ("scorebook", "0008_best_hand_is_a_mahjong"),
        ("scorebook", "0009_first_dealer"),
        ("scorebook", "0010_plain_words"),
    ]

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Book",
            fields=[
                row_id(),
                ("length", models.PositiveIntegerField(default=0)),
                (
                    "head",
                    models.CharField(blank=True, help_text="the last link's digest", max_length=64),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Edition",
            fields=[
                row_id(),
                ("key", models.CharField(max_length=40, unique=True)),
                ("name", models.CharField(max_length=60)),
                ("declaration", models.JSONField(help_text="as scoring.house reads it")),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                row_id(),
                (
                    "rules",
                    models.CharField(help_text="edition key, such as bmja/2008", max_length=40),
                ),
                ("size", models.PositiveSmallIntegerField(help_text="how many seats, 2 to 5")),
                ("wind_rounds", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("hands_planned", models.PositiveSmallIntegerField(blank=True, null=True)),
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
                    "first_dealer",
                    models.PositiveSmallIntegerField(
                        default=1,
                        help_text="seat that deals the first hand; 1 unless the rules leave it open",
                    ),
                ),
                (
                    "exchanges",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="[hand, seat, seat]: from that hand on the two sit in each other's place",
                    ),
                ),
                (
                    "book",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="games",
                        to="scorebook.book",
                    ),
                ),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("size__range", (2, 5))), name="game_has_2_to_5_seats"
                    )
                ]
            },
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                row_id(),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="seats", to="scorebook.game"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("points", models.IntegerField(default=0, help_text="sum of the seat's ledger")),
                (
                    "hands",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="hands played, not sat out"
                    ),
                ),
                ("mahjongs", models.PositiveSmallIntegerField(default=0)),
                (
                    "best_hand",
                    models.PositiveIntegerField(default=0, help_text="highest score of a Mah-Jong"),
                ),
            ],
            options={
                "ordering": ["game_id", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "number"), name="one_seat_of_a_number"),
                    models.CheckConstraint(
                        condition=models.Q(("number__range", (1, 5))), name="seats_are_1_to_5"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Hand",
            fields=[
                row_id(),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="hands", to="scorebook.game"
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "is_current",
                    models.BooleanField(
                        default=True, help_text="false once a correction replaces it"
                    ),
                ),
                ("submission_id", models.UUIDField(default=uuid.uuid4, unique=True)),
                ("report", models.JSONField(help_text="what someone at the table sent in")),
                (
                    "deal",
                    models.JSONField(help_text="winds by seat, dealer, prevailing wind, goulash"),
                ),
                ("lines", models.JSONField(default=dict, help_text="the engine's lines, by seat")),
                (
                    "winner",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="null when drawn", null=True
                    ),
                ),
                ("score_1", models.IntegerField(blank=True, null=True)),
                ("score_2", models.IntegerField(blank=True, null=True)),
                ("score_3", models.IntegerField(blank=True, null=True)),
                ("score_4", models.IntegerField(blank=True, null=True)),
                ("score_5", models.IntegerField(blank=True, null=True)),
                ("gain_1", models.IntegerField(default=0)),
                ("gain_2", models.IntegerField(default=0)),
                ("gain_3", models.IntegerField(default=0)),
                ("gain_4", models.IntegerField(default=0)),
                ("gain_5", models.IntegerField(default=0)),
                (
                    "payments",
                    models.JSONField(
                        default=list, help_text="[payer, payee, points] by seat number"
                    ),
                ),
                ("limit", models.PositiveIntegerField(blank=True, null=True)),
                ("zero_sum", models.BooleanField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("reported", "reported"),
                            ("agreed", "agreed"),
                            ("disputed", "not agreed"),
                            ("decided", "decided by the scorer"),
                        ],
                        default="reported",
                        max_length=10,
                    ),
                ),
                (
                    "sent_by",
                    models.CharField(
                        help_text="user 7, table 12: resolved by the app above", max_length=40
                    ),
                ),
                ("sent_at", models.DateTimeField()),
                (
                    "replaces",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="replaced_by",
                        to="scorebook.hand",
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=200)),
            ],
            options={
                "ordering": ["game_id", "number", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("is_current", True)),
                        fields=("game", "number"),
                        name="one_current_hand_of_a_number",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("zero_sum", False),
                            (
                                "gain_1",
                                models.F("gain_2") * -1
                                - models.F("gain_3")
                                - models.F("gain_4")
                                - models.F("gain_5"),
                            ),
                            _connector="OR",
                        ),
                        name="gains_add_to_nothing",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="hands_count_from_1"
                    ),
                    *(within_limit(f"score_{seat}") for seat in range(1, 6)),
                ],
            },
        ),
        migrations.CreateModel(
            name="Agreement",
            fields=[
                row_id(),
                (
                    "hand",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="agreements", to="scorebook.hand"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("agrees", models.BooleanField()),
                (
                    "note",
                    models.CharField(
                        blank=True, help_text="what is not right, in words", max_length=200
                    ),
                ),
                (
                    "digest",
                    models.CharField(help_text="of what was shown to the seat", max_length=64),
                ),
                ("said_by", models.CharField(help_text="table 12, table 12 seat 3", max_length=40)),
                ("said_at", models.DateTimeField()),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                row_id(),
                (
                    "hand",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="decisions", to="scorebook.hand"
                    ),
                ),
                ("reason", models.CharField(max_length=200)),
                ("made_by", models.CharField(max_length=40)),
                ("made_at", models.DateTimeField()),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="TappedHand",
            fields=[
                row_id(),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="tapped", to="scorebook.game"
                    ),
                ),
                (
                    "number",
                    models.PositiveSmallIntegerField(help_text="of the hand that is being played"),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "draft",
                    models.CharField(help_text="as scoring.building writes it", max_length=400),
                ),
                ("updated_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "ordering": ["seat"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "number", "seat"), name="a_seat_taps_one_hand"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="LedgerEntry",
            fields=[
                row_id(),
                (
                    "seat",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="ledger", to="scorebook.seat"
                    ),
                ),
                (
                    "hand",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="entries",
                        to="scorebook.hand",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("hand", "hand"),
                            ("reversal", "undone"),
                            ("adjustment", "adjustment"),
                        ],
                        max_length=10,
                    ),
                ),
                ("points", models.IntegerField()),
                ("written_by", models.CharField(max_length=40)),
                ("written_at", models.DateTimeField()),
                ("reason", models.CharField(blank=True, max_length=200)),
            ],
            options={"verbose_name_plural": "ledger entries", "ordering": ["pk"]},
        ),
        migrations.CreateModel(
            name="Repair",
            fields=[
                row_id(),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("seats", "two players sat in each other's seats"),
                            ("figures", "two players' scores were swapped"),
                            ("winner", "another player went Mah-Jong"),
                            ("sheets", "two tables' score sheets were swapped"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "words",
                    models.CharField(help_text="what was done, in a sentence", max_length=300),
                ),
                ("reason", models.CharField(max_length=200)),
                ("made_by", models.CharField(max_length=40)),
                ("made_at", models.DateTimeField()),
                ("undone_at", models.DateTimeField(blank=True, null=True)),
                ("undone_by", models.CharField(blank=True, max_length=40)),
            ],
            options={"ordering": ["-pk"]},
        ),
        migrations.CreateModel(
            name="RepairedGame",
            fields=[
                row_id(),
                (
                    "repair",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="games", to="scorebook.repair"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="repairs", to="scorebook.game"
                    ),
                ),
                (
                    "before",
                    models.JSONField(
                        help_text="exchanges, length, the reports of the hands that went, those disputed"
                    ),
                ),
                (
                    "after",
                    models.JSONField(
                        help_text="exchanges and length, the keys of the hands that the repair wrote"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("repair", "game"), name="a_repair_has_a_game_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Link",
            fields=[
                row_id(),
                (
                    "book",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="links", to="scorebook.book"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("hand", "a hand was recorded"),
                            ("taken_back", "a hand was undone"),
                            ("said", "a player agreed a hand or reported a problem"),
                            ("decided", "the scorer kept a hand as entered"),
                            ("adjusted", "a penalty or bonus was entered"),
                            ("repaired", "several hands were corrected"),
                            ("undone", "a correction was undone"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "hand",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="links",
                        to="scorebook.hand",
                    ),
                ),
                (
                    "agreement",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="link",
                        to="scorebook.agreement",
                    ),
                ),
                (
                    "decision",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="link",
                        to="scorebook.decision",
                    ),
                ),
                (
                    "entry",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="link",
                        to="scorebook.ledgerentry",
                    ),
                ),
                (
                    "repair",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="links",
                        to="scorebook.repair",
                    ),
                ),
                (
                    "state",
                    models.CharField(blank=True, help_text="the hand's, after it", max_length=10),
                ),
                (
                    "sealed",
                    models.TextField(
                        help_text="what was written, as scoring.scorebook.ledger has it"
                    ),
                ),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("written_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["book_id", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("book", "number"), name="one_link_of_a_number"),
                    models.CheckConstraint(
                        condition=models.Q(("number__gte", 1)), name="links_count_from_1"
                    ),
                ],
            },
        ),
        migrations.RunPython(guard, unguard),
    ]
