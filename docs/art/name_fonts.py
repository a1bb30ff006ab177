"""Makes the faces that print names from everywhere, from unpacked `@fontsource` packages.

    name_fonts.py FOLDER    FOLDER holds noto-sans/, noto-sans-hebrew/, noto-sans-arabic/,
                            noto-sans-sc/, noto-sans-tc/ and noto-sans-kr/ with their `files/`

Writes `static/vendor/noto-sans/regular.ttf` and `bold.ttf` (Latin with Vietnamese, Greek,
Cyrillic, Hebrew, Arabic) and `static/vendor/noto-sans-cjk/medium.ttf` (Chinese in both scripts,
Japanese kana, the 2,350 Korean syllables of KS X 1001). Ligatures and kerning are left out:
nothing that prints here reads them.
"""

import io
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.reorderGlyphs import reorderGlyphs

VENDOR = Path(__file__).parents[2] / "static" / "vendor"
LATIN = ("latin", "latin-ext", "vietnamese", "greek", "greek-ext", "cyrillic", "cyrillic-ext")
WEIGHTS = {"regular": "400", "bold": "700"}
HANGUL = range(0xAC00, 0xD7A4)
MARKS = " -.,'·・、。「」（）()0123456789〇"


def western(source: Path, weight: str) -> Iterator[Path]:
    """The web fonts with the letters of Europe, Vietnam and the Near East."""
    for part in LATIN:
        yield source / "noto-sans" / "files" / f"noto-sans-{part}-{weight}-normal.woff2"
    for script in ("hebrew", "arabic"):
        folder = source / f"noto-sans-{script}" / "files"
        yield folder / f"noto-sans-{script}-{script}-{weight}-normal.woff2"


def eastern(source: Path) -> Iterator[Path]:
    """The web fonts of China, Taiwan and Korea, in this order, each in many parts."""
    for script in ("sc", "tc", "kr"):
        folder = source / f"noto-sans-{script}" / "files"
        yield from sorted(folder.glob(f"noto-sans-{script}-[0-9]*-500-normal.woff2"))


def is_printed(code: int, path: Path) -> bool:
    """Whether names are written with a character, and it is taken from that font.

    All of the Chinese font's own, of Taiwan's others only what is common there (Big5, level 1), of
    Korean syllables those of KS X 1001; nothing that is no letter.
    """
    letter = chr(code)
    if "noto-sans-kr" in path.name:
        return code in HANGUL and len(letter.encode("euc_kr", "ignore")) == 2
    if "noto-sans-tc" in path.name:
        return b"\xa4\x40" <= letter.encode("big5", "ignore") <= b"\xc6\x7e"
    if "noto-sans-sc" in path.name:
        return letter in MARKS or unicodedata.category(letter)[0] in "LM"
    return True


def stripped(path: Path, codes: set[int]) -> io.BytesIO:
    """Return those characters of a web font as plain TrueType without layout and hints."""
    options = Options(layout_features=[], hinting=False, glyph_names=False, notdef_outline=True)
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "BASE", "STAT", "vhea", "vmtx", "VORG"]
    font = TTFont(path)
    font.flavor = None
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)
    plain = io.BytesIO()
    font.save(plain)
    plain.seek(0)
    return plain


def merge(paths: Iterator[Path], target: Path) -> None:
    """Write one font with every character of the web fonts, each from the first that has it.

    Glyphs stand in the order of their characters, so that the character map stays small.
    """
    parts, known = [], set[int]()
    for path in paths:
        new = {code for code in TTFont(path).getBestCmap() if is_printed(code, path)} - known
        if new:
            parts.append(stripped(path, new))
            known |= new
    font = Merger().merge(parts)
    named = dict.fromkeys(glyph for _, glyph in sorted(font.getBestCmap().items()))
    others = [glyph for glyph in font.getGlyphOrder()[1:] if glyph not in named]
    reorderGlyphs(font, [".notdef", *named, *others])
    target.parent.mkdir(exist_ok=True)
    font.save(target)


def main() -> None:
    """Write the three files."""
    source = Path(sys.argv[1])
    for name, weight in WEIGHTS.items():
        merge(western(source, weight), VENDOR / "noto-sans" / f"{name}.ttf")
    merge(eastern(source), VENDOR / "noto-sans-cjk" / "medium.ttf")


if __name__ == "__main__":
    main()
