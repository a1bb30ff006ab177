"""Names in narrow columns: by initials before they grow too small, and never cut off."""

from collections.abc import Iterator

from clubs.pdf.faces import width_of
from clubs.pdf.formats import SMALLEST
from clubs.pdf.page import fitted


def fitted_name(
    name: str, face: str, size: float, room: float, *, least: float = SMALLEST
) -> tuple[str, float]:
    """The fullest form of the name, and the size, that fit into ``room`` points.

    In letters of at least the size ``least``: with the first names by their initials, then the
    surname too.
    """
    forms = list(forms_of(name))
    for form in forms:
        if width_of(form, face, least) <= room:
            return fitted(form, face, size, room, least)
    return fitted(forms[-1], face, size, room, least)


def forms_of(name: str) -> Iterator[str]:
    """``Anne-Marie van Dyck``, ``A.-M. van Dyck``, ``Anne-Marie D.``, ``A.-M. D.``, ``A. D.``"""
    yield name
    if not any(letter.isupper() for letter in name):  # no initials: 王小明, محمد علي
        words = name.split()
        yield from (" ".join(words[:count]) for count in range(len(words) - 1, 0, -1))
        return
    first, *others = name.split() or [""]
    short = initials(first)
    if not others:
        yield short
        return
    last = others[-1]
    yield " ".join((short, *others))
    yield " ".join((short, last))
    yield f"{first} {initials(last)}"
    yield f"{short} {initials(last)}"
    yield f"{first[:1]}. {last[:1]}."


def initials(word: str) -> str:
    """``A.-M.`` of ``Anne-Marie``."""
    return "-".join(f"{part[:1]}." for part in word.split("-") if part)
