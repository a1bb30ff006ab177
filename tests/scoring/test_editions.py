"""Rule sets by key, each on its page alone; an edition that a game has used is never edited."""

import ast
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from types import ModuleType

import pytest

import scoring
from scoring import Incident, RuleSet, UnknownRuleSet, rule_set, rule_set_keys
from scoring.rules.declarations import Share
from scoring.rules.fingerprint import fingerprint, key_fingerprint
from scoring.rules.rule_set import Consequence, Fine, Payee, Status
from scoring.rulesets import edition_keys
from tests.scoring.test_pinned import nudged_rules, nudges
from tests.scoring.worked import table
from tests.test_architecture import ROOT

BMJA = rule_set("bmja")


def test_a_bare_name_is_the_newest_edition() -> None:
    newest = {key.partition("/")[0]: key for key in edition_keys()}
    assert {name: rule_set(name).key for name in rule_set_keys()} == newest
    assert BMJA is rule_set("bmja/2008")
    assert (BMJA.key, BMJA.name, BMJA.seats) == ("bmja/2008", "BMJA rules", (2, 3, 4, 5))


def test_an_unknown_key_is_refused_in_a_sentence() -> None:
    with pytest.raises(UnknownRuleSet) as refusal:
        rule_set("whist")
    message = str(refusal.value)
    assert message.startswith("There is no rule set 'whist'; there are ")
    assert {*rule_set_keys()} <= {*message.rstrip(".").replace(",", "").split()}


def test_open_points_played_otherwise_leave_the_edition_as_it_is() -> None:
    house = BMJA.choosing(plus2_on_loose_tile=True)
    assert house.choice["plus2_on_loose_tile"] is True
    assert BMJA.choice["plus2_on_loose_tile"] is False
    with pytest.raises(KeyError, match="nine_gates"):
        BMJA.choosing(nine_gates=True)


def test_a_share_of_the_limit_is_rounded_down() -> None:
    assert (Share(2, 5).points(1000), Share(1, 2).points(1025)) == (400, 512)
    with pytest.raises(ValueError, match="needs a limit"):
        Share(1, 2).points(None)


def test_no_limit_caps_nothing() -> None:
    assert (BMJA.capped_at_highest(8448), replace(BMJA, limit=None).capped_at_highest(8448)) == (
        1000,
        8448,
    )


ENGINE = ROOT / "scoring"
PAGES = "scoring.rulesets"
NAMES = {*rule_set_keys(), *edition_keys(), *(rule_set(key).name for key in edition_keys())}


def modules() -> Iterator[ModuleType]:
    """Every module of the engine and the score book, but for the pages."""
    for module_info in pkgutil.walk_packages(scoring.__path__, "scoring."):
        if not module_info.name.startswith(PAGES):
            yield import_module(module_info.name)


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
    source_paths = [
        path
        for path in sorted(ENGINE.rglob("*.py"))
        if not {"rulesets", "scorebook"} & {*path.relative_to(ENGINE).parts}
    ]
    mentions = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.value}"
        for path in source_paths
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and node.value in NAMES
    ]
    assert source_paths
    assert mentions == []


PINNED = table("editions")
EDITIONS, BEFORE_PENALTIES = PINNED["fingerprints"], PINNED["before_penalties"]


@pytest.mark.parametrize("key", edition_keys())
def test_a_published_edition_is_as_it_was(key: str) -> None:
    """Another fingerprint is another edition: declare it beside the old one, under its own key."""
    rules = rule_set(key)
    assert {rules.key: fingerprint(rules)} == {rules.key: EDITIONS.get(rules.key)}


def test_every_fingerprint_is_of_an_edition() -> None:
    assert [rule_set(key).key for key in EDITIONS] == [*EDITIONS]


@pytest.mark.sampled(days=4)
@pytest.mark.parametrize("key", rule_set_keys())
def test_any_number_changed_is_another_fingerprint(key: str) -> None:
    rules = rule_set(key)
    fingerprints = [fingerprint(changed_rules) for _name, changed_rules in nudged_rules(rules)]
    assert fingerprints
    assert fingerprint(rules) not in fingerprints


def other_words(rules: RuleSet) -> RuleSet:
    """The same rules with other sources and explanations, under another name."""
    choices = tuple(line._replace(text="said otherwise") for line in rules.choices)
    points = tuple(line._replace(source="another page") for line in rules.points)
    return replace(rules, key="x/1", name="X", limit_source="", choices=choices, points=points)


def test_other_words_are_the_same_rules() -> None:
    assert fingerprint(other_words(BMJA)) == fingerprint(BMJA)


def test_a_line_of_another_name_or_condition_is_another_rule() -> None:
    first, *other_doubles = BMJA.doubles
    for other_line in (first._replace(name="Flower"), first._replace(when=other_doubles[0].when)):
        assert fingerprint(replace(BMJA, doubles=(other_line, *other_doubles))) != fingerprint(BMJA)
    set_line, *later_lines = BMJA.set_points
    other_set = set_line._replace(when=later_lines[0].when)
    changed_rules = replace(BMJA, set_points=(other_set, *later_lines))
    assert fingerprint(changed_rules) != fingerprint(BMJA)


def otherwise(line: Incident) -> Iterator[Incident]:
    """The incident with each word of its line that decides something changed."""
    is_void = line.consequence is Consequence.VOID
    yield line._replace(key="yawning")
    yield line._replace(name="Yawning")
    yield line._replace(consequence=Consequence.NO_SCORE if is_void else Consequence.VOID)
    if line.fine is None:
        yield line._replace(fine=Fine(1, Payee.CLAIMANT))
    else:
        yield line._replace(fine=None)
        yield line._replace(fine=line.fine._replace(payee=Payee.ALL_OTHERS))
        yield line._replace(fine=line.fine._replace(divided_if="plus2_on_loose_tile"))


def other_penalties() -> Iterator[tuple[Incident, ...]]:
    """The penalties of BMJA rules with one number or one word changed, or one line left out."""
    lines = BMJA.penalties
    yield ()
    for place, line in enumerate(lines):
        earlier_lines, later_lines = lines[:place], lines[place + 1 :]
        yield (*earlier_lines, *later_lines)
        yield from ((*earlier_lines, other_line, *later_lines) for other_line in otherwise(line))


def test_any_number_of_a_penalty_changed_is_another_fingerprint() -> None:
    numbers = [lines for _name, lines in nudges(BMJA.penalties)]
    assert len(numbers) == 6  # 50 points, and half the limit as 1 of 2: each one more, one less
    for lines in numbers:
        changed_rules = replace(BMJA, penalties=lines)
        assert fingerprint(changed_rules) not in EDITIONS.values()
        assert key_fingerprint(changed_rules) == fingerprint(changed_rules)


def test_any_word_of_a_penalty_changed_is_another_fingerprint() -> None:
    fingerprints = [fingerprint(replace(BMJA, penalties=lines)) for lines in other_penalties()]
    assert fingerprint(BMJA) not in fingerprints
    assert len({*fingerprints}) == len(fingerprints)


def test_where_a_penalty_comes_from_is_no_rule() -> None:
    lines = tuple(line._replace(source="page 40", status=Status.OPEN) for line in BMJA.penalties)
    assert fingerprint(replace(BMJA, penalties=lines)) == fingerprint(BMJA)


@pytest.mark.parametrize("key", edition_keys())
def test_keys_of_house_rules_are_made_of_the_fingerprint_they_always_were(key: str) -> None:
    assert key_fingerprint(rule_set(key)) == (EDITIONS | BEFORE_PENALTIES)[key]


@pytest.mark.parametrize("key", BEFORE_PENALTIES)
def test_but_for_its_penalties_the_edition_is_as_it_was(key: str) -> None:
    assert fingerprint(replace(rule_set(key), penalties=())) == BEFORE_PENALTIES[key]
