"""What the pages share: their frame, breadcrumbs and tabs; handling a form and a button."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeVar

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from clubs.core import permissions
from clubs.core.access import ClubRequest
from clubs.core.forms import Overtaken, add_problems
from clubs.language.moments import long_date
from clubs.models import Club, Player, Season, Session, SessionState
from scoring.scorebook.refusals import Refused

Step = tuple[str, str]
Breadcrumbs = list[dict[str, str]]
SETTINGS_STEP = ("Settings", "settings")
Result = TypeVar("Result")


def club_context(club: Club, tab: str, **context: Any) -> dict[str, Any]:
    """The context of a page under a tab of the club (given by url name)."""
    return {"club": club, "club_url": reverse("club", args=[club.slug]), "tab": tab, **context}


def breadcrumbs(club: Club, *steps: Step, title: str) -> Breadcrumbs:
    """The breadcrumbs below a tab: each step's words and url name, and the current page."""
    crumbs = [{"label": label, "url": reverse(name, args=[club.slug])} for label, name in steps]
    return [*crumbs, {"label": title}]


def evening_breadcrumbs(club: Club, session: Session, *crumbs: dict[str, str]) -> Breadcrumbs:
    evening = reverse("evening", args=[club.slug, session.pk])
    return [
        {"label": "Evenings", "url": reverse("evenings", args=[club.slug])},
        {"label": long_date(session.held_on), "url": evening},
        *crumbs,
    ]


def season_breadcrumbs(club: Club, season: Season, *crumbs: dict[str, str]) -> Breadcrumbs:
    return [
        {"label": "League", "url": reverse("season-now", args=[club.slug])},
        {"label": str(season), "url": reverse("season", args=[club.slug, season.pk])},
        *crumbs,
    ]


def member_breadcrumbs(club: Club, player: Player, *, title: str) -> Breadcrumbs:
    return [
        {"label": "Members", "url": reverse("members", args=[club.slug])},
        {"label": player.name, "url": reverse("player", args=[club.slug, player.pk])},
        {"label": title},
    ]


class JobPage(NamedTuple):
    """The words and addresses on the page of a job, ``clubs/house/_job.html``.

    ``units`` are what its progress counts; empty: nothing that people would count.
    """

    url: str
    pdf: str
    return_url: str
    back_to: str
    product: str = "file"
    units: str = ""

    @property
    def creating(self) -> str:
        return f"Creating your {self.product}"


class Tab(NamedTuple):
    label: str
    url: str
    is_current: bool = False


class Page(NamedTuple):
    """A page of a section.

    ``name`` is the page's url name, ``leads_from`` that of the address which redirects to it if its
    own needs a day or a number. ``exists`` says whether the club has the page.
    """

    label: str
    name: str
    permission: permissions.Permission
    leads_from: str = ""
    exists: Callable[[Club], bool] = lambda club: True  # noqa: ARG005


Section = tuple[Page, ...]
EVENING_PAGES: Final[Section] = (
    Page("Evenings", "evenings", permissions.SEE_RESULTS),
    Page("Calendar", "calendar", permissions.SEE_CALENDAR),
    Page("Substitutes", "standby", permissions.RUN_EVENING, leads_from="substitutes"),
    Page("Table money", "money-year", permissions.RUN_EVENING, leads_from="money-now"),
)
LEAGUE_PAGES: Final[Section] = (
    Page("Table", "season", permissions.SEE_LEAGUE, leads_from="season-now"),
    Page("Special hands", "special-hands", permissions.SEE_RESULTS),
    Page("Ratings", "rating", permissions.SEE_LEAGUE, exists=lambda club: club.rates),
    Page("Seasons", "seasons", permissions.SEE_LEAGUE),
)
MEMBER_PAGES: Final[Section] = (
    Page("Members", "members", permissions.MANAGE_MEMBERS),
    Page("Subscriptions and guests", "members-due", permissions.MANAGE_MEMBERS),
    Page("Seating preferences", "wishes", permissions.MANAGE_WISHES),
)
DUPLICATES_PAGE: Final = Page("Possible duplicates", "members-twins", permissions.MANAGE_MEMBERS)
MESSAGE_PAGES: Final[Section] = (
    Page("New message", "messages", permissions.SEND_MESSAGES),
    Page("Outbox", "outbox", permissions.SEND_MESSAGES),
    Page("Sent messages", "messages-sent", permissions.SEND_MESSAGES),
)
SECTIONS: Final[dict[str, Section]] = {
    page.name: section
    for section in (EVENING_PAGES, LEAGUE_PAGES, MEMBER_PAGES, MESSAGE_PAGES)
    for page in section
} | {DUPLICATES_PAGE.name: MEMBER_PAGES}


def tabs_of_section(
    request: ClubRequest, club: Club, url_name: str, *, has_duplicates: bool = False
) -> list[Tab]:
    """The tabs for the page of that url name; none if the page is below another one."""
    pages = SECTIONS.get(url_name, ())
    if pages is MEMBER_PAGES and (has_duplicates or url_name == DUPLICATES_PAGE.name):
        pages += (DUPLICATES_PAGE,)
    return [
        Tab(
            page.label,
            reverse(page.leads_from or page.name, args=[club.slug]),
            page.name == url_name,
        )
        for page in pages
        if page.exists(club) and request.has_permission(page.permission)
    ]


def tabs_of_evening(request: ClubRequest, club: Club, session: Session, url_name: str) -> list[Tab]:
    url_args = [club.slug, session.pk]
    is_arriving = session.state == SessionState.ARRIVING
    label = (
        "Check in" if is_arriving and request.has_permission(permissions.RUN_EVENING) else "Tables"
    )
    tabs = [Tab(label, reverse("evening", args=url_args), url_name == "evening")]
    if not is_arriving:
        tabs.append(Tab("Result", reverse("result", args=url_args), url_name == "result"))
    if request.has_permission(permissions.PRINT_PAPERS):
        tabs.append(Tab("Print", reverse("papers", args=url_args), url_name == "papers"))
        tabs.append(Tab("Projector screen", reverse("wall", args=[session.wall_key])))
    return tabs


def save_if_valid(form: BaseForm, act: Callable[[], Result]) -> Result | None:
    """The result of ``act``; None if the form is invalid or the act was refused."""
    if form.is_valid():
        try:
            return act()
        except Refused as refused:
            add_problems(form, refused)
    return None


def run_action(
    request: HttpRequest, act: Callable[[], Result], message: str | Callable[[Result], str] = ""
) -> bool:
    """Do it, and show the message (of what ``act`` returns) or the refusal; whether it was done.

    Without a message, only a refusal is shown.
    """
    try:
        result = act()
    except Overtaken as overtaken:
        messages.info(request, str(overtaken))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        if text := message if isinstance(message, str) else message(result):
            messages.success(request, text)
        return True
    return False


def attachment(
    content: bytes | str, name: str, kind: str = "text/csv; charset=utf-8"
) -> HttpResponse:
    """A file to keep, under this name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=headers)


def render_form(
    request: HttpRequest, template: str, context: Mapping[str, Any], *forms: BaseForm
) -> HttpResponse:
    """The page; status 422 if one of its forms has errors."""
    status = 422 if any(form.errors for form in forms) else 200
    return render(request, template, context, status=status)
