"""What templates say to people; `python -m tests.prose` prints how easily it reads."""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent
TEMPLATES = BASE / "templates"
LONG = 20  # words; a longer sentence is read twice
VALUE = "‹›"  # stands for what a page fills in

COMMENT = re.compile(r"{%\s*comment\b.*?{%\s*endcomment\s*%}|{#.*?#}", re.DOTALL)
INNERMOST = re.compile(
    r"{%\s*(if|for)\b(?:(?!%}).)*%}((?:(?!{%\s*(?:if|for|endif|endfor)\b).)*){%\s*end\1\s*%}",
    re.DOTALL,
)
OTHERWISE = re.compile(r"{%\s*(?:else|elif|empty)\b(?:(?!%}).)*%}", re.DOTALL)
PLURAL = re.compile(r"""{{(?:(?!}}).)*\|pluralize(?::["']([^"']*)["'])?\s*}}""", re.DOTALL)
INCLUDE = re.compile(r"{%\s*include\b((?:(?!%}).)*)%}", re.DOTALL)
ARGUMENT = re.compile(r'\b(title|text|label|caption|button|words|field_label|here)="([^"]*)"')
TAG = re.compile(r"{%(?:(?!%}).)*%}", re.DOTALL)
FILLED = re.compile(r"{{(?:(?!}}).)*}}", re.DOTALL)
SAID_BY_ATTRIBUTES = re.compile(r"aria-label|title|placeholder|alt|data-(?!shown|state)[a-z-]+")
INLINE = {"a", "abbr", "b", "bdi", "code", "em", "i", "kbd", "span", "strong", "sub", "time"}
VOID = {"br", "col", "hr", "img", "input", "link", "meta", "source", "use", "wbr"}
SILENT = {"script", "style", "svg", "pre"}
SENTENCE = re.compile(r"[^.!?…]+[.!?…]+(?=[”’)]?(?:\s|$))")
WORD = re.compile(rf"{VALUE}|[\w’'-]+")


@dataclass(frozen=True)
class Saying:
    """Some words of a template, and the element (or ``@attribute``) that carries them."""

    path: Path
    element: str
    text: str

    def __str__(self) -> str:
        """Return where the words are, and the words."""
        return f"{self.path.relative_to(BASE)}: <{self.element}> {self.text}"


class Reader(HTMLParser):
    """Collects the words of each block, button and speaking attribute of a page."""

    def __init__(self) -> None:
        """Start with nothing read."""
        super().__init__()
        self.blocks: list[tuple[str, str]] = []
        self._open = [("", "page")]
        self._pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """End the block before, unless this runs on within its line."""
        attributes = {name: value or "" for name, value in attrs}
        names = [name for name in attributes if SAID_BY_ATTRIBUTES.fullmatch(name)]
        self.blocks += [
            (f"@{name}", attributes[name])
            for name in names
            if " " in attributes[name] or "label" in name
        ]
        if tag in VOID:
            return
        classes = attributes.get("class", "").split()
        is_link = tag == "a" and "button" in classes
        is_line = any(name.endswith(("title", "sub")) for name in classes)
        if is_link or is_line or tag not in INLINE:
            self.end_block()
        self._open.append((tag, "link" if is_link else "line" if is_line else tag))

    def handle_endtag(self, tag: str) -> None:
        """End the block that this closes."""
        if tag in [open_tag for open_tag, _ in self._open]:
            while self._open[-1][0] != tag:
                self._open.pop()
            if self._open[-1][1] not in INLINE:
                self.end_block()
            self._open.pop()

    def handle_data(self, data: str) -> None:
        """Keep words that are shown."""
        if not SILENT & {tag for tag, _ in self._open}:
            self._pieces.append(data)

    def end_block(self) -> None:
        """Put the words so far down to the nearest element that is a block."""
        text = " ".join("".join(self._pieces).split())
        self._pieces.clear()
        if text:
            self.blocks.append(next((e, text) for _, e in reversed(self._open) if e not in INLINE))


def sayings(path: Path) -> Iterator[Saying]:
    """Yield everything that a template says, in each of its turns, every saying once."""
    source = COMMENT.sub("", path.read_text(encoding="utf-8"))
    element_texts: set[tuple[str, str]] = set()
    for turn in (0, 1, -1):
        text = source
        while choice := INNERMOST.search(text):
            turns = OTHERWISE.split(choice[2])
            branch = turns[min(turn, len(turns) - 1)]
            text = text[: choice.start()] + branch + text[choice.end() :]
        text = PLURAL.sub(lambda ending: (ending[1] or "s").split(",")[-1], text)
        for arguments in INCLUDE.findall(text):
            element_texts |= {(f"@{name}", phrase) for name, phrase in ARGUMENT.findall(arguments)}
        reader = Reader()
        reader.feed(FILLED.sub(VALUE, TAG.sub(" ", FILLED.sub(VALUE, text))))
        reader.end_block()
        element_texts |= set(reader.blocks)
    yield from (Saying(path, element, phrase) for element, phrase in sorted(element_texts))


def sentences(text: str) -> list[str]:
    """Return the whole sentences of a saying; a label or a heading has none."""
    return [part.strip() for part in SENTENCE.findall(text)]


def length(text: str) -> int:
    """Return how many words a sentence has; what is filled in counts as one."""
    return len(WORD.findall(text))


def main() -> None:
    """Print for each folder the share of long sentences, then the longest of all."""
    folders: dict[str, set[str]] = defaultdict(set)
    for path in sorted(TEMPLATES.rglob("*.html")) + sorted(TEMPLATES.rglob("*.txt")):
        folder = str(path.parent.relative_to(BASE))
        folders[folder] |= {part for saying in sayings(path) for part in sentences(saying.text)}
    all_texts = {text for folder in folders.values() for text in folder}
    print(f"{'sentences':>9} {f'over {LONG}':>8} {'share':>6} {'mean':>5}")
    for folder, lines in [*sorted(folders.items()), ("all templates", all_texts)]:
        lengths = [length(line) for line in lines] or [0]
        long_count = sum(count > LONG for count in lengths)
        share, mean = 100 * long_count / len(lengths), sum(lengths) / len(lengths)
        print(f"{len(lines):9} {long_count:8} {share:5.1f}% {mean:5.1f}  {folder}")
    for text in sorted(all_texts, key=length, reverse=True)[: int((sys.argv[1:] or ["10"])[0])]:
        print(f"{length(text):3}  {text}")


if __name__ == "__main__":
    main()
