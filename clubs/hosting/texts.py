"""The terms and the privacy notice, which the operator writes; whether clubs may be founded."""

from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from django.conf import settings

from clubs.core.mail import sends_email

FOUNDING_OPEN: Final = "open"
TEXT_TITLES: Final = {"terms": "Terms", "privacy": "Privacy notice"}
GAP_MARK: Final = "[FILL IN"  # what the operator has to write there, up to the next bracket
DRAFTS: Final = Path(__file__).with_name("drafts")


class OperatorText(NamedTuple):
    """A text as the operator wrote it; empty if there is none."""

    kind: str
    body: str = ""
    changed_at: datetime | None = None

    @property
    def title(self) -> str:
        return TEXT_TITLES[self.kind]

    @property
    def is_ready(self) -> bool:
        """Whether it is written, and no gap of the draft is left in it."""
        return bool(self.body.strip()) and GAP_MARK not in self.body


def path_of(kind: str) -> Path:
    """Where the operator writes the text of this kind."""
    return Path(settings.TEXTS) / f"{kind}.md"


def text_of(kind: str) -> OperatorText:
    """The text as it is now; it is read again only once the file has changed."""
    path = path_of(kind)
    try:
        return _read_text(kind, path, path.stat().st_mtime_ns)
    except OSError:
        return OperatorText(kind)


@lru_cache(maxsize=8)
def _read_text(kind: str, path: Path, modified_ns: int) -> OperatorText:
    body = path.read_text(encoding="utf-8", errors="replace")
    return OperatorText(kind, body, datetime.fromtimestamp(modified_ns / 1e9, tz=UTC))


def published_texts() -> list[OperatorText]:
    """The texts that are ready, for the foot of every page."""
    return [text for text in map(text_of, TEXT_TITLES) if text.is_ready]


def digest_of_texts() -> str:
    """Names the version that someone agrees to."""
    return sha256("\0".join(text_of(kind).body for kind in TEXT_TITLES).encode()).hexdigest()


def founding_faults() -> list[str]:
    """What keeps the installation from letting people start clubs, a sentence each."""
    sentences = [
        (bool(settings.SITE_ADDRESS), "Set TONGBOX_ADDRESS: links in emails need an address."),
        (sends_email(), "Set EMAIL_URL: Tongbox must be able to send email."),
        (
            not settings.DEFAULT_FROM_EMAIL.rstrip(">").endswith("@localhost"),
            "Set TONGBOX_FROM to an address that receives replies.",
        ),
        (
            bool(settings.OPERATORS),
            "Set TONGBOX_ADMINS: someone must be told when a limit is reached.",
        ),
    ]
    faults = [fault for is_fine, fault in sentences if not is_fine]
    for kind, title in TEXT_TITLES.items():
        text = text_of(kind)
        if not text.body.strip():
            faults.append(f"Write the {title.lower()}: {path_of(kind)} is missing or empty.")
        elif not text.is_ready:
            faults.append(f"Finish the {title.lower()}: “{GAP_MARK}” is still in {path_of(kind)}.")
    return faults


def is_founding_open() -> bool:
    """Whether anyone may start a club here: it is switched on, and nothing is missing."""
    return settings.FOUNDING == FOUNDING_OPEN and not founding_faults()
