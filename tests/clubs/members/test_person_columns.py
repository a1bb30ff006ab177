"""Every column of a person's row is declared, and handled as it is declared."""

import csv
from datetime import UTC, date, datetime
from io import StringIO
from itertools import product
from typing import Any, Final

import pytest
from django.db.models import BooleanField, DateField, DateTimeField, EmailField, Model
from django.urls import reverse

from clubs.language.spreadsheets import unguard_formula
from clubs.members.files import csv_of_members
from clubs.members.person_columns import (
    FILE_COLUMNS,
    PERSON_COLUMNS,
    ErasedPerson,
    ExportHeading,
    FileColumn,
    KeptColumn,
    Merge,
    NotInFile,
    PersonColumn,
    earlier_day,
    fill_empty,
    keep_own,
    more_hidden_style,
    true_in_both,
    true_in_either,
)
from clubs.members.services.imports import import_members
from clubs.members.services.merging import merge_players, undo_merge
from clubs.models import Alias, Membership, Player, StandBy
from clubs.models.names import name_key
from clubs.privacy.selectors.data_export import cell_text, personal_data
from clubs.privacy.selectors.erasure import DELETED_TABLES, erasure_preview
from clubs.privacy.services import erase_player
from tests.api import api_client, faults, send
from tests.people import Cast, make_club, make_player

TODAY = date(2026, 11, 22)
PERSONAL: Final = [column for column in PERSON_COLUMNS if column.is_personal]
IN_FILES: Final = [column for column in PERSON_COLUMNS if isinstance(column.cell, FileColumn)]
ERASED: Final = [column for column in PERSONAL if not isinstance(column.erase, KeptColumn)]
NAMES: Final = {"name": "Zillah Quick", "name_key": "zillah quick"}
RULES: Final[dict[Merge, Merge]] = {
    keep_own: lambda kept_value, _merged_value: kept_value,
    true_in_both: min,
    true_in_either: max,
    fill_empty: lambda kept_value, merged_value: kept_value or merged_value,
    earlier_day: lambda kept_value, merged_value: min(
        (day for day in (kept_value, merged_value) if day), default=None
    ),
    more_hidden_style: lambda kept_value, merged_value: (
        "hidden" if "hidden" in (kept_value, merged_value) else kept_value
    ),
}


def by_name(columns: list[PersonColumn]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("column", columns, ids=[column.name for column in columns])


def sample(field: Any, *, contact: bool = False) -> Any:
    """A value that the column can have and no new row has."""
    if field.choices:
        return [value for value, _ in field.flatchoices if value != field.get_default()][-1]
    if isinstance(field, BooleanField):
        return True
    if isinstance(field, DateTimeField):
        return datetime(2001, 2, 3, 12, tzinfo=UTC)
    if isinstance(field, DateField):
        return date(2001, 2, 3)
    if isinstance(field, EmailField):
        return f"{field.name}@example.net"
    return "01632 960 117" if contact else f"Words of {field.name}"


def value_of(column: PersonColumn) -> Any:
    field = Player._meta.get_field(column.name)
    if isinstance(field, BooleanField) and not isinstance(column.erase, KeptColumn):
        return not column.erase(ErasedPerson("", TODAY))
    return NAMES.get(column.name) or sample(field, contact=column.is_contact)


def person_with(cast: Cast, column: PersonColumn) -> Player:
    """Someone with a value in the column; the name is the same for all columns."""
    person = make_player(cast.club, NAMES["name"])
    Player.objects.filter(pk=person.pk).update(**{column.name: value_of(column)})
    person.refresh_from_db()
    return person


def details_of(person: Player) -> list[tuple[str, ...]]:
    return [
        row
        for part in personal_data(person).parts
        if part.title == ExportHeading.DETAILS.value
        for row in part.rows
    ]


def test_every_column_of_a_person_is_declared_and_no_other() -> None:
    forward = [field for field in Player._meta.get_fields() if hasattr(field, "attname")]
    declared_names = [column.name for column in PERSON_COLUMNS]
    assert sorted(declared_names) == sorted(field.attname for field in forward)
    assert Player._meta.many_to_many == ()


def test_no_two_columns_have_one_label_or_one_heading() -> None:
    names = [
        name.casefold() for cell in FILE_COLUMNS.values() for name in (cell.heading, *cell.synonyms)
    ]
    labels = [column.label for column in PERSON_COLUMNS]
    assert len(names) == len(set(names))
    assert len(labels) == len(set(labels))


def test_whatever_is_left_out_or_kept_has_its_reason() -> None:
    rules = [
        rule
        for column in PERSON_COLUMNS
        for rule in (column.cell, column.data_export, column.erase)
    ]
    assert all(rule.reason for rule in rules if isinstance(rule, NotInFile | KeptColumn))


def test_of_a_persons_own_row_only_member_or_guest_outlives_erasure() -> None:
    assert [column.name for column in PERSONAL if column not in ERASED] == ["kind"]


@by_name(ERASED)
def test_an_erased_persons_value_is_gone(cast: Cast, column: PersonColumn) -> None:
    person = person_with(cast, column)
    erase_player(player=person, today=TODAY)
    person.refresh_from_db()
    assert getattr(person, column.name) != value_of(column)
    assert details_of(person).count((column.label.capitalize(), cell_text(value_of(column)))) == 0


@by_name(ERASED)
def test_a_merged_records_value_is_gone_too(cast: Cast, column: PersonColumn) -> None:
    person, kept_player = person_with(cast, column), make_player(cast.club, "Maud Pemberton")
    merge = merge_players(kept_player=kept_player, merged_player=person)
    erase_player(player=kept_player, today=TODAY)
    for record in (person, kept_player):
        record.refresh_from_db()
        assert getattr(record, column.name) != value_of(column)
    merge.refresh_from_db()
    assert merge.moved == {}


@by_name([column for column in PERSONAL if column.is_contact])
def test_a_contact_is_announced_and_taken_out_of_notes(cast: Cast, column: PersonColumn) -> None:
    person, contact = person_with(cast, column), value_of(column)
    session = cast.club.sessions.create(held_on=TODAY)
    credit = session.credits.create(player=make_player(cast.club, "Ann"), reason=f"Ask {contact}")
    assert any(contact in line for line in erasure_preview(person).goes)
    erase_player(player=person, today=TODAY)
    credit.refresh_from_db()
    assert credit.reason == "Ask (removed)"


@by_name(list(PERSON_COLUMNS))
def test_the_data_export_has_what_it_is_declared_to_have(cast: Cast, column: PersonColumn) -> None:
    if column.is_personal:
        rows = details_of(person_with(cast, column))
        row = (column.label.capitalize(), cell_text(value_of(column)))
        assert rows.count(row) == (column.data_export == ExportHeading.DETAILS)
    else:
        labels = [label for label, _ in details_of(make_player(cast.club, NAMES["name"]))]
        assert labels.count(column.label.capitalize()) == (
            column.data_export == ExportHeading.DETAILS
        )


@by_name(IN_FILES)
def test_a_members_file_carries_the_value_to_another_club(cast: Cast, column: PersonColumn) -> None:
    person_with(cast, column)
    content = csv_of_members(cast.club).decode("utf-8-sig")
    name = value_of(column) if column.name == "name" else NAMES["name"]
    [row] = [row for row in csv.DictReader(StringIO(content)) if row["name"] == name]
    cell = FILE_COLUMNS[column.name]
    cell_value = unguard_formula(row[cell.heading])
    assert (cell.read(cell_value) if cell.read else cell_value) == value_of(column)
    elsewhere = make_club("Empty", "empty")
    import_members(club=elsewhere, text=content)
    assert getattr(elsewhere.players.get(name=name), column.name) == value_of(column)


@by_name(IN_FILES)
def test_a_program_sends_what_it_may_of_a_person(cast: Cast, column: PersonColumn) -> None:
    people = [{"name": NAMES["name"], column.name: value_of(column)}]
    address = reverse("api-import-list", args=["riverside"])
    response = send(api_client(cast.secretary), address, {"people": people})
    if FILE_COLUMNS[column.name].is_sent:
        assert response.status_code == 201, response.json()
        person = cast.club.players.get(name=NAMES["name"])
        assert getattr(person, column.name) == value_of(column)
    else:
        assert faults(response) == [("unknown_field", f"people.0.{column.name}")]


@by_name([column for column in PERSONAL if isinstance(column.cell, NotInFile)])
def test_a_members_file_leaves_the_others_out(cast: Cast, column: PersonColumn) -> None:
    person_with(cast, column)
    assert str(value_of(column)) not in csv_of_members(cast.club).decode("utf-8-sig")


@by_name([column for column in PERSONAL if column.name not in NAMES])
def test_two_records_are_merged_as_declared_and_parted_again(
    cast: Cast, column: PersonColumn
) -> None:
    usual = getattr(make_player(cast.club, "Nobody"), column.name)
    values = (False, True) if isinstance(usual, bool) else (usual, value_of(column))
    for number, (kept_value, merged_value) in enumerate(product(values, values)):
        people = [
            make_player(cast.club, f"{name} Quick {number}", **{column.name: value})
            for name, value in (("Zillah", kept_value), ("Zilla", merged_value))
        ]
        merge = merge_players(kept_player=people[0], merged_player=people[1])
        people[0].refresh_from_db()
        assert getattr(people[0], column.name) == RULES[column.merge](kept_value, merged_value)
        undo_merge(merge=merge)
        people[0].refresh_from_db()
        assert getattr(people[0], column.name) == kept_value


def test_the_kept_record_keeps_its_name(cast: Cast) -> None:
    kept_player = make_player(cast.club, "Zillah Quick")
    merged_player = make_player(cast.club, "Zilla Quick")
    merge_players(kept_player=kept_player, merged_player=merged_player)
    kept_player.refresh_from_db()
    assert (kept_player.name, kept_player.name_key) == ("Zillah Quick", name_key("Zillah Quick"))


def own_tables() -> list[type[Model]]:
    """Names, and each table with a row for one person at most."""
    tables = [
        relation.related_model for relation in Player._meta.related_objects if relation.one_to_one
    ]
    return [Alias, *(model for model in tables if isinstance(model, type))]


def test_a_row_of_a_persons_own_goes_whole(cast: Cast) -> None:
    assert {model._meta.label for model in own_tables()} - DELETED_TABLES.keys() == {"clubs.Alias"}


def test_the_data_export_has_every_column_of_a_persons_own_rows(cast: Cast) -> None:
    person = cast.club.players.get(name="Pat")
    Alias.objects.create(club=cast.club, player=person, name="Patsy", name_key="patsy")
    StandBy.objects.create(club=cast.club, player=person)
    assert own_tables() == [Alias, Membership, StandBy]
    for model in own_tables():
        for field in model._meta.concrete_fields:
            if field.is_relation or field.primary_key or field.name == "name_key":
                continue
            value = sample(field)
            model._base_manager.filter(player=person).update(**{field.name: value})
            text = dict(field.flatchoices).get(value) or cell_text(value)
            cells = {
                cell for part in personal_data(person).parts for row in part.rows for cell in row
            }
            assert text in cells, f"{model._meta.label}.{field.name}"
