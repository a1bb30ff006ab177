"""Arabic and Hebrew words in the order and the shapes in which a line shows them.

ReportLab writes letters from left to right as they come. This is the part of Unicode's
bidirectional algorithm (UAX 9) that a name needs: words of those scripts within a line that runs
from left to right, without marks that embed. Arabic letters are joined by their presentation
forms, which the Unicode database lists as ``<initial> 0645``.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from itertools import groupby

RIGHT_TO_LEFT = frozenset({"R", "AL"})
NEUTRAL = frozenset({"WS", "ON", "CS", "ES", "ET", "NSM", "BN"})
FIGURES = frozenset({"EN", "AN"})
FORMS = (*range(0xFB50, 0xFDF2), *range(0xFE70, 0xFEFD))
MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
CLOSING = {")": "(", "]": "[", "}": "{", "»": "«"}
LAM_ALEF = re.compile("\u0644[\u0622\u0623\u0625\u0627]")


def is_right_to_left(words: str) -> bool:
    """Whether any letter runs from right to left."""
    return not words.isascii() and any(_kind(letter) in RIGHT_TO_LEFT for letter in words)


def visual(words: str) -> str:
    """The line as it is shown, its first letter at the left."""
    if not is_right_to_left(words):
        return words
    kinds = [_kind(letter) for letter in words]
    shown, at = "", 0
    while at < len(words):
        if kinds[at] not in RIGHT_TO_LEFT:
            shown += words[at]
            at += 1
            continue
        end = _end_of_run(kinds, at)
        if CLOSING.get(words[end : end + 1], "-") in words[at:end]:
            end += 1
        shown += _reversed(_joined(words[at:end]))
        at = end
    return shown


def _kind(letter: str) -> str:
    return unicodedata.bidirectional(letter)


def _end_of_run(kinds: list[str], start: int) -> int:
    """Behind the last letter from right to left before one from left to right, and its marks."""
    end = start
    for at in range(start, len(kinds)):
        if kinds[at] in RIGHT_TO_LEFT or (kinds[at] == "NSM" and at == end):
            end = at + 1
        elif kinds[at] not in NEUTRAL | FIGURES:
            break
    return end


def _reversed(words: str) -> str:
    """The run from its end, figures as they are read and marks behind their letter."""
    parts: list[str] = []
    for is_figure, group in groupby(words, lambda letter: _kind(letter) in FIGURES):
        letters = "".join(group)
        parts += [letters] if is_figure else _with_marks(letters)
    return "".join(reversed(parts))


def _with_marks(words: str) -> Iterator[str]:
    held = ""
    for letter in words:
        if held and not unicodedata.combining(letter):
            yield held.translate(MIRRORED)
            held = ""
        held += letter
    yield held.translate(MIRRORED)


@cache
def _presentation_forms() -> dict[str, dict[str, str]]:
    """Of each letter (or lam with alef) its shape: ``isolated``, ``initial`` ..."""
    forms: dict[str, dict[str, str]] = {}
    for code in FORMS:
        how, *letters = unicodedata.decomposition(chr(code)).split() or ["", ""]
        word = "".join(chr(int(letter, 16)) for letter in letters if letter)
        if how and (len(word) == 1 or LAM_ALEF.fullmatch(word)):
            forms.setdefault(word, {}).setdefault(how.strip("<>"), chr(code))
    return forms


def _joined(words: str) -> str:
    """Arabic letters in the shape that their neighbours give them."""
    forms = _presentation_forms()
    letters = list(_with_lam_alef(words))
    shapes: list[str] = []
    joins_before = False
    for at, letter in enumerate(letters):
        if unicodedata.combining(letter[0]):
            shapes.append(letter)
            continue
        form = forms.get(letter, {})
        after = next((one for one in letters[at + 1 :] if not unicodedata.combining(one[0])), "")
        joins_after = "initial" in form and "final" in forms.get(after, {})
        before = joins_before and "final" in form
        how = {
            (False, False): "isolated",
            (False, True): "initial",
            (True, False): "final",
            (True, True): "medial",
        }[before, joins_after]
        shapes.append(form.get(how, letter))
        joins_before = joins_after
    return "".join(shapes)


def _with_lam_alef(words: str) -> Iterator[str]:
    """Each letter, lam and the alef that follows as one."""
    at = 0
    while at < len(words):
        length = 2 if LAM_ALEF.match(words, at) else 1
        yield words[at : at + length]
        at += length
