"""Fonts, text that runs from right to left, and tiles."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, Final
from unicodedata import bidirectional

from django.conf import settings
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

RIGHT_TO_LEFT_CLASSES = frozenset({"R", "AL"})
NEUTRAL_CLASSES = frozenset({"WS", "ON", "CS", "ES", "ET", "NSM", "BN"})
FIGURE_CLASSES = frozenset({"EN", "AN"})
# Which form of a sign is meant.
VARIATION_SELECTOR = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
PRESENTATION_CODES = (*range(0xFB50, 0xFDF2), *range(0xFE70, 0xFEFD))
MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")
OPENING_BRACKETS = {")": "(", "]": "[", "}": "{", "»": "«"}
LAM_ALEF = re.compile("\u0644[\u0622\u0623\u0625\u0627]")
# Lam and the alef that follows as one.
ARABIC_LETTER = re.compile(f"{LAM_ALEF.pattern}|.", re.DOTALL)

TEXT_FACE, BOLD_FACE, DISPLAY_FACE = "Tongbox", "Tongbox-Bold", "Tongbox-Display"
WORLD_FACE, WORLD_BOLD_FACE, EAST_FACE = "Tongbox-World", "Tongbox-World-Bold", "Tongbox-East"
FONT_FILES: Final = {
    TEXT_FACE: "atkinson-hyperlegible-next/regular.ttf",
    BOLD_FACE: "atkinson-hyperlegible-next/bold.ttf",
    DISPLAY_FACE: "young-serif/regular.ttf",
    WORLD_FACE: "noto-sans/regular.ttf",
    WORLD_BOLD_FACE: "noto-sans/bold.ttf",
    EAST_FACE: "noto-sans-cjk/medium.ttf",
}
# A word is set in the first that has all its letters.
FALLBACK_FACES: Final = {
    TEXT_FACE: (TEXT_FACE, WORLD_FACE, EAST_FACE),
    BOLD_FACE: (BOLD_FACE, WORLD_BOLD_FACE, EAST_FACE),
    DISPLAY_FACE: (DISPLAY_FACE, WORLD_BOLD_FACE, EAST_FACE),
}
MISSING_LETTER: Final = "?"
FaceRun = tuple[str, str]
MIN_PIECE_LENGTH = 3  # letters
LIGHT_THRESHOLD = 0.68
PaintedPath = tuple[str | None, str | None, float, str]


def visual_order(text: str) -> str:
    """The line as it is shown, its first letter at the left."""
    if text.isascii() or not any(bidirectional(letter) in RIGHT_TO_LEFT_CLASSES for letter in text):
        return text
    kinds = [bidirectional(letter) for letter in text]
    result, index = "", 0
    while index < len(text):
        if kinds[index] not in RIGHT_TO_LEFT_CLASSES:
            result += text[index]
            index += 1
            continue
        end = _end_of_run(kinds, index)
        if OPENING_BRACKETS.get(text[end : end + 1], "-") in text[index:end]:
            end += 1
        result += _reverse_run(_join_arabic(text[index:end]))
        index = end
    return result


def _end_of_run(kinds: list[str], start: int) -> int:
    """Behind the last letter from right to left before one from left to right, and its marks."""
    end = start
    for index in range(start, len(kinds)):
        if kinds[index] in RIGHT_TO_LEFT_CLASSES or (kinds[index] == "NSM" and index == end):
            end = index + 1
        elif kinds[index] not in NEUTRAL_CLASSES | FIGURE_CLASSES:
            break
    return end


def _reverse_run(text: str) -> str:
    """The run reversed, with figures as they are read and marks behind their letter."""
    parts: list[str] = []
    for is_figure, group in groupby(text, lambda letter: bidirectional(letter) in FIGURE_CLASSES):
        letters = "".join(group)
        parts += [letters] if is_figure else _split_with_marks(letters)
    return "".join(reversed(parts))


def _split_with_marks(text: str) -> Iterator[str]:
    current = ""
    for letter in text:
        if current and not unicodedata.combining(letter):
            yield current.translate(MIRRORED)
            current = ""
        current += letter
    yield current.translate(MIRRORED)


@cache
def _presentation_forms() -> dict[str, dict[str, str]]:
    """Of each letter (or lam with alef) its shape: ``isolated``, ``initial`` ..."""
    forms: dict[str, dict[str, str]] = {}
    for code in PRESENTATION_CODES:
        shape_tag, *letters = unicodedata.decomposition(chr(code)).split() or ["", ""]
        word = "".join(chr(int(letter, 16)) for letter in letters if letter)
        if shape_tag and (len(word) == 1 or LAM_ALEF.fullmatch(word)):
            forms.setdefault(word, {}).setdefault(shape_tag.strip("<>"), chr(code))
    return forms


def _join_arabic(text: str) -> str:
    """Arabic letters in the shape that their neighbours give them."""
    forms = _presentation_forms()
    letters = ARABIC_LETTER.findall(text)
    shapes: list[str] = []
    joins_before = False
    for index, letter in enumerate(letters):
        if unicodedata.combining(letter[0]):
            shapes.append(letter)
            continue
        form = forms.get(letter, {})
        next_letter = next(
            (letter for letter in letters[index + 1 :] if not unicodedata.combining(letter[0])), ""
        )
        joins_after = "initial" in form and "final" in forms.get(next_letter, {})
        is_joined = joins_before and "final" in form
        shape_name = {
            (False, False): "isolated",
            (False, True): "initial",
            (True, False): "final",
            (True, True): "medial",
        }[is_joined, joins_after]
        shapes.append(form.get(shape_name, letter))
        joins_before = joins_after
    return "".join(shapes)


@cache
def load_face(name: str) -> Any:
    """ReportLab's font of that name; its file is read when it is first needed in a process."""
    font = TTFont(name, settings.BASE_DIR / "static" / "vendor" / FONT_FILES[name], shapable=False)
    registerFont(font)
    return font


def load_letters() -> None:
    """Load the faces of all papers into ReportLab; the others are loaded when a name needs them."""
    for name in FALLBACK_FACES:
        load_face(name)


@cache
def code_points_of(name: str) -> frozenset[int]:
    """The code points that a face has a glyph for."""
    return frozenset(load_face(name).face.charToGlyph)


def _has_letters(name: str, text: str) -> bool:
    return code_points_of(name).issuperset(map(ord, text))


@lru_cache(maxsize=8192)
def face_runs(text: str, face: str) -> tuple[FaceRun, ...]:
    """The words as they are drawn from left to right, each part with the face that has it.

    A picture that no face has is left out; a letter becomes a question mark.
    """
    printable_text = _printable_text(text)
    common_face = next(
        (name for name in FALLBACK_FACES[face][:2] if _has_letters(name, printable_text)), None
    )
    if common_face:
        return ((printable_text, common_face),)
    parts: list[FaceRun] = []
    for word in printable_text.split(" "):
        runs = _word_runs(word, face)
        if parts and runs:  # a space belongs to the word before it
            parts.append((" ", parts[-1][1]))
        parts += runs
    return tuple(
        ("".join(part for part, _ in run_group), name)
        for name, run_group in groupby(parts, lambda run: run[1])
    ) or ((MISSING_LETTER, face),)


def _printable_text(text: str) -> str:
    """Composed letters in the order of the line, without invisible marks."""
    ordered_text = visual_order(unicodedata.normalize("NFC", text))
    if ordered_text.isascii():
        return ordered_text
    return "".join(letter for letter in ordered_text if unicodedata.category(letter) != "Cf")


def _word_runs(word: str, face: str) -> list[FaceRun]:
    common_face = next((name for name in FALLBACK_FACES[face] if _has_letters(name, word)), None)
    if common_face:
        return [(word, common_face)]
    runs: list[FaceRun] = []
    for letter in word:
        name = next(
            (name for name in FALLBACK_FACES[face] if ord(letter) in code_points_of(name)), None
        )
        if name:
            runs.append((letter, name))
        elif unicodedata.category(letter)[0] in "LN":
            runs.append((MISSING_LETTER, face))
    return runs


def unprintable_letters(text: str) -> str:
    """The letters, marks and pictures of a name that no face has, each once; usually none.

    A mark is told with the letter that it stands on: ``M̧``.
    """
    printable_text = _printable_text(text)
    missing = (
        f"{previous_letter}{letter}" if unicodedata.combining(letter) else letter
        for previous_letter, letter in zip(f" {printable_text}", printable_text, strict=False)
        if not any(ord(letter) in code_points_of(name) for name in FALLBACK_FACES[TEXT_FACE])
        and unicodedata.category(letter) not in {"Cc", "Zs"}
        and not VARIATION_SELECTOR.fullmatch(letter)
    )
    return "".join(dict.fromkeys(missing))


@lru_cache(maxsize=8192)
def _width_of_one_point(text: str, face: str) -> float:
    for name in {name for _, name in face_runs(text, face)}:
        load_face(name)
    return sum(float(stringWidth(part, name, 1000)) for part, name in face_runs(text, face)) / 1000


def width_of(text: str, face: str, size: float) -> float:
    """How many points the words take at this size."""
    return _width_of_one_point(text, face) * size


def break_lines(text: str, face: str, size: float, room: float) -> list[str]:
    """The words broken into lines no wider than ``room`` points, within a word only if it must."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if width_of(longer, face, size) <= room:
                line = longer
                continue
            lines += [line] if line else []
            *full_lines, line = _break_word(word, face, size, room)
            lines += full_lines
        lines.append(line)
    return [line for line in lines if line]


def _break_word(word: str, face: str, size: float, room: float) -> list[str]:
    """A word in pieces that fit: broken after a hyphen if there is one, else at any letter.

    Of a long word no end of one or two letters is left over.
    """
    if width_of(word, face, size) <= room:
        return [word]
    most = next(
        (
            length
            for length in range(len(word), 1, -1)
            if width_of(word[:length], face, size) <= room
        ),
        1,
    )
    hyphen = word.rfind("-", 0, most) + 1
    is_long = len(word) > 2 * MIN_PIECE_LENGTH
    break_index = hyphen or (min(most, len(word) - MIN_PIECE_LENGTH) if is_long else most)
    return (
        [word[:break_index], *_break_word(word[break_index:], face, size, room)]
        if word[break_index:]
        else [word]
    )


@cache
def tile_paths() -> dict[str, Any]:
    """Return the box of a tile (`width`, `height`), its painted paths by code, lowest first.

    `marks` holds the square ones by name: the wind discs `w-E` to `w-N` and the `sign` of Tongbox.
    """
    text = (settings.BASE_DIR / "static" / "tiles" / "paths.json").read_text(encoding="utf-8")
    box: dict[str, Any] = json.loads(text)
    return box


def draw_tile(
    canvas: Canvas, code: str, x: float, y: float, height: float, *, is_black: bool = False
) -> float:
    """Draw a tile with its lower left corner at (x, y); all in points.

    Returns the width it takes. A code that names no tile raises KeyError. ``is_black`` draws it
    without colours: what is dark in black, what is light in white.
    """
    box = tile_paths()
    name = f"tile-{code}{'-black' * is_black}"
    if not canvas.hasForm(name):
        painted_paths = _in_black(box["tiles"][code], is_black=is_black)
        _define_form(canvas, name, painted_paths, box["width"], box["height"])
    scale = height / float(box["height"])
    _place_form(canvas, name, x, y, scale)
    return scale * float(box["width"])


def draw_mark(
    canvas: Canvas, name: str, x: float, y: float, side: float, *, is_black: bool = False
) -> float:
    """Draw a square mark (`w-E`, `sign-red`) its lower left corner at (x, y); returns the side.

    A name that is no mark raises KeyError.
    """
    mark = tile_paths()["marks"][name]
    form = f"{name}{'-black' * is_black}"
    if not canvas.hasForm(form):
        painted_paths = _in_black(mark["paths"], is_black=is_black)
        _define_form(canvas, form, painted_paths, mark["size"], mark["size"])
    _place_form(canvas, form, x, y, side / float(mark["size"]))
    return side


def _place_form(canvas: Canvas, name: str, x: float, y: float, scale: float) -> None:
    canvas.saveState()
    canvas.translate(x, y)
    canvas.scale(scale, scale)
    canvas.doForm(name)
    canvas.restoreState()


def draw_tiles(
    canvas: Canvas,
    codes: Iterable[str],
    x: float,
    y: float,
    height: float,
    gap: float = 1,
    *,
    is_black: bool = False,
) -> float:
    """Draw tiles side by side from (x, y), `gap` points apart; returns the width they take."""
    start = x
    for code in codes:
        x += draw_tile(canvas, code, x, y, height, is_black=is_black) + gap
    return max(0.0, x - gap - start)


def _in_black(painted_paths: Iterable[PaintedPath], *, is_black: bool) -> Iterable[PaintedPath]:
    if not is_black:
        return painted_paths
    return [
        (_black_or_white(fill), _black_or_white(stroke), line, data)
        for fill, stroke, line, data in painted_paths
    ]


def _black_or_white(colour: str | None) -> str | None:
    """Black for a dark colour, white for a light one, by how bright it looks (BT.709)."""
    if colour is None:
        return None
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return (
        "#000000" if 0.2126 * red + 0.7152 * green + 0.0722 * blue < LIGHT_THRESHOLD else "#ffffff"
    )


def _define_form(
    canvas: Canvas, name: str, painted_paths: Iterable[PaintedPath], width: float, height: float
) -> None:
    canvas.beginForm(name, 0, 0, width, height)
    for fill, stroke, line, data in painted_paths:
        if fill:
            canvas.setFillColor(fill)
        if stroke:
            canvas.setStrokeColor(stroke)
            canvas.setLineWidth(line)
            canvas.setLineCap(1)
        path = canvas.beginPath()
        draw: dict[str, Callable[..., None]] = {
            "M": path.moveTo,
            "L": path.lineTo,
            "C": path.curveTo,
        }
        for op, points in read_path(data):
            if op == "Z":
                path.close()
            else:
                draw[op](*(height - v if index % 2 else v for index, v in enumerate(points)))
        canvas.drawPath(path, stroke=int(bool(stroke)), fill=int(bool(fill)), fillMode=1)
    canvas.endForm()


def read_path(data: str) -> Iterable[tuple[str, list[float]]]:
    """Read path data of M, L, C and Z into its steps: `M1 2L3 4Z` is M [1, 2], L [3, 4], Z []."""
    for part in data.translate({ord(op): f"|{op}" for op in "MLCZ"}).split("|")[1:]:
        yield part[0], [float(word) for word in part[1:].split()]
