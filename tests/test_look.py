"""The look keeps its word: contrast, a picture for every tile, nothing that the policy forbids."""

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import RequestFactory
from reportlab.pdfgen.canvas import Canvas

from clubs.house.showcase import SampleForm, sample_seats, showcase_context
from clubs.language.words import TILE_NAMES
from clubs.models import MarkColour
from clubs.paper.fonts import draw_tiles, read_path
from clubs.table.rows import signed_points
from clubs.templatetags.look import tile_name, whole, wind_name

BASE: Path = settings.BASE_DIR
CSS = BASE / "static" / "css"
# Opened from a disc, with all it needs.
SAVED = BASE / "templates" / "clubs" / "privacy" / "file.html"
TEMPLATES = sorted(set((BASE / "templates").rglob("*.html")) - {SAVED})
SPRITE = (BASE / "static" / "tiles" / "sprite.svg").read_text(encoding="utf-8")
GROUNDS = ("paper", "surface", "sunken", "good", "bad", "warn", "calm")
TEXT_PAIRS = [
    *[(ink, ground) for ink in ("ink", "ink-soft") for ground in GROUNDS],
    *[("bamboo", ground) for ground in ("paper", "surface", "good")],
    *[("cinnabar", ground) for ground in ("paper", "surface", "bad")],
    ("on-bamboo", "bamboo"),
    ("on-cinnabar", "cinnabar"),
    ("on-baize", "baize"),
    ("on-baize", "baize-deep"),
    ("on-bone", "bone"),
    ("on-bone", "bone-edge"),
    ("bone", "bone-red"),
    ("on-focus", "focus"),
]
SCHEMES = ("light", "dark", "strong light", "strong dark")
LINE_PAIRS = [
    *[("line", ground) for ground in GROUNDS],
    ("bamboo", "sunken"),
    ("cinnabar", "sunken"),
    ("baize-line", "baize"),
    ("bone-edge", "baize"),
    ("focus", "on-focus"),
]


def tokens(scheme: str) -> dict[str, str]:
    """Return the colours of a scheme; strong contrast and the dark each replace part of it."""
    is_dark = "dark" in scheme
    strong = declared_colours("contrast.css", dark=is_dark) if "strong" in scheme else {}
    return declared_colours("tokens.css", dark=is_dark) | strong


def declared_colours(sheet: str, *, dark: bool) -> dict[str, str]:
    """Return the colours that a sheet declares, in the light or in the dark."""
    text = (CSS / sheet).read_text(encoding="utf-8")
    light, _, darker = text.partition("@media (prefers-color-scheme: dark)")
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light + darker * dark))


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb` as WCAG 2.2 defines it."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other_colour: str) -> float:
    """Return the contrast of two colours, 1 to 21."""
    dark, light = sorted((luminance(colour), luminance(other_colour)))
    return (light + 0.05) / (dark + 0.05)


def too_weak(pairs: list[tuple[str, str]], scheme: str, least: float) -> dict[str, float]:
    """Return the pairs that fall short, with what they reach."""
    colours = tokens(scheme)
    contrasts = {f"{a} on {b}": round(contrast(colours[a], colours[b]), 2) for a, b in pairs}
    return {pair: value for pair, value in contrasts.items() if value < least}


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_every_form_that_is_posted_carries_its_token(path: Path) -> None:
    forms = re.findall(r"<form[^>]*post.*?</form>", path.read_text(encoding="utf-8"), re.DOTALL)
    assert [form[:120] for form in forms if "{% csrf_token %}" not in form] == []


def test_black_on_white_is_the_strongest_contrast() -> None:
    assert contrast("#000000", "#ffffff") == 21


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_stands_out_seven_to_one(scheme: str) -> None:
    assert too_weak(TEXT_PAIRS, scheme, 7) == {}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_outlines_stand_out_three_to_one(scheme: str) -> None:
    assert too_weak(LINE_PAIRS, scheme, 3) == {}


@pytest.mark.parametrize("scheme", ["strong light", "strong dark"])
def test_strong_contrast_is_strong_for_letters_and_lines(scheme: str) -> None:
    plain = [("ink", ground) for ground in GROUNDS] + [("on-baize", "baize"), ("on-bone", "bone")]
    assert too_weak(plain, scheme, 13) == {}
    assert too_weak([("line", ground) for ground in GROUNDS], scheme, 7) == {}


def test_dark_is_not_light() -> None:
    assert tokens("dark")["paper"] != tokens("light")["paper"]


def test_pages_name_no_colour_that_is_not_a_token() -> None:
    colours_by_sheet = {
        sheet.name: re.findall(r"#[0-9a-f]{3,6}\b", sheet.read_text(encoding="utf-8"))
        for sheet in CSS.rglob("*.css")
        if sheet.name not in {"tokens.css", "contrast.css", "print.css", "projector.css"}
    }
    assert {name: colours for name, colours in colours_by_sheet.items() if colours} == {}


def test_every_style_file_stays_short() -> None:
    sheets = CSS.rglob("*.css")
    lengths = {sheet.name: sheet.read_text(encoding="utf-8").count("\n") for sheet in sheets}
    assert {name: lines for name, lines in lengths.items() if lines > 400} == {}


def test_all_forty_five_pictures_are_in_the_sprite() -> None:
    assert set(re.findall(r'<symbol id="t-(\w+)"', SPRITE)) == set(TILE_NAMES)
    assert len(TILE_NAMES) == 45


def test_every_wind_has_a_disc() -> None:
    assert re.findall(r'<symbol id="w-(\w)"', SPRITE) == ["E", "S", "W", "N"]


def test_sprite_stays_under_120_kilobytes() -> None:
    assert len(SPRITE.encode()) < 120_000


def test_a_mark_has_one_colour_on_every_page_and_printout() -> None:
    tokens = (CSS / "tokens.css").read_text(encoding="utf-8")
    rules = re.findall(
        r'(?::root|="(\w+)"\]) \{\n\s+--mark-face: (.+);\n\s+--mark-edge: (.+);', tokens
    )
    faces = {name or "red": {face, edge} for name, face, edge in rules}
    paper = json.loads((BASE / "static" / "tiles" / "paths.json").read_text(encoding="utf-8"))
    assert list(faces) == MarkColour.values
    for name, colours in faces.items():
        picture = (BASE / "static" / "img" / f"mark-{name}.svg").read_text(encoding="utf-8")
        fills = [fill for fill, *_ in paper["marks"][f"sign-{name}"]["paths"]]
        assert re.findall(r'fill="(.+?)"', picture) == fills
        assert colours == {fills[0], fills[1]}


@pytest.mark.parametrize("colour", MarkColour.values)
def test_the_mark_is_legible_in_every_colour(colour: str) -> None:
    picture = (BASE / "static" / "img" / f"mark-{colour}.svg").read_text(encoding="utf-8")
    _, face, _, _, disc, letter = re.findall(r'fill="(.+?)"', picture)
    assert contrast(letter, disc) > 6.5
    assert contrast(face, disc) > 4.5
    assert all(contrast(disc, tokens(scheme)["baize"]) > 7 for scheme in SCHEMES)


def test_sprite_needs_no_style_attribute() -> None:
    assert "style" not in SPRITE


def test_paper_has_the_same_tiles_as_the_screen() -> None:
    text = (BASE / "static" / "tiles" / "paths.json").read_text(encoding="utf-8")
    assert set(json.loads(text)["tiles"]) == set(TILE_NAMES)


def test_path_data_is_read_step_by_step() -> None:
    assert list(read_path("M1 2L3 -4.5Z")) == [("M", [1, 2]), ("L", [3, -4.5]), ("Z", [])]


def test_each_face_is_drawn_once_in_a_document(tmp_path: Path) -> None:
    hand = ["B1", "B1", "B1", "DR", "DR"]
    canvas = Canvas(str(tmp_path / "hand.pdf"), pageCompression=0)
    assert draw_tiles(canvas, hand, 50, 50, height=40, gap=2) == 5 * 30 + 4 * 2
    canvas.save()
    content = (tmp_path / "hand.pdf").read_bytes()
    assert content.count(b"/Subtype /Form") == 2
    assert content.count(b"Do") == 5


def test_an_unknown_tile_is_not_drawn(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        draw_tiles(Canvas(str(tmp_path / "none.pdf")), ["X9"], 0, 0, height=40)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_templates_carry_no_inline_style_or_script(template: Path) -> None:
    text = template.read_text(encoding="utf-8")
    assert re.findall(r"\sstyle\s*=|<style|<script(?![^>]*\bsrc=)[^>]*>|\son\w+\s*=", text) == []


@pytest.mark.parametrize(
    ("points", "text"), [(1120, "+1,120"), (-86, "−86"), (0, "0"), (-1298, "−1,298")]
)
def test_gains_carry_their_sign(points: int, text: str) -> None:
    assert signed_points(points) == text


def test_tiles_and_winds_are_called_by_name() -> None:
    assert [tile_name(code) for code in ("B1", "WW", "DW", "F2")] == [
        "1 of bamboos",
        "West wind",
        "white dragon",
        "flower 2, orchid",
    ]
    assert wind_name("N") == "North"


@pytest.mark.parametrize(
    ("codes", "label"),
    [
        ("B9 B9 B9", "pung of 9s of bamboos"),
        ("C1 C2 C3", "chow 1 2 3 of characters"),
        ("F2 S4", "flower 2, orchid; season 4, winter"),
        ("B1 WE DR", "1 of bamboos; East wind; red dragon"),
    ],
)
def test_tiles_that_lie_together_are_one_picture_with_one_name(codes: str, label: str) -> None:
    picture = render_to_string("parts/tile_group.html", {"group": tuple(codes.split())})
    assert f'role="img" aria-label="{label}"' in picture
    assert picture.count("<svg") == len(codes.split())


def test_a_typed_score_comes_back_as_it_was_typed() -> None:
    row = {"key": 1, "wind": "E", "name": "Margaret", "field": "score_E", "value": 1120}
    entry = render_to_string("parts/score_entry.html", {"rows": [row]})
    assert re.findall(r'name="score_E" value="([^"]*)"', entry) == ["1120"]


def test_the_square_table_says_who_is_east() -> None:
    table = render_to_string(
        "parts/square_table.html", {"seats": sample_seats(4), "prevailing": "S"}
    )
    seat_labels = re.findall(
        r'seat__word">(\w+)<|seat__name(?: seat__name--long)?">([^<]+)<', table
    )
    assert [wind or name for wind, name in seat_labels] == [
        "East", "Margaret Ashworth", "South", "Dilip Chaudhuri",
        "West", "Zoë Łukasiewicz", "North", "Ngaio Pettigrew-Jones",
    ]  # fmt: skip
    assert "Prevailing wind: South" in table


def test_the_style_page_shows_every_state() -> None:
    page = render_to_string("style_guide.html", showcase_context(), RequestFactory().get("/style/"))
    states = re.findall(r'class="tag tag--(\w+)"', page)
    assert set(states) == {
        "plain", "idle", "playing", "waiting", "trouble", "called", "quiet", "done",
    }  # fmt: skip


def test_a_wrong_field_points_to_its_error() -> None:
    form = SampleForm({"email": "margaret at home"})
    assert 'aria-invalid="true"' in str(form["email"])
    assert 'aria-describedby="id_email_error"' in str(form["email"])


STRIP = re.compile(r'<(\w+) [^>]*class="strip"[^>]*>.*?</\1>', re.DOTALL)
GIVES_UP = re.compile(r"{% url '[\w-]*-(?:delete|cancel|leave-out)'")


def test_no_bar_in_colour_offers_to_delete_or_give_up() -> None:
    """What is rarely wanted, and never by mistake, is the quietest thing on its page."""
    loud = {
        path.name: bar.group()
        for path in TEMPLATES
        for bar in STRIP.finditer(path.read_text(encoding="utf-8"))
        if GIVES_UP.search(bar.group())
    }
    assert loud == {}


def test_the_wall_stands_alone() -> None:
    page = render_to_string("base_projector.html")
    assert re.findall(r'<body class="(\w+)"', page) == ["wall"]
    assert "<nav" not in page


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "500"])
def test_a_page_that_fails_offers_a_way_on(name: str) -> None:
    page = render_to_string(f"{name}.html", request=RequestFactory().get("/"))
    assert 'href="/">Go to the home page</a>' in page


def test_mah_jong_is_never_broken_over_two_lines() -> None:
    assert whole("Zoë <b> went Mah-Jong") == (
        'Zoë &lt;b&gt; went <span class="whole">Mah-Jong</span>'
    )
