"""Makes the TrueType files that printed sheets use from the web fonts in `static/vendor/`."""

import io
from pathlib import Path

from fontTools.merge import Merger
from fontTools.ttLib import TTFont

VENDOR = Path(__file__).parents[2] / "static" / "vendor"
FONTS = {
    "atkinson-hyperlegible-next": {"400": "regular", "700": "bold"},
    "young-serif": {"400": "regular"},
}


def unpacked(path: Path) -> io.BytesIO:
    """Return a web font as plain TrueType, ready to be merged."""
    font = TTFont(path)
    font.flavor = None
    if "STAT" in font:
        del font["STAT"]
    plain = io.BytesIO()
    font.save(plain)
    plain.seek(0)
    return plain


def tabular_glyphs(font: TTFont) -> dict[str, str]:
    """Map each figure's glyph to the one of common width (feature `tnum`)."""
    table = font["GSUB"].table
    lookups = [
        table.LookupList.Lookup[index]
        for record in table.FeatureList.FeatureRecord
        if record.FeatureTag == "tnum"
        for index in record.Feature.LookupListIndex
    ]
    mapping: dict[str, str] = {}
    for lookup in lookups:
        for sub in lookup.SubTable:
            mapping.update(getattr(sub, "ExtSubTable", sub).mapping)
    return mapping


def with_tabular_figures(font: TTFont) -> None:
    """Point the digits of every character map at the figures of common width."""
    tabular = tabular_glyphs(font)
    for table in font["cmap"].tables:
        for code, glyph in table.cmap.items():
            table.cmap[code] = tabular.get(glyph, glyph) if chr(code).isdigit() else glyph


def merge(folder: Path, weight: str, name: str) -> None:
    """Write `NAME.ttf` holding the Latin and extended Latin letters of one weight."""
    parts = [folder / f"latin-{weight}.woff2", folder / f"latin-ext-{weight}.woff2"]
    font = Merger().merge([unpacked(part) for part in parts])
    with_tabular_figures(font)
    font.save(folder / f"{name}.ttf")


def main() -> None:
    """Write every file that `FONTS` names."""
    for folder, weights in FONTS.items():
        for weight, name in weights.items():
            merge(VENDOR / folder, weight, name)


if __name__ == "__main__":
    main()
