"""How Tongbox looks on this phone, stored in a cookie so that the first response can use it."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from django.http import HttpRequest, HttpResponse

APPEARANCE_COOKIE: Final = "looks"
YEAR_SECONDS: Final = 365 * 24 * 60 * 60  # seconds


class SettingChoice(NamedTuple):
    value: str
    label: str
    note: str


class Setting(NamedTuple):
    """A setting of the appearance; its first choice is the default."""

    name: str
    question: str
    choices: tuple[SettingChoice, ...]

    @property
    def usual(self) -> str:
        return self.choices[0].value


SETTINGS: Final = (
    Setting(
        "letters",
        "Text size",
        (
            SettingChoice("ordinary", "Standard", "The usual size"),
            SettingChoice("large", "Large", "125%"),
            SettingChoice("largest", "Largest", "150%"),
        ),
    ),
    Setting(
        "contrast",
        "Contrast",
        (
            SettingChoice("phone", "Same as this device", "Bone, bamboo green and red"),
            SettingChoice("strong", "High contrast", "Black and white, thick lines"),
        ),
    ),
    Setting(
        "hand",
        "Left- or right-handed",
        (
            SettingChoice("right", "The right hand", "Numbers and Undo on the right"),
            SettingChoice("left", "The left hand", "Numbers and Undo on the left"),
        ),
    ),
)


class Appearance(NamedTuple):
    """The choices on this device, by the setting's name; defaults are omitted."""

    choices: Mapping[str, str]

    @property
    def is_strong(self) -> bool:
        """Whether to use strong contrast whatever the phone prefers."""
        return self.choices.get("contrast") == "strong"

    def choice_for(self, setting: Setting) -> str:
        return self.choices.get(setting.name, setting.usual)

    @property
    def settings(self) -> list[tuple[Setting, str]]:
        return [(setting, self.choice_for(setting)) for setting in SETTINGS]

    def choosing(self, fields: Mapping[str, str]) -> "Appearance":
        """A copy with the choices of a form; any other field is ignored."""
        return _known_choices(
            {setting.name: self.choice_for(setting) for setting in SETTINGS} | dict(fields)
        )

    def keep(self, answer: HttpResponse, *, secure: bool) -> None:
        """Store the choices in a cookie for a year."""
        answer.set_cookie(
            APPEARANCE_COOKIE,
            ".".join(f"{name}-{value}" for name, value in self.choices.items()),
            max_age=YEAR_SECONDS,
            samesite="Lax",
            secure=secure,
            httponly=True,
        )


def appearance_of(request: HttpRequest) -> Appearance:
    """The choices on this device; anything else in the cookie is ignored."""
    pairs = (word.partition("-") for word in request.COOKIES.get(APPEARANCE_COOKIE, "").split("."))
    return _known_choices({name: value for name, _, value in pairs})


def _known_choices(fields: Mapping[str, str]) -> Appearance:
    return Appearance(
        {
            setting.name: choice.value
            for setting in SETTINGS
            for choice in setting.choices[1:]
            if fields.get(setting.name) == choice.value
        }
    )


def appearance_context(request: HttpRequest) -> dict[str, Appearance]:
    """Context processor: the appearance of the page."""
    return {"looks": appearance_of(request)}
