"""The recipes of CONTRIBUTING.md: each is carried out in a copy, as its worked example says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PYTHON = Path(sys.executable)
RECIPE = re.compile(r"^## Add (.+)$(?:(?!^## ).*\n)*?^.*\((docs/examples/\S+\.patch)\).*$", re.M)
FILES = re.compile(r"changes (\d+) files? of code")
CHANGED = re.compile(r"^\+\+\+ b/(\S+)$", re.MULTILINE)
STEP = re.compile(r"^Then: python (-m \S+)$", re.MULTILINE)
LEFT_OUT = (".*", "var", "__pycache__", "staticfiles", "db.sqlite3*")
# The tests that hold a list of what the product has: a recipe that forgets one leaves it red.
LISTS = (
    "tests/clubs/clubfile/test_contents.py",
    "tests/clubs/core/test_doors.py",
    "tests/clubs/core/test_navigation.py",
    "tests/clubs/members/test_person_columns.py",
    "tests/clubs/privacy/test_erasing.py",
    "tests/config/test_migrating_back.py",
    "tests/scoring/test_editions.py",
    "tests/scoring/test_rules_page.py",
    "tests/test_addresses.py",
    "tests/test_doors.py",
    "tests/test_names_as_chosen.py",
    "tests/test_other_clubs.py",
    "tests/test_second_step_everywhere.py",
    "tests/test_tour.py",
    "tests/test_words.py",
)


def recipes() -> dict[str, tuple[Path, int]]:
    """The worked example of each recipe, and how many files of code it says that it changes."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    result = {}
    for match in RECIPE.finditer(page):
        files = FILES.search(match[0])
        result[match[1]] = (ROOT / match[2], int(files[1]) if files else 0)
    return result


def run(copy: Path, *command: str) -> None:
    """Run a command in the copy; what it prints is the failure."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(
            ("PYTEST_", "DATABASE_", "REDIS_", "DJANGO_", "TONGBOX_VAR", "TONGBOX_REC")
        )
    }
    result = subprocess.run(  # noqa: S603
        command, cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]


def run_tests(copy: Path, *tests: str) -> None:
    run(copy, str(PYTHON), "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests)


def test_a_rule_a_page_a_printout_and_a_column_have_a_recipe() -> None:
    assert set(recipes()) >= {"a rule", "a page", "a printout", "a column about a person"}


@pytest.mark.parametrize("recipe", recipes())
def test_a_recipe_says_how_many_files_it_takes(recipe: str) -> None:
    patch, files = recipes()[recipe]
    changed_files = CHANGED.findall(patch.read_text("utf-8"))
    assert (
        len([name for name in changed_files if not name.startswith(("tests/", "docs/"))]) == files
    )


def carried_out(patch: Path, folder: Path) -> Path:
    """A copy in which a recipe was carried out, with every name and migration that it needs."""
    copy = folder / "tongbox"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
    run(copy, "git", "apply", "--unidiff-zero", "--whitespace=nowarn", str(patch))
    for check in (["check"], ["format", "--check"]):
        run(copy, str(PYTHON.with_name("ruff")), *check, "--no-cache", ".")
    run(copy, str(PYTHON), "manage.py", "makemigrations", "--check", "--dry-run")
    return copy


@pytest.mark.parametrize("recipe", recipes())
def test_a_recipe_fits_the_code_of_today(recipe: str, tmp_path: Path) -> None:
    carried_out(recipes()[recipe][0], tmp_path)


@pytest.mark.sampled(law="long plays")
@pytest.mark.parametrize("recipe", recipes())
def test_a_recipe_works_as_it_is_written(recipe: str, tmp_path: Path) -> None:
    """By its own tests and the lists; `make recipes` takes the whole suite, an hour and a half."""
    patch, _ = recipes()[recipe]
    copy = carried_out(patch, tmp_path)
    tests = patch.read_text("utf-8").partition("Tests: ")[2].partition("\n\n")[0].split()
    assert tests
    if "TONGBOX_RECIPES" in os.environ:
        for step in STEP.findall(patch.read_text("utf-8")):
            run(copy, str(PYTHON), *step.split())
        run_tests(copy, "--numprocesses=2", "--ignore=tests/test_contributing.py", "tests")
    else:
        run_tests(copy, *tests)
        run_tests(copy, *LISTS)
