"""Sample people and hands that the style page shows every part of the look with."""

from datetime import UTC, datetime

from django import forms
from django.core.paginator import Paginator

from clubs.backup.archive import BackupNews
from clubs.language.words import TILE_NAMES

SAMPLE_NAMES = ("Margaret Ashworth", "Dilip Chaudhuri", "Zoë Łukasiewicz", "Ngaio Pettigrew-Jones")
SAMPLE_FIRST_NAMES = ("Margaret", "Dilip", "Zoë", "Ngaio", "Seán", "Agnes", "Harold", "Priya")
SAMPLE_GAINS = (1120, 264, -86, -1298)


class SampleForm(forms.Form):
    """One field of every kind."""

    name = forms.CharField(label="Name", help_text="As it should stand on the league table.")
    email = forms.EmailField(label="Email address", required=False)
    rules = forms.ChoiceField(
        label="Rules", choices=[("bmja", "British (BMJA)"), ("english", "English")]
    )
    evening = forms.ChoiceField(
        label="Club evening",
        choices=[("tue", "Tuesday"), ("thu", "Thursday")],
        widget=forms.RadioSelect,
    )
    visitors = forms.BooleanField(label="Visitors are welcome", required=False)
    note = forms.CharField(label="Note", required=False, widget=forms.Textarea)


def sample_seats(count: int) -> list[dict[str, object]]:
    """Return `count` seats of a square table, two to five, the fifth sitting out."""
    winds = "EW" if count == 2 else "ESWN"
    positions = (1, 3) if count == 2 else (1, 2, 3, 4, 5)
    names = (*SAMPLE_NAMES, "Seán Ó Briain")
    return [
        {"position": positions[i], "wind": winds[i : i + 1], "name": names[i]} for i in range(count)
    ]


def sample_standings() -> list[dict[str, object]]:
    """Return rows of a league table with a tie in it."""
    names = (*SAMPLE_NAMES, "Seán Ó Briain", "Agnes Dubois")
    gains = (2923, 2746, 2746, 86, 0, -1148)
    places = ("1", "2=", "2=", "4", "5", "6")
    return [
        {"place": place, "name": name, "points": 23 - index, "gain": gain, "me": index == 3}
        for index, (place, name, gain) in enumerate(zip(places, names, gains, strict=True))
    ]


def sample_score_rows() -> list[dict[str, object]]:
    """Return the rows of a score entry, the last with a mistake in it."""
    error = "37 cannot be scored under BMJA rules; 36 and 38 can."
    values = ("", "112", "16", "37")
    return [
        {
            "key": key,
            "wind": wind,
            "name": name,
            "field": f"score_{wind}",
            "value": value,
            "won": wind == "S",
            "error": error if wind == "N" else "",
        }
        for key, (wind, name, value) in enumerate(
            zip("ESWN", SAMPLE_NAMES, values, strict=True), start=1
        )
    ]


def sample_picker_rows() -> list[list[dict[str, object]]]:
    """Return the keys of the tile picker, row by row; four red dragons are used up."""
    rows = ("B", "C", "O", "WD", "FS")
    codes = [code for code in TILE_NAMES if code not in {"JK", "back", "blank"}]
    return [
        [{"code": code, "used_up": code == "DR"} for code in codes if code[0] in row]
        for row in rows
    ]


def showcase_context() -> dict[str, object]:
    lines = (
        ("Going Mah-Jong", "20"),
        ("Concealed pung of South winds", "8"),
        ("Exposed pung, 1 of bamboos", "4"),
        ("Pair of red dragons", "2"),
        ("Own flower", "4"),
        ("Pung of own wind, 1 double", "× 2"),
    )
    return {
        "nav_items": [
            {"label": label, "url": "#", "current": label == "Evenings"}
            for label in ("Evenings", "Players", "League", "Tournaments", "Rules")
        ],
        "breadcrumbs": [{"label": "Bath Mah-Jong Club", "url": "#"}, {"label": "Style"}],
        "backup": BackupNews(
            datetime(2026, 3, 7, 3, 12, tzinfo=UTC),
            "The last backup failed its test.",
            "There is no room left.",
        ),
        "form": SampleForm(),
        "wrong_form": SampleForm({"email": "margaret at home"}, auto_id="wrong_%s"),
        "tables": [sample_seats(4), sample_seats(3), sample_seats(2), sample_seats(5)],
        "standings": sample_standings(),
        "score_rows": sample_score_rows(),
        "payments": [
            {"payer": "Margaret", "payee": "Dilip", "points": 224},
            {"payer": "Zoë", "payee": "Dilip", "points": 112},
            {"payer": "Ngaio", "payee": "Zoë", "points": 12},
        ],
        "gains": [
            {"name": n, "points": p}
            for n, p in zip(SAMPLE_FIRST_NAMES[:4], SAMPLE_GAINS, strict=True)
        ],
        "lines": [{"name": name, "value": value} for name, value in lines],
        "picker_rows": sample_picker_rows(),
        "first_names": SAMPLE_FIRST_NAMES,
        "page_obj": Paginator(range(72), 24).page(2),
        "codes": list(TILE_NAMES),
        "states": [
            ("plain", "League night"),
            ("idle", "Not started"),
            ("playing", "Hand 7 of 16"),
            ("waiting", "Waiting for agreement"),
            ("trouble", "Disputed"),
            ("called", "Called 2 minutes ago"),
            ("quiet", "Silent for 20 minutes"),
            ("done", "Round finished"),
        ],
    }
