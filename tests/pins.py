"""``python -m tests.pins FOLDER``: what a refactor must not move, as sorted text to compare.

Writes the OpenAPI document, every address with who may use it, the database schema (SQLite), the
number of test cases and the help of every command. Run it on two checkouts and `diff -r` the
folders. No path of a module is written, for modules move.
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import django
from django.apps import apps
from django.conf import settings
from django.core.management import call_command, get_commands, load_command_class
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.module_loading import import_string

from tests.api import handlers_of

TOP: Final = Path(__file__).resolve().parent.parent
# What a view may call its permission; a refactor adds the new name.
READING: Final = ("door", "access", "requires", "permission")
PROGRAMS: Final = ("scoring", "clubs.seating")


def main(folder: Path) -> None:
    """Write every pin into the folder, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    django.setup()
    (folder / "openapi.json").write_text(openapi(), encoding="utf-8")
    for name, lines in (
        ("addresses.txt", sorted(addresses(get_resolver(), ""))),
        ("schema.txt", schema()),
        ("tests.txt", tests()),
        ("commands.txt", [*commands(), *programs()]),
    ):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def openapi() -> str:
    """The OpenAPI document as JSON with sorted keys."""
    generator = import_string("drf_spectacular.generators.SchemaGenerator")
    document = generator().get_schema(request=None, public=True)
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False, default=str) + "\n"


def addresses(resolver: URLResolver, prefix: str) -> Iterator[str]:
    """``name  pattern  method: who may``, a line for each method that an API view answers."""
    for entry in resolver.url_patterns:
        pattern = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from addresses(entry, pattern)
        else:
            for method, access in access_by_method(entry):
                yield f"{entry.name}  {pattern}  {method}: {access}"


def access_by_method(entry: URLPattern) -> Iterator[tuple[str, str]]:
    """Each method with who may; ``any`` stands for all methods of a page."""
    view: Any = entry.callback
    cls = getattr(view, "cls", None)  # REST framework's, of an API view
    if cls is None:
        yield "any", in_words(first_of(view, READING))
        return
    api_view = cls(**view.initkwargs)
    access_for = getattr(api_view, "access_for", lambda _: first_of(cls, READING))
    for method in handlers_of(view):
        yield method.upper(), in_words(access_for(method.upper()))


def first_of(view: Any, names: tuple[str, ...]) -> Any:
    """The first of the attributes that the view has; None where it has none."""
    return next(
        (attribute for name in names if (attribute := getattr(view, name, None)) is not None), None
    )


def in_words(permission: Any) -> str:
    """``change the member list [secretary; people; -]``: words, roles, scope, public switches."""
    if not hasattr(permission, "roles"):
        return str(permission or "not ours")
    roles = ",".join(sorted(str(role) for role in permission.roles))
    public = ",".join(sorted(getattr(permission, "public_by", ()))) or "-"
    return f"{permission.action} [{roles}; {permission.scope}; {public}]"


def schema() -> list[str]:
    """Every table, index and trigger of a new SQLite database, a table's parts in sorted lines."""
    call_command("migrate", verbosity=0)
    with closing(sqlite3.connect(settings.DATABASES["default"]["NAME"])) as database:
        return serializer_of(database)


def serializer_of(database: sqlite3.Connection) -> list[str]:
    """The same of an open database; the order of columns and of constraints does not count."""
    rows = database.execute("SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql NOTNULL")
    lines = []
    for kind, name, table, sql in rows.fetchall():
        statement = " ".join(sql.split())
        if kind == "table":
            lines += [f"{table}  {part}" for part in parts(statement)]
        else:
            lines.append(f"{table}  {kind} {name}: {statement}")
    return sorted(lines)


def parts(sql: str) -> Iterator[str]:
    """The columns and constraints between the outer brackets of a CREATE TABLE."""
    inside, depth, part = sql[sql.index("(") + 1 : sql.rindex(")")], 0, ""
    for token in re.findall(r"'(?:[^']|'')*'|\"[^\"]*\"|.", inside):
        depth += (token == "(") - (token == ")")
        if token == "," and depth == 0:
            yield part.strip()
            part = ""
        else:
            part += token
    yield part.strip()


def tests() -> list[str]:
    """``cases  folder``, and their sum."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-qq", "-o", "addopts="]
    output = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True).stdout  # noqa: S603
    cases = Counter[str]()
    for path, count in re.findall(r"^(tests/\S+\.py): (\d+)$", output, re.MULTILINE):
        cases["/".join(path.split("/")[:-1][:2])] += int(count)
    return [*(f"{count}  {top}" for top, count in sorted(cases.items())), f"{cases.total()}  total"]


def commands() -> Iterator[str]:
    """The help of each management command of ours, by its name."""
    own_apps = {app.name for app in apps.get_app_configs() if "site-packages" not in app.path}
    for name, app in sorted(get_commands().items()):
        if app in own_apps:
            yield load_command_class(app, name).create_parser("manage.py", name).format_help()


def programs() -> Iterator[str]:
    """The help of each program that needs no Django, and of its commands."""
    for module in PROGRAMS:
        text = help_of(module)
        yield text
        for command in sorted(re.findall(r"\w+", "".join(re.findall(r"{(.*?)}", text)[:1]))):
            yield help_of(module, command)


def help_of(*arguments: str) -> str:
    """What ``python -m`` of these says with ``--help``."""
    command = [sys.executable, "-m", *arguments, "--help"]
    return subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=True).stdout  # noqa: S603


if __name__ == "__main__":
    for elsewhere in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(elsewhere, None)
    with tempfile.TemporaryDirectory(prefix="tongbox-pins-") as scratch:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "TONGBOX_VAR": scratch,
            "COLUMNS": "100",
        }
        main(Path(sys.argv[1]))
