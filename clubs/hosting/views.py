"""Pages of a hosted address: start a club, terms, the operator's clubs, and a club's deletion."""

from typing import Any, Final

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.accounts.signin import sign_in, sign_in_new_account
from clubs.clubfile.services import import_club
from clubs.core import permissions
from clubs.core.access import (
    ClubRequest,
    allowed_when_closed,
    logs_as,
    operator_required,
    public_view,
    requires,
    sealed_link_view,
)
from clubs.core.forms import add_problems
from clubs.core.mail_limits import is_unreviewed_club as is_new_club
from clubs.core.pages import (
    SETTINGS_STEP,
    breadcrumbs,
    club_context,
    render_form,
    run_action,
    save_if_valid,
)
from clubs.hosting import forms, selectors
from clubs.hosting.services import deletion, founding
from clubs.hosting.texts import is_founding_open, text_of
from clubs.house.first_run import is_new_installation
from clubs.house.forms.club import ClubFileForm
from clubs.house.guides import parse_guide
from clubs.language.moments import long_date
from clubs.language.words import count_words
from clubs.models import Club, FoundingRequest, User
from clubs.seating.why import join_with_and
from scoring.scorebook.refusals import Refused

CLUBS_PER_PAGE: Final = 25
IS_SECRETARY_MESSAGE: Final = "You are its secretary."
NOT_SENT_MESSAGE: Final = (
    "We could not send the email just now, so nothing was saved. Try again soon."
)

OPERATOR_URL = "operator/"
OPERATOR_CLUB_URL = f"{OPERATOR_URL}clubs/<slug:club>/"


@public_view
def start_club(request: HttpRequest) -> HttpResponse:
    """Start a club: by an emailed link, or at once for someone who is signed in."""
    if not is_founding_open():
        raise Http404
    if is_new_installation():
        return redirect("set-up")
    if isinstance(request.user, User):
        return _start_another(request, request.user)
    form = forms.StartForm(request.POST or None)
    is_sent = save_if_valid(
        form, lambda: founding.request_club(**form.cleaned_data, sent_from=_network_of(request))
    )
    if is_sent:
        return redirect("start-sent")
    if is_sent is False:
        form.add_error(None, NOT_SENT_MESSAGE)
    return render_form(request, "clubs/hosting/start.html", {"form": form}, form)


def _start_another(request: HttpRequest, user: User) -> HttpResponse:
    form = forms.AnotherClubForm(request.POST or None)
    sent_from = _network_of(request)
    membership = save_if_valid(
        form, lambda: founding.found_another(user=user, sent_from=sent_from, **form.cleaned_data)
    )
    if membership:
        return _welcome(request, membership.club, IS_SECRETARY_MESSAGE)
    return render_form(request, "clubs/hosting/start_another.html", {"form": form}, form)


def _network_of(request: HttpRequest) -> str:
    return founding.network_of(get_adapter().get_client_ip(request))


@public_view
def start_sent(request: HttpRequest) -> HttpResponse:
    if not is_founding_open():
        raise Http404
    return render(request, "clubs/hosting/start_sent.html")


@sealed_link_view
@never_cache
def start_link(request: HttpRequest, key: str) -> HttpResponse:
    """The emailed link: its form founds the club. Opening it changes nothing."""
    try:
        application = founding.find_request(key)
    except Refused as refused:
        return _link_ended(request, refused)
    data = request.POST if request.method == "POST" else None
    form = forms.FoundClubForm(
        data, name=application.name, person=application.person, email=application.email
    )
    membership = None
    try:
        if data is None:
            founding.refuse_used_link(application)
        elif form.is_valid():
            membership = founding.found_by_link(key=key, **form.cleaned_data)
    except Refused as refused:
        if refused.problems[0].code == "used_link" and data is not None:
            return _sign_in_founder(request, application, data.get("password1", "")) or _link_ended(
                request, refused
            )
        if refused.problems[0].path == "key":
            return _link_ended(request, refused)
        add_problems(form, refused)
    if membership:
        sign_in_new_account(request, membership.user)
        return _welcome(request, membership.club, IS_SECRETARY_MESSAGE)
    context = {"form": form, "application": application, "key": key}
    return render_form(request, "clubs/hosting/found.html", context, form)


def _sign_in_founder(
    request: HttpRequest, application: FoundingRequest, password: str
) -> HttpResponse | None:
    """Sign in someone who pressed twice, as the sign-in page would; None for a wrong password."""
    try:
        return sign_in(
            request, email=application.email, password=password, redirect_url=reverse("home")
        )
    except ValidationError as too_many:
        messages.error(request, " ".join(too_many.messages))
        return redirect("account_login")


@sealed_link_view
@never_cache
def import_by_link(request: HttpRequest, key: str) -> HttpResponse:
    """The emailed link, for someone who brings their club from another Tongbox."""
    try:
        application = founding.find_request(key)
        founding.refuse_used_link(application)
    except Refused as refused:
        return _link_ended(request, refused)
    files = (request.POST or None, request.FILES or None)
    form = forms.ImportByLinkForm(*files, person=application.person, email=application.email)
    imported_club = save_if_valid(
        form, lambda: founding.import_by_link(key=key, **form.cleaned_data)
    )
    if imported_club:
        sign_in_new_account(request, User.objects.get(email=application.email))
        return _welcome(request, imported_club.club, imported_club.summary)
    return render_form(
        request, "clubs/house/bring.html", {"form": form, "application": application}, form
    )


@public_view
@login_required
def import_another(request: ClubRequest) -> HttpResponse:
    """Import a club of someone who is signed in, where clubs can be started."""
    if not is_founding_open():
        raise Http404
    form = forms.ImportAnotherForm(request.POST or None, request.FILES or None)
    user, sent_from = request.user, _network_of(request)
    imported_club = save_if_valid(
        form,
        lambda: founding.import_another(
            user=user, file=form.cleaned_data["file"], sent_from=sent_from
        ),
    )
    if imported_club:
        return _welcome(request, imported_club.club, imported_club.summary)
    return render_form(request, "clubs/house/bring.html", {"form": form}, form)


@operator_required
@reauthentication_required  # type: ignore[untyped-decorator]
def operator_import(request: ClubRequest) -> HttpResponse:
    """Import any club from its file; its secretaries are invited."""
    form = ClubFileForm(request.POST or None, request.FILES or None)
    imported_club = save_if_valid(form, lambda: import_club(user=request.user, **form.cleaned_data))
    if imported_club:
        messages.success(
            request, f"{imported_club.club.name} has been imported. {imported_club.summary}"
        )
        return redirect("operator-club", imported_club.club.slug)
    return render_form(request, "clubs/house/bring.html", {"form": form}, form)


def _link_ended(request: HttpRequest, refusal: Refused) -> HttpResponse:
    context = {"refused": refusal, "is_open": is_founding_open()}
    return render(request, "clubs/hosting/link_ended.html", context, status=410)


def _welcome(request: HttpRequest, club: Club, message: str) -> HttpResponse:
    messages.success(request, f"Welcome to {club.name}. {message}")
    return redirect("club", club.slug)


@public_view
def operator_text(request: HttpRequest, kind: str) -> HttpResponse:
    """The terms or the privacy notice; 404 until the operator has written it."""
    text = text_of(kind)
    if not text.is_ready:
        raise Http404
    context = {"guide": parse_guide(kind, text.body), "changed_at": text.changed_at}
    return render(request, "clubs/hosting/text.html", context)


@operator_required
def operator_clubs(request: HttpRequest) -> HttpResponse:
    """Every club of this installation, and whether people can start more."""
    form = forms.FindForm(request.GET or None)
    clubs = selectors.hosted_clubs(**form.filters)
    page = Paginator(clubs, CLUBS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page_obj": page,
        "clubs": selectors.as_hosted(page.object_list),
        "founding": selectors.founding_state(now=timezone.now()),
        "deleted": selectors.deleted_clubs(),
    }
    return render(request, "clubs/hosting/operator.html", context)


@operator_required
def operator_club(request: HttpRequest, club: str) -> HttpResponse:
    """A club's size and state, and what an operator can do with it."""
    return _club_page(request, _get_hosted(club))


@operator_required
@logs_as("people", "closed the club")
@reauthentication_required  # type: ignore[untyped-decorator]
@require_POST
def operator_close(request: HttpRequest, club: str) -> HttpResponse:
    """Close the club, or say otherwise why and until when."""
    target_club, form = _get_club(club), forms.CloseForm(request.POST)
    if not save_if_valid(form, lambda: deletion.close_club(club=target_club, **form.cleaned_data)):
        return _club_page(request, _get_hosted(club), close=form)
    messages.success(request, f"{target_club.name} is closed.")
    return redirect("operator-club", club)


@operator_required
@logs_as("people", "reopened the club")
@reauthentication_required  # type: ignore[untyped-decorator]
@require_POST
def operator_reopen(request: HttpRequest, club: str) -> HttpResponse:
    target_club = deletion.reopen_club(club=_get_club(club))
    messages.success(request, f"{target_club.name} is open.")
    return redirect("operator-club", club)


@operator_required
@logs_as("people", "changed how many emails the club can send")
@reauthentication_required  # type: ignore[untyped-decorator]
@require_POST
def operator_mails(request: HttpRequest, club: str) -> HttpResponse:
    """Say how many emails a day the club can send, once you have looked at it."""
    target_club, form = _get_club(club), forms.MailsForm(request.POST)
    if not save_if_valid(form, lambda: founding.allow_mails(club=target_club, **form.cleaned_data)):
        return _club_page(request, _get_hosted(club), mails=form)
    number = count_words(form.cleaned_data["a_day"], "email")
    messages.success(request, f"{target_club.name} can send {number} a day.")
    return redirect("operator-club", club)


@operator_required
@logs_as("people", "decided to delete the club")
@reauthentication_required  # type: ignore[untyped-decorator]
@require_POST
def operator_announce(request: HttpRequest, club: str) -> HttpResponse:
    """Have the club deleted on a day, and email its secretaries."""
    target_club = _get_club(club)
    form = forms.AnnounceForm(request.POST, first=timezone.localdate() + deletion.NOTICE_PERIOD)
    announced_club = save_if_valid(
        form,
        lambda: deletion.announce_deletion(
            club=target_club, is_by_operator=True, **form.cleaned_data
        ),
    )
    if not announced_club:
        return _club_page(request, _get_hosted(club), announce=form)
    _mail_secretaries(request, announced_club, "club_deletion")
    return redirect("operator-club", club)


@operator_required
@logs_as("people", "decided to keep the club")
@reauthentication_required  # type: ignore[untyped-decorator]
@require_POST
def operator_keep(request: HttpRequest, club: str) -> HttpResponse:
    target_club = _get_club(club)
    if target_club.delete_on:
        kept_club = deletion.cancel_deletion(club=target_club, is_by_operator=True)
        _mail_secretaries(request, kept_club, "club_kept")
    return redirect("operator-club", club)


def _get_club(slug: str) -> Club:
    return get_object_or_404(Club, slug=slug, rehearsal_of=None)


def _get_hosted(slug: str) -> selectors.HostedClub:
    rows = selectors.as_hosted(selectors.hosted_clubs().filter(slug=slug))
    if not rows:
        raise Http404
    return rows[0]


def _club_page(
    request: HttpRequest,
    hosted_club: selectors.HostedClub,
    *,
    close: forms.CloseForm | None = None,
    announce: forms.AnnounceForm | None = None,
    mails: forms.MailsForm | None = None,
) -> HttpResponse:
    club, first = hosted_club.club, timezone.localdate() + deletion.NOTICE_PERIOD
    now = {"because": club.closed_because, "until": club.closed_until}
    close = close or forms.CloseForm(initial=now)
    announce = announce or forms.AnnounceForm(first=first)
    crumbs = [{"label": "Clubs", "url": reverse("operator")}, {"label": club.name}]
    mails = mails or forms.MailsForm(initial={"a_day": club.mails_a_day})
    page_forms: dict[str, Any] = {"close": close, "announce": announce, "mails": mails}
    context = {
        "hosted": hosted_club,
        "is_new": is_new_club(club),
        "breadcrumbs": crumbs,
        **page_forms,
    }
    return render_form(request, "clubs/hosting/operator_club.html", context, *page_forms.values())


def _mail_secretaries(request: HttpRequest, club: Club, template: str) -> None:
    """Email the club's secretaries, and say what was done and who did not get it."""
    failed_addresses = deletion.mail_organisers(club=club, template=template)
    if club.delete_on:
        message = f"{club.name} will be deleted on {long_date(club.delete_on)}."
    else:
        message = f"{club.name} will not be deleted."
    if failed_addresses:
        messages.warning(
            request, f"{message} We could not email {join_with_and(failed_addresses)}. Tell them."
        )
    else:
        messages.success(request, f"{message} We have emailed its secretaries.")


@requires(permissions.MANAGE_CLUB, {"": "asked to delete the club", "keep": "kept the club"})
@allowed_when_closed
@reauthentication_required  # type: ignore[untyped-decorator]
def announce_deletion(request: ClubRequest, club: Club) -> HttpResponse:
    """Have the club deleted in 14 days, or change one's mind until then."""
    if club.rehearsal_of_id is not None:
        raise Http404
    if request.method == "POST" and request.POST.get("way") == "keep":
        if run_action(request, lambda: deletion.cancel_deletion(club=club)):
            _mail_secretaries(request, Club.objects.get(pk=club.pk), "club_kept")
        return redirect("club-delete", club.slug)
    form = forms.DeleteClubForm(club.name, request.POST if request.method == "POST" else None)
    deletion_day = timezone.localdate() + deletion.NOTICE_PERIOD
    announced_club = save_if_valid(
        form, lambda: deletion.announce_deletion(club=club, on=deletion_day)
    )
    if announced_club:
        _mail_secretaries(request, announced_club, "club_deletion")
        return redirect("club-delete", club.slug)
    crumbs = breadcrumbs(club, SETTINGS_STEP, title="Delete this club")
    context = club_context(club, "settings", form=form, day=deletion_day, breadcrumbs=crumbs)
    return render_form(request, "clubs/hosting/delete.html", context, form)


urlpatterns = [
    path("start/", start_club, name="start"),
    path("start/sent/", start_sent, name="start-sent"),
    path("start/link/<slug:key>/", start_link, name="start-link"),
    path("start/link/<slug:key>/bring/", import_by_link, name="start-link-bring"),
    path("start/bring/", import_another, name="start-bring"),
    path("terms/", operator_text, {"kind": "terms"}, name="terms"),
    path("privacy/", operator_text, {"kind": "privacy"}, name="privacy"),
    path(OPERATOR_URL, operator_clubs, name="operator"),
    path(f"{OPERATOR_URL}bring/", operator_import, name="operator-bring"),
    path(OPERATOR_CLUB_URL, operator_club, name="operator-club"),
    path(f"{OPERATOR_CLUB_URL}close/", operator_close, name="operator-close"),
    path(f"{OPERATOR_CLUB_URL}reopen/", operator_reopen, name="operator-reopen"),
    path(f"{OPERATOR_CLUB_URL}emails/", operator_mails, name="operator-mails"),
    path(f"{OPERATOR_CLUB_URL}delete/", operator_announce, name="operator-announce"),
    path(f"{OPERATOR_CLUB_URL}keep/", operator_keep, name="operator-keep"),
    path("c/<slug:club>/settings/delete/", announce_deletion, name="club-delete"),
]
