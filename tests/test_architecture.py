"""The house rules that no single test would notice being broken."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
HOUSES = ("scoring", "clubs", "tournaments", "config", "tongbox")
SOURCES = sorted(
    path
    for house in (*HOUSES, "tests", "benchmarks")
    for path in (ROOT / house).rglob("*.py")
    if "migrations" not in path.parts
)
OURS = [path for path in SOURCES if path.relative_to(ROOT).parts[0] in HOUSES]
BANNED_NAMES = {"utils", "helpers", "common", "misc"}
CHANGELOG_LISTS = ["Added", "Changed", "Fixed", "Removed", "Security"]
LONGEST_CHANGE = 200  # characters
# Django and gunicorn read these files before models can be imported.
ONCE_LOADED = {
    "clubs/apps.py ready",
    "tournaments/apps.py ready",
    "config/gunicorn.py post_worker_init",
}


class Sized(NamedTuple):
    """A function and its length in lines."""

    location: str
    lines: int


def functions(path: Path) -> Iterator[Sized]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            yield Sized(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", lines)


def imported_names(path: Path) -> set[str]:
    """Every module that a file imports, and everything that it imports from one."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
            names.add(node.module or "")
    return names


def test_no_file_passes_700_lines() -> None:
    long_files = [str(path) for path in SOURCES if len(path.read_text().splitlines()) > 700]
    assert long_files == []


def test_no_function_passes_50_lines() -> None:
    assert [
        function for path in SOURCES for function in functions(path) if function.lines > 50
    ] == []


def test_nine_functions_in_ten_stay_within_25_lines() -> None:
    own_sources = [path for path in SOURCES if "tests" not in path.relative_to(ROOT).parts]
    lengths = [function.lines for path in own_sources for function in functions(path)]
    assert quantiles(lengths, n=10)[-1] <= 25


def imports_between_files() -> dict[str, set[str]]:
    """The files that each file of ours imports: for types and within functions, too.

    A package's ``__init__`` gathers what is in it, so it is nobody's own import.
    """
    files = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): str(path.relative_to(ROOT))
        for path in OURS
        if path.stem != "__init__"
    }
    return {
        file: {files[name] for name in imported_names(ROOT / file) & files.keys()} - {file}
        for file in files.values()
    }


def reachable_files(graph: dict[str, set[str]], start: str) -> set[str]:
    """Every file that can be come to from this one by imports."""
    known_files: set[str] = set()
    ahead = list(graph[start])
    while ahead:
        file = ahead.pop()
        if file not in known_files:
            known_files.add(file)
            ahead += graph[file]
    return known_files


def test_no_file_imports_itself_by_way_of_others() -> None:
    graph = imports_between_files()
    assert {file for file in graph if file in reachable_files(graph, file)} == set()


def test_few_imports_run_back_between_rooms() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    back_imports = {
        tuple(module.strip().split(".")[1] for module in arrow.split("->"))
        for contract in contracts["contracts"]
        if contract.get("containers") in (["clubs"], ["tournaments"])
        for arrow in contract.get("ignore_imports", [])
    }
    assert len(back_imports) <= 6


def imports_in_functions(path: Path) -> Iterator[str]:
    for function in ast.walk(ast.parse(path.read_text())):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    yield f"{path.relative_to(ROOT)} {function.name}"


def test_nothing_is_imported_within_a_function() -> None:
    assert {location for path in OURS for location in imports_in_functions(path)} == ONCE_LOADED


def texts_in_no_encoding(path: Path) -> Iterator[str]:
    """Calls that read or write text as the system likes: in UTF-8 here, in another way there."""
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        keyword_names = {keyword.arg for keyword in call.keywords}
        literals = [word.value for word in call.args if isinstance(word, ast.Constant)]
        in_words = any(re.fullmatch(r"[rwax]\+?t?", str(word)) for word in literals)
        opens = name == "open" and (in_words or not (call.args or "mode" in keyword_names))
        runs = name in {"run", "Popen", "check_output"} and "text" in keyword_names
        if (
            name in {"read_text", "write_text"} or opens or runs
        ) and "encoding" not in keyword_names:
            yield f"{path.relative_to(ROOT)}:{call.lineno} {name}"


def test_every_text_is_read_and_written_in_an_encoding_that_is_named() -> None:
    deploy = sorted((ROOT / "deploy").glob("*.py"))
    assert [location for path in (*OURS, *deploy) for location in texts_in_no_encoding(path)] == []


def test_no_room_is_a_junk_room() -> None:
    rooms = [part for path in SOURCES for part in (*path.parent.parts, path.stem)]
    assert BANNED_NAMES.isdisjoint(rooms)


def test_no_signals_between_our_apps() -> None:
    listening = [
        str(path)
        for path in SOURCES
        if {"django.dispatch", "django.db.models.signals"} & imported_names(path)
    ]
    assert listening == []


@pytest.mark.parametrize("package", ["scoring", "clubs.seating", "clubs.league_rules"])
def test_the_pure_rooms_load_nothing_but_the_standard_library(package: str) -> None:
    code = (
        f"import sys; before = set(sys.modules); import {package};"
        "ours = ('scoring', 'clubs');"
        "alien = {name.partition('.')[0] for name in set(sys.modules) - before}"
        " - set(sys.stdlib_module_names) - set(sys.builtin_module_names) - set(ours);"
        "print(sorted(name for name in alien if not name.startswith('_')))"
    )
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_locks_hold_hashes_and_no_addresses(name: str) -> None:
    text = (ROOT / name).read_text()
    assert "--hash=sha256:" in text
    assert "://" not in text


def test_the_changelog_has_five_lists_of_short_lines() -> None:
    introduction, *versions = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")
    assert versions
    assert not re.findall(r"^- ", introduction, re.MULTILINE)
    for version in versions:
        preamble, *lists = version.split("\n### ")
        assert [part.partition("\n")[0] for part in lists] == CHANGELOG_LISTS
        assert not re.findall(r"^- ", preamble, re.MULTILINE)
        changes = re.findall(r"^- .*", version, re.MULTILINE)
        assert [change for change in changes if len(change) > LONGEST_CHANGE] == []
        assert len(changes) == len(set(changes))
