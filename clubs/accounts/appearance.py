"""How Tongbox looks on this phone, stored in a cookie so that the first response can use it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse

COOKIE: Final = "looks"
A_YEAR: Final = 365 * 24 * 60 * 60  # seconds


class Choice(NamedTuple):
    value: str
    label: str
    note: str


class Setting(NamedTuple):
    """A setting of the appearance; its first choice is the default."""

    name: str
    question: str
    choices: tuple[Choice, ...]

    @property
    def usual(self) -> str:
        return self.choices[0].value


SETTINGS: Final = (
    Setting(
        "letters",
        "Text size",
        (
            Choice("ordinary", "Standard", "The usual size"),
            Choice("large", "Large", "125%"),
            Choice("largest", "Largest", "150%"),
        ),
    ),
    Setting(
        "contrast",
        "Contrast",
        (
            Choice("phone", "Same as this device", "Bone, bamboo green and red"),
            Choice("strong", "High contrast", "Black and white, thick lines"),
        ),
    ),
    Setting(
        "hand",
        "Left- or right-handed",
        (
            Choice("right", "The right hand", "Numbers and Undo on the right"),
            Choice("left", "The left hand", "Numbers and Undo on the left"),
        ),
    ),
)


class Looks(NamedTuple):
    """The choices on this device, by the setting's name; defaults are omitted."""

    chosen: Mapping[str, str]

    @property
    def is_strong(self) -> bool:
        """Whether to use strong contrast whatever the phone prefers."""
        return self.chosen.get("contrast") == "strong"

    def of(self, setting: Setting) -> str:
        return self.chosen.get(setting.name, setting.usual)

    @property
    def settings(self) -> list[tuple[Setting, str]]:
        return [(setting, self.of(setting)) for setting in SETTINGS]

    def choosing(self, fields: Mapping[str, str]) -> "Looks":
        """A copy with the choices of a form; any other field is ignored."""
        return _understood({setting.name: self.of(setting) for setting in SETTINGS} | dict(fields))

    def keep(self, answer: HttpResponse, *, secure: bool) -> None:
        """Store the choices in a cookie for a year."""
        answer.set_cookie(
            COOKIE,
            ".".join(f"{name}-{value}" for name, value in self.chosen.items()),
            max_age=A_YEAR,
            samesite="Lax",
            secure=secure,
            httponly=True,
        )


def looks_of(request: HttpRequest) -> Looks:
    """The choices on this device; anything else in the cookie is ignored."""
    pairs = (word.partition("-") for word in request.COOKIES.get(COOKIE, "").split("."))
    return _understood({name: value for name, _, value in pairs})


def _understood(fields: Mapping[str, str]) -> Looks:
    return Looks(
        {
            setting.name: choice.value
            for setting in SETTINGS
            for choice in setting.choices[1:]
            if fields.get(setting.name) == choice.value
        }
    )


def looks(request: HttpRequest) -> dict[str, Looks]:
    """Context processor: the appearance of the page."""
    return {"looks": looks_of(request)}
