"""Nothing is forgotten: each table and column travels, or stays behind for a reason."""

from pathlib import Path
from typing import Final

from django.apps import apps
from django.db.models import JSONField

from clubs.clubfile.archive import OWN_APPS
from clubs.clubfile.contents import CLUB_TABLES, FORMAT_VERSION, TABLES_LEFT_BEHIND
from clubs.models import link_key

DOC: Final = Path(__file__).resolve().parents[3] / "docs" / "club-file.md"
# JSON in which no key of a row stands: numbers of seats and hands, words, metrics.
NO_KEYS: Final = {
    "scorebook.Edition.declaration",
    "scorebook.Game.exchanges",
    "scorebook.Game.opening",
    "scorebook.Hand.report",
    "scorebook.Hand.deal",
    "scorebook.Hand.lines",
    "scorebook.Hand.payments",
    "scorebook.RepairedGame.before",
    "clubs.SeasonRules.declaration",
    "clubs.Series.weeks",
    "tournaments.Tournament.ranks_by",
    "tournaments.Drawing.asked",
    "tournaments.Placement.earlier_sitters",
    "tournaments.Round.traded",
    "tournaments.Ruling.points",
}


def test_each_table_travels_or_stays_behind_for_a_reason() -> None:
    own_labels = {
        model._meta.label
        for app in OWN_APPS
        for model in apps.get_app_config(app).get_models(include_auto_created=True)
    }
    travels = [table.label for table in CLUB_TABLES]
    assert sorted([*travels, *TABLES_LEFT_BEHIND]) == sorted(own_labels)


def test_each_column_is_in_the_description_of_the_format() -> None:
    """If this fails: describe what is new, raise ``FORMAT_VERSION``, decide what old files mean."""
    rows = [
        f"| `{table.label}` | {', '.join(column.name for column in table.columns)} |"
        for table in CLUB_TABLES
    ]
    excluded_rows = [
        f"| `{table.label}.{name}` | {reason} |"
        for table in CLUB_TABLES
        for name, reason in table.omitted_columns.items()
    ]
    excluded_rows += [f"| `{label}` | {reason} |" for label, reason in TABLES_LEFT_BEHIND.items()]
    text = DOC.read_text(encoding="utf-8")
    assert f"Format {FORMAT_VERSION}" in text
    assert [row for row in text.splitlines() if row.startswith("| `")] == [*rows, *excluded_rows]


def test_a_row_points_only_to_tables_before_its_own() -> None:
    labels = set[str]()
    for table in CLUB_TABLES:
        labels.add(table.label)
        assert {model._meta.label for model in table.references()} <= labels, table.label


def test_keys_inside_of_json_are_translated() -> None:
    columns = {
        f"{table.label}.{column.name}"
        for table in CLUB_TABLES
        for column in table.columns
        if isinstance(column, JSONField) and column.name not in table.keys_in
    }
    assert columns == NO_KEYS


def test_no_secret_of_a_link_travels() -> None:
    for table in CLUB_TABLES:
        assert not [column.name for column in table.columns if column.default is link_key]
