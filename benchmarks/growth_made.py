"""A database of many clubs: one of each size is played, the others are copies of it."""

import time
from multiprocessing import get_context

import psycopg
from django.core.management import call_command
from django.db import connection
from psycopg.conninfo import make_conninfo

from benchmarks.growth_copied import Template, copy_clubs, highest_keys, template_since
from benchmarks.growth_indexes import rebuilt, taken_down
from benchmarks.growth_played import play_club


def make_database(name: str, wanted: list[tuple[int, int]], *, processes: int) -> None:
    """So many clubs of so many hands each, in a database that does not exist yet."""
    address = _address()
    with psycopg.connect(address, dbname="postgres", autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
    call_command("migrate", verbosity=0)
    templates = [(copies, _played(number, hands)) for number, (copies, hands) in enumerate(wanted)]
    connection.close()
    with psycopg.connect(address, autocommit=True) as filled:
        parts = taken_down(filled)
        first = highest_keys()
        for copies, template in templates:
            _copy(template, copies - 1, first, processes)
            first = template.keys_after(first, copies - 1)
        _say("Copied; indexes and constraints are made again.")
        rebuilt(filled, parts)
        for table, key in first.items():
            filled.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {key + 1})")
        filled.execute("VACUUM (ANALYZE)")
    _count()


def _address() -> str:
    fields = connection.settings_dict
    names = {"NAME": "dbname", "HOST": "host", "PORT": "port", "USER": "user"}
    return make_conninfo("", **{names[key]: fields[key] for key in names if fields[key]})


def _played(number: int, hands: int) -> Template:
    """A club of that many hands, played through the services, as a template to copy."""
    before, begun = highest_keys(), time.perf_counter()
    play_club(name=f"Club of {hands:,} hands", number=number, hands=hands)
    _say(f"Played {hands:,} hands in {time.perf_counter() - begun:,.0f} s.")
    return template_since(before)


def _copy(template: Template, copies: int, first: dict[str, int], processes: int) -> None:
    """Each process makes every so many-th part of the copies."""
    begun, context = time.perf_counter(), get_context("fork")
    working = [
        context.Process(target=copy_clubs, args=(template, first, _address(), part))
        for part in (range(at, copies, processes) for at in range(processes))
    ]
    for fork_process in working:
        fork_process.start()
    for fork_process in working:
        fork_process.join()
        if fork_process.exitcode:
            raise SystemExit("A copying process failed; drop the database and begin again.")
    _say(f"{copies:,} copies in {time.perf_counter() - begun:,.0f} s.")


def _count() -> None:
    with connection.cursor() as cursor:
        for table in ("clubs_club", "scorebook_hand", "scorebook_ledgerentry", "scorebook_link"):
            cursor.execute(f"SELECT count(*), pg_total_relation_size('{table}') FROM {table}")  # noqa: S608
            rows, size = cursor.fetchone()
            _say(f"{table}: {rows:,} rows, {size / 1e6:,.0f} MB")


def _say(words: str) -> None:
    print(words, flush=True)
