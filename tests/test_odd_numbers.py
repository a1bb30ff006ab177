"""No address and no form breaks over an odd number: “²”, a missing one, thousands of digits."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import transaction
from django.forms import BaseForm
from django.test import Client

from clubs.language.words import MOST_KEY, whole_number
from tests.pageforms import Form, forms_in
from tests.people import browser_of
from tests.sampling import SampleOf
from tests.test_other_clubs import Clubs, addresses_of_clubs, clubs, filled_addresses, methods_of

__all__ = ["clubs"]

ROOT: Final = Path(__file__).parents[1]
ODD: Final = {
    "no number": "none",
    "a raised two": "²",
    "Arabic digits": "٣٤",
    "below nothing": "-1",
    "nothing": "0",
    "a month too many": "32767",
    "beyond a row": str(MOST_KEY + 1),
    "4,301 digits": "9" * 4301,
    "a NUL": "1\x00",
}
# Names of what is read from an address: `GET.get("page")`, `"v" in request.GET`, a parameter.
READ: Final = re.compile(
    r"""(?:GET|query_params|query)(?:\.get\(|\[)"(\w+)\""""
    r"""|"(\w+)"\ in\ (?:self\.)?request\.GET"""
    r"""|(?:OpenApiParameter|one_of|number)\(\s*"(\w+)\"""",
    re.VERBOSE,
)
# Who asks itself whether a text is made of digits, and why.
DIGITS_ASKED_FOR: Final = {
    "clubs/language/words.py": {"whole_number": "it is the one", "read_number": "a fraction"},
    "clubs/members/files.py": {"_nobody_reason": "a line of a sum is told from a person"},
    "clubs/members/selectors.py": {"digits_of": "the digits of a phone number"},
    "clubs/privacy/redaction.py": {"addresses_to_find": "the digits of a phone number"},
    "clubs/table/forms/hands.py": {"parse_points": "points below nothing, and too many, in words"},
    "clubs/table/selectors/rules.py": {"<lambda>": "a cell of our own"},
    "tournaments/management/away_copies.py": {"choose_copy": "typed by who restores"},
    "tournaments/seating/services/by_hand.py": {"_read_rounds": "whether a list has headings"},
    "tournaments/setup/written_entries.py": {"column_names_of": "whether a list is numbered"},
}
GROUPS: Final = 5
WAYS: Final = {"isdecimal", "isdigit", "isnumeric"}


@pytest.mark.parametrize("text", ["", None, "²", "٣", "-1", "+1", " 1", "1.0", "1_0", "9" * 4301])
def test_only_plain_digits_make_a_number(text: str | None) -> None:
    assert whole_number(text) is None


def test_a_number_within_its_bounds_is_read() -> None:
    numbers = [whole_number(text, most=20) for text in ("0", "7", "07", "20", "21", "020")]
    assert numbers == [0, 7, 7, 20, None, None]
    assert whole_number(str(MOST_KEY)) == MOST_KEY
    assert whole_number(str(MOST_KEY + 1)) is None


def test_one_reader_knows_what_a_whole_number_is() -> None:
    """Elsewhere nobody asks a text for its digits, but for those who have a reason."""
    asking = {
        str(path.relative_to(ROOT)): names
        for house in ("clubs", "tournaments", "config")
        for path in sorted((ROOT / house).rglob("*.py"))
        if (names := set(_functions_that_ask(ast.parse(path.read_text()))))
    }
    assert asking == {path: set(names) for path, names in DIGITS_ASKED_FOR.items()}


def _functions_that_ask(node: ast.AST, function_name: str = "") -> Iterator[str]:
    if isinstance(node, ast.FunctionDef):
        function_name = node.name
    elif isinstance(node, ast.Lambda):
        function_name = "<lambda>"
    if isinstance(node, ast.Attribute) and node.attr in WAYS:
        yield function_name
    for child in ast.iter_child_nodes(node):
        yield from _functions_that_ask(child, function_name)


def parameters() -> set[str]:
    """The name of everything that some page or operation reads from its address."""
    texts = [
        path.read_text()
        for house in ("clubs", "tournaments")
        for path in (ROOT / house).rglob("*.py")
    ]
    return {next(filter(None, groups)) for text in texts for groups in READ.findall(text)}


def fields_of_forms() -> set[str]:
    """The names of what forms ask for: some are asked for in an address, as the log's filters."""
    return {name for form in _all_forms(BaseForm) for name in getattr(form, "base_fields", ())}


def _all_forms(kind: type[BaseForm]) -> Iterator[type[BaseForm]]:
    for form in kind.__subclasses__():
        yield form
        yield from _all_forms(form)


def pages_of(clubs: Clubs) -> list[str]:
    """Every address of the club, once, with its own rows."""
    addresses = [
        next(filled_addresses(declared_address, clubs.ours_has, clubs.ours_has), None)
        or declared_address.replace("<slug:club>", "riverside")
        for declared_address, view in addresses_of_clubs()
        if "get" in methods_of(view)
    ]
    return [address for address in addresses if "<" not in address]


def browser_that_goes_on(clubs: Clubs) -> Client:
    client = browser_of(clubs.cast.secretary)
    client.raise_request_exception = False
    return client


def response_status(client: Client, method: str, address: str, data: Any = None) -> int:
    """What comes back; what it wrote is put back at once."""
    with transaction.atomic():
        code = getattr(client, method)(address, data).status_code
        transaction.set_rollback(True)
    return int(code)


@pytest.mark.sampled(law="long plays")
@pytest.mark.parametrize("odd_kind", ODD)
def test_no_address_breaks_over_an_odd_number(
    clubs: Clubs, odd_kind: str, sample_of: SampleOf
) -> None:
    client, names, pages = browser_that_goes_on(clubs), sorted(parameters()), pages_of(clubs)
    all_names = {*names, *fields_of_forms()}
    assert {"page", "from", "version", "round", "after", "doer"} <= all_names
    assert len(pages) > 200
    together = [(page, dict.fromkeys(all_names, ODD[odd_kind])) for page in pages]
    # One that is refused hides the others, so they are asked for a few at a time too.
    separate_cases = [
        (page, dict.fromkeys(names[first::GROUPS], ODD[odd_kind]))
        for page in sample_of(pages)
        for first in range(GROUPS)
    ]
    broken_pages = [
        (page, sorted(query))
        for page, query in (*together, *separate_cases)
        if response_status(client, "get", page, query) >= 500
    ]
    assert broken_pages == []


@pytest.mark.sampled(law="long plays")
@pytest.mark.parametrize("odd_kind", ODD)
def test_no_form_breaks_over_an_odd_number(
    clubs: Clubs, odd_kind: str, sample_of: SampleOf
) -> None:
    client = browser_that_goes_on(clubs)
    forms = list(all_forms(client, pages_of(clubs)))
    assert len(forms) > 60
    cases = [f"{place} {name}" for place, form in enumerate(forms) for name in form.fields]
    failures = []
    for case in sample_of(cases):
        place, _, name = case.partition(" ")
        form = forms[int(place)]
        data = {**form.as_it_stands, name: [ODD[odd_kind]]}
        if response_status(client, "post", form.address, data) >= 500:
            failures.append((form.address, name))
    assert failures == []


def all_forms(client: Client, pages: list[str]) -> Iterator[Form]:
    """Every form of the club's pages, each address once; without the way to sign out."""
    seen_addresses = {"/accounts/logout/"}
    for page in pages:
        answer = client.get(page)
        if not answer["Content-Type"].startswith("text/html"):
            continue
        for form in forms_in(answer.content.decode(), page):
            if form.address not in seen_addresses:
                seen_addresses.add(form.address)
                yield form
