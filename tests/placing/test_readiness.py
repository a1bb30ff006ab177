"""The System status and the figures for monitoring are of every database."""

import pytest
from django.db import connections
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from clubs.databases import at
from clubs.models import ClubDatabase, Job
from config.metrics.exposition import looked_up
from config.warming import rules_in_use
from tests.config.served import free_port
from tests.placing.placed import placed_club

DATABASES = ("database", "migrations", "database north", "migrations north")
pytestmark = pytest.mark.usefixtures("in_order")
FINE = dict.fromkeys(
    (*DATABASES, "database south", "migrations south", "backup", "disk", "worker", "clock"), "ok"
)


def test_each_database_has_its_line(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(6):  # of the main one
        answer = client.get("/readyz/")
    assert (answer.status_code, answer.json()) == (200, FINE)


def test_a_database_that_is_away_is_named(client: Client) -> None:
    north = connections["north"]
    north.close()
    port = north.settings_dict["PORT"]
    north.settings_dict["PORT"] = str(free_port())
    try:
        answer = client.get("/readyz/")
        page = client.get("/readyz/", headers={"Accept": "text/html"}).content.decode()
        figures = {name: value for name, _, value in looked_up()}
    finally:
        north.settings_dict["PORT"] = port
    left = {name: words for name, words in FINE.items() if name != "migrations north"}
    assert (answer.status_code, answer.json()) == (503, left | {"database north": "not responding"})
    assert "<h1>Some clubs cannot record hands</h1>" in page
    assert figures["database_up"] == 0


def test_a_database_whose_migrations_wait_is_named(client: Client) -> None:
    with connections["south"].cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions' RETURNING name")
        (name,) = cursor.fetchone()
    answer = client.get("/readyz/")
    with connections["south"].cursor() as cursor:
        row = ["sessions", name, timezone.now()]
        cursor.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, %s)", row
        )
    assert answer.status_code == 503
    assert answer.json() == FINE | {"migrations south": "1 not applied"}


def test_a_database_without_keys_of_its_own_is_named(client: Client) -> None:
    ClubDatabase.objects.filter(name="south").delete()
    answer = client.get("/readyz/")
    assert answer.json()["migrations south"] == "not set up: run manage.py migrate"


def test_what_waits_in_any_database_is_counted() -> None:
    for name, slug in (("north", "riverside"), ("south", "quayside")):
        club = placed_club(name, slug)
        with at(name):
            Job.objects.create(club=club, kind="book", about=1)
    figures = {name: value for name, _, value in looked_up()}
    assert (figures["database_up"], figures["jobs_waiting"], figures["jobs_running"]) == (1, 2, 0)
    assert 0 < (figures["jobs_oldest_seconds"] or 0) < 60
    assert figures["backup_is_good"] == 1


def test_the_rules_of_every_club_are_worked_out_in_advance() -> None:
    for name, rules in (("north", "bmja"), ("south", "safalra")):
        club = placed_club(name, rules)
        with at(name):
            club.rules = rules
            club.save()
    assert {rules.key.partition("/")[0] for rules in rules_in_use()} == {"bmja", "safalra"}
