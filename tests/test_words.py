"""Tongbox says one word for one thing, in headings and buttons that look alike."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from config.apidocs import areas
from tests.prose import BASE, TEMPLATES, VALUE, Saying, sayings

WORDS: dict[str, Any] = tomllib.loads((BASE / "tests/examples/words.toml").read_text("utf-8"))
VERBS = set(WORDS["verbs"].split())
HEADINGS = {"h1", "h2", "h3", "h4", "title", "caption", "legend", "summary", "th"}
LITERAL = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"|'((?:[^'\\\n]|\\.)*)'|`([^`]*)`")
CODE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)", re.DOTALL)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
PLACEHOLDER = re.compile(r"{[^{}]*}")


@cache
def on_pages() -> list[Saying]:
    """Return what every template says."""
    paths = sorted({*TEMPLATES.rglob("*.html"), *TEMPLATES.rglob("*.txt")})
    return [saying for path in paths for saying in sayings(path)]


def in_python() -> Iterator[Saying]:
    """Yield the sentences of the product's code, and the docstrings that the API publishes."""
    for folder in ("clubs", "config", "scoring", "tongbox", "tournaments"):
        for path in sorted((BASE / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                tree = ast.parse(path.read_text(encoding="utf-8"))
                has_published = "api" in {*path.relative_to(BASE).parts, path.stem}
                silent = set(map(id, unsaid(tree, has_published=has_published)))
                for node in ast.walk(tree):
                    if isinstance(node, ast.expr) and id(node) not in silent:
                        text = literal(node)
                        if " " in text.strip():
                            yield Saying(path, f"line {node.lineno}", text)


def literal(node: ast.expr) -> str:
    """Return the words of a string, with a mark for what is put into it."""
    if isinstance(node, ast.JoinedStr):
        return "".join(literal(part) or VALUE for part in node.values)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return PLACEHOLDER.sub(VALUE, node.value)
    return ""


def unsaid(tree: ast.Module, *, has_published: bool) -> Iterator[ast.AST]:
    """Yield the strings nobody reads: keys, parts of a whole, docstrings but for published ones."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            yield from filter(None, node.keys)
        elif isinstance(node, ast.JoinedStr):
            yield from node.values
        elif isinstance(node, ast.Module if has_published else DOCUMENTED):
            yield from (part.value for part in node.body[:1] if isinstance(part, ast.Expr))


def in_scripts() -> Iterator[Saying]:
    """Yield what the pages' own scripts say."""
    for path in sorted((BASE / "static" / "js").rglob("*.js")):
        for match in LITERAL.finditer(path.read_text(encoding="utf-8")):
            text = next(filter(None, match.groups()), "")
            if " " in text.strip():
                yield Saying(path, "script", text)


def in_documents() -> Iterator[Saying]:
    """Yield the lines of every page that comes with the code, but for the rules of the sources."""
    folders = (BASE, *(BASE / name for name in ("docs", "deploy", "benchmarks")))
    paths = sorted({path for folder in folders for path in folder.glob("*.md")})
    for name in ("decisions", "guide", "tour"):
        paths += sorted((BASE / "docs" / name).glob("*.md"))
    for path in paths:
        text = CODE.sub("", path.read_text(encoding="utf-8"))
        yield from (Saying(path, "text", " ".join(part.split())) for part in text.split("\n\n"))


def in_headings_of_the_api() -> Iterator[Saying]:
    """Yield what its areas are called: by a name, or else by their address."""
    yield from (Saying(BASE / "config/apidocs.py", "area", area.title) for area in areas())


@cache
def everywhere() -> list[Saying]:
    """Return everything that people read."""
    return [*on_pages(), *in_python(), *in_scripts(), *in_documents(), *in_headings_of_the_api()]


@pytest.mark.parametrize("retired_row", WORDS["retired"], ids=lambda row: str(row["word"]))
def test_retired_words_stay_away(retired_row: dict[str, Any]) -> None:
    """A word that people stumbled over does not come back."""
    word = re.compile(rf"(?<![\w/.-])(?:{retired_row['word']})(?![\w/-])", re.IGNORECASE)
    allowed_phrases = retired_row.get("allowed", [])
    slips = []
    for saying in everywhere():
        text = saying.text
        for phrase in allowed_phrases:
            text = text.replace(phrase, VALUE)
        if word.search(text):
            slips.append(str(saying))
    assert not slips, f"say “{retired_row['instead']}”:\n" + "\n".join(slips)


def test_headings_are_in_sentence_case() -> None:
    """A heading has one capital, but for names and the game's own words."""
    slips = [
        str(saying) for saying in on_pages() if saying.element in HEADINGS and capitals(saying.text)
    ]
    assert not slips, "\n".join(slips)


def capitals(text: str) -> list[str]:
    """Return the words that are capitals where sentence case has none."""
    parts = re.split(r"[:.?!–(“]\s*|\s*/\s*", text)
    return [
        word
        for part in parts
        for word in re.findall(r"[\w’'-]+", part)[1:]
        if word[0].isupper() and word not in WORDS["capitals"]
    ]


def test_buttons_start_with_a_verb() -> None:
    """A button says what a press does: Save, Undo hand 5."""
    slips = [
        str(saying)
        for saying in on_pages()
        if saying.element == "button" and not says_what(saying.text)
    ]
    assert not slips, "\n".join(slips)


def says_what(text: str) -> bool:
    """Whether a button's words begin with a verb, or are what people answer."""
    first = re.match(rf"{VALUE}|[\w-]+", text)
    return (
        not re.search(r"[a-z]", text)
        or text in WORDS["buttons"]
        or (first is not None and first[0].lower() in {*VERBS, VALUE})
    )


def test_no_two_buttons_differ_in_their_number_alone() -> None:
    """A guide says “Review hand”: no other page has “Review hands” for it."""
    labels = [saying.text for saying in on_pages() if saying.element in {"button", "link"}]
    button_names = {re.split(":|,| of ", label)[0].strip() for label in labels}
    assert [label for label in button_names if f"{label}s" in button_names] == []


def test_no_ending_in_brackets() -> None:
    """Tongbox counts: “1 hand”, “2 hands”, never “hand(s)”."""
    assert not [str(saying) for saying in everywhere() if re.search(r"\w\((?:s|es)\)", saying.text)]


def test_apostrophes_are_curly() -> None:
    """As in print; the names of the engine's lines are sealed as they are."""
    slips = []
    for folder in ("clubs", "config", "tongbox", "tournaments"):
        for path in sorted((BASE / folder).rglob("*.py")):
            if {"migrations", "models", "models.py"} & {*path.parts}:
                continue
            tree = ast.parse(path.read_text(encoding="utf-8"))
            silent = set(map(id, unsaid(tree, has_published=False)))
            slips += [
                f"{path.relative_to(BASE)}, line {node.lineno}: {literal(node)}"
                for node in ast.walk(tree)
                if isinstance(node, ast.expr)
                and id(node) not in silent
                and re.search(r"[A-Za-z]'[a-z]|[a-z]s' ", literal(node))
            ]
    slips += [str(saying) for saying in on_pages() if re.search(r"[a-z]'s ", saying.text)]
    assert slips == []
