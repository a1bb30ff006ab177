"""What a rule set says stands on its page, and nowhere beside it."""

import ast
import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import ModuleType

import scoring
from scoring import rule_set
from scoring.rulesets import edition_keys, rule_set_keys
from tests.test_architecture import ROOT

ENGINE = ROOT / "scoring"
PAGES = "scoring.rulesets"
NAMES = {*rule_set_keys(), *edition_keys(), *(rule_set(key).name for key in edition_keys())}


def modules() -> Iterator[ModuleType]:
    """Every module of the engine and the score book, but for the pages."""
    for found in pkgutil.walk_packages(scoring.__path__, "scoring."):
        if not found.name.startswith(PAGES):
            yield import_module(found.name)


def is_by_rule_set(table: object) -> bool:
    return isinstance(table, Mapping) and any(
        getattr(key, "key", key) in NAMES for key in table if getattr(key, "__hash__", None)
    )


def test_no_table_beside_the_pages_is_by_rule_set() -> None:
    tables = [
        f"{module.__name__}.{name}"
        for module in modules()
        for name, value in vars(module).items()
        if is_by_rule_set(value)
    ]
    assert tables == []


def test_the_engine_names_no_rule_set_beside_the_pages() -> None:
    """A line of a page says what is played; nothing asks whose page it is."""
    beside = [
        path
        for path in sorted(ENGINE.rglob("*.py"))
        if not {"rulesets", "scorebook"} & {*path.relative_to(ENGINE).parts}
    ]
    named = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.value}"
        for path in beside
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and node.value in NAMES
    ]
    assert beside
    assert named == []
