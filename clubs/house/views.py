"""The front page, settings, house rules, guides, jobs, practice."""

import json
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import path, reverse
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.accounts.services import clubs_of
from clubs.accounts.signin import sign_in, sign_in_new_account
from clubs.backup.archive import backup_news
from clubs.core import permissions
from clubs.core.access import ClubRequest, public_view, requires, visitor_request
from clubs.core.addresses import (
    chosen_address,
    is_nearby,
    is_reachable_by_phones,
    own_ip_addresses,
    phone_addresses,
    site_address,
)
from clubs.core.forms import Event, save_unless_overtaken
from clubs.core.locks import lock_club
from clubs.core.mail import sender_for
from clubs.core.pages import (
    SETTINGS_STEP,
    JobPage,
    breadcrumbs,
    club_context,
    render_form,
    run_action,
    save_if_valid,
)
from clubs.core.queue import CLUB_FILE, UNFINISHED_STATES
from clubs.core.replica import reads_from_replica
from clubs.house import selectors, services, web_app
from clubs.house.first_run import (
    first_steps,
    founder_sentence,
    is_new_installation,
    only_club,
    recent_founder,
)
from clubs.house.forms import club as club_forms
from clubs.house.forms.house_rules import HouseRulesForm
from clubs.house.forms.house_text import HouseLinesForm, parse_rules_text, rules_as_text
from clubs.house.guides import GLOSSARY, GUIDE_NAMES, all_guides, leaflets, read_guide
from clubs.house.mail_checks import Verdict
from clubs.language.words import whole_number
from clubs.league import services as league_services
from clubs.league.selectors import records
from clubs.models import Club, HouseRules, Session, User
from clubs.paper.response import pdf_response
from clubs.table.forms.rules import ClubRulesForm, initial_rules
from clubs.table.selectors.rules import compare_with_book, house_rules_of
from scoring import UnknownRuleSet, house, rule_set_keys
from scoring.scorebook.editions import declaration_of, rule_set
from scoring.scorebook.refusals import Refused

RULES_STEP = ("Club rules", "club-rules")
FIRST_BOOK = rule_set_keys()[0]
SETTINGS_JOB_PAGE: Final = ("settings", SETTINGS_STEP, "Back to settings")
LEAGUE_JOB_PAGE: Final = ("seasons", ("League", "seasons"), "Back to the league")
CLUB_URL = "c/<slug:club>/"
SETTINGS_URL = f"{CLUB_URL}settings/"
HOUSE_RULES_URL = f"{SETTINGS_URL}house-rules/"
PRACTICE_URL = f"{CLUB_URL}practice/"


@public_view
def home(request: HttpRequest) -> HttpResponse:
    """The club, if it is the only one here or theirs; a choice of several; else what Tongbox is.

    Without any club yet, it leads to the page that sets one up.
    """
    clubs = clubs_of(request.user)
    if len(clubs) == 1:
        return redirect("club", club=clubs[0].slug)
    if not clubs and is_new_installation():
        return redirect("set-up")
    if not request.user.is_authenticated and (only := only_club()):
        return redirect("club", only.slug)
    page = "choose" if request.user.is_authenticated else "welcome"
    return render(request, f"clubs/house/{page}.html", {"clubs": clubs})


@public_view
@never_cache
def set_up(request: HttpRequest) -> HttpResponse:
    """Found the first club of this installation and sign its secretary in; 404 once there is one.

    Within an hour of that, someone who had the page open reads who was first.
    """
    if not is_new_installation() and not (
        request.method == "POST" and recent_founder(now=timezone.now())
    ):
        raise Http404
    fixed, addresses = settings.SITE_ADDRESS, phone_addresses(request)
    form = club_forms.SetUpForm(
        request.POST or None,
        asks_code=not is_nearby(request),
        asks_address=not fixed,
        address=next(iter(addresses), ""),
    )
    membership = save_if_valid(form, lambda: services.set_up(**form.cleaned_data))
    if membership:
        sign_in_new_account(request, membership.user)
        messages.success(request, f"Welcome to {membership.club.name}. You are its secretary.")
        return redirect("club", membership.club.slug)
    if is_new_installation():
        context = {
            "form": form,
            "fixed": fixed,
            "addresses": [fixed] if fixed else addresses,
            "in_container": settings.IN_CONTAINER,
            "is_on_network": bool(own_ip_addresses()),
        }
        return render_form(request, "clubs/house/set_up.html", context, form)
    if "code" in form.errors:
        raise Http404
    return _sign_in_founder(request, form.cleaned_data)


def _sign_in_founder(request: HttpRequest, data: Mapping[str, Any]) -> HttpResponse:
    """Sign in the founder who pressed twice; anyone else reads who was first."""
    founder = recent_founder(now=timezone.now())
    email, password = data.get("email", ""), data.get("password", "")
    if founder and password and founder.user.email == email.lower():
        club = reverse("club", args=[founder.club.slug])
        try:
            answer = sign_in(request, email=email, password=password, redirect_url=club)
        except ValidationError as too_many:
            messages.error(request, " ".join(too_many.messages))
            return redirect("account_login")
        if answer:
            return answer
    messages.info(request, founder_sentence(founder))
    return redirect("account_login")


@public_view
@never_cache
def import_first_club(request: HttpRequest) -> HttpResponse:
    """Import the first club of this installation from its file; 404 once there is one."""
    if not is_new_installation():
        raise Http404
    files = (request.POST or None, request.FILES or None)
    form = club_forms.FirstClubFileForm(*files, asks_code=not is_nearby(request))
    # Where phones probably reach us; the environment goes before it.
    address = "" if settings.SITE_ADDRESS else next(iter(phone_addresses(request)), "")
    imported_club = save_if_valid(
        form, lambda: services.import_first_club(**form.cleaned_data, address=address)
    )
    if imported_club is None:
        return render_form(request, "clubs/house/bring.html", {"form": form}, form)
    sign_in_new_account(request, User.objects.get(email=form.cleaned_data["email"]))
    messages.success(request, f"Welcome to {imported_club.club.name}. {imported_club.summary}")
    return redirect("club", imported_club.club.slug)


@public_view
def offline_page(request: HttpRequest) -> HttpResponse:
    """The page that a browser shows in the place of any other while Tongbox cannot be reached."""
    return render(request, "clubs/house/offline.html")


@public_view
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker that puts the page above away; as new as that page and its parts."""
    page = render_to_string("clubs/house/offline.html", request=request)
    parts = json.dumps(web_app.files_of_page(page))
    context = {"address": reverse("offline"), "parts": parts, "mark": web_app.page_digest(page)}
    return render(request, "clubs/house/worker.js", context, content_type="text/javascript")


@public_view
def general_manifest(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Tongbox as a web app."""
    return JsonResponse(web_app.general_manifest(), content_type=web_app.MANIFEST_TYPE)


@requires(permissions.SEE_HOME)
def club_manifest(request: ClubRequest, club: Club) -> HttpResponse:
    """The club as a web app."""
    return JsonResponse(
        web_app.club_manifest(club, sees=request.sees), content_type=web_app.MANIFEST_TYPE
    )


@reads_from_replica
@requires(permissions.SEE_HOME)
def club_home(request: ClubRequest, club: Club) -> HttpResponse:
    return render(request, "clubs/house/club.html", _home_context(request, club))


def _home_context(request: ClubRequest, club: Club) -> dict[str, Any]:
    """What the front page shows to whoever sent the request."""
    today = timezone.localdate()
    return club_context(
        club,
        "club",
        front=records.front_page(club, today=today, sees=request.sees, reader=request.reader),
        today=today,
        may_run=request.has_permission(permissions.RUN_EVENING),
        may_manage=request.has_permission(permissions.MANAGE_MEMBERS),
        may_lead=request.has_permission(permissions.MANAGE_LEAGUE),
        steps=first_steps(club) if request.has_permission(permissions.MANAGE_CLUB) else (),
        backup=backup_news() if request.has_permission(permissions.MANAGE_MEMBERS) else None,
    )


@requires(permissions.MANAGE_CLUB, "hid the first steps on the home page")
@require_POST
def hide_first_steps(request: ClubRequest, club: Club) -> HttpResponse:
    services.hide_first_steps(club=club)
    messages.success(request, "List hidden. Everything on it is also in the menu and in Settings.")
    return redirect("club", club.slug)


@requires(permissions.MANAGE_LEAGUE, "changed the club’s settings", log_for="PATCH api-settings")
def club_rules(request: ClubRequest, club: Club) -> HttpResponse:
    """The club's default rules for seasons without their own, and its house rules."""
    form = ClubRulesForm(request.POST or None, club=club)
    if save_unless_overtaken(
        form,
        Event(club, "club", club.pk, {"club-rules": ""}),
        lock=lambda: lock_club(club.pk),
        current=lambda: initial_rules(Club.objects.get(pk=club.pk)),
        save=lambda: league_services.change_rules(club=club, **form.cleaned_data),
    ):
        messages.success(request, "Club rules saved.")
        return redirect("settings", club.slug)
    crumbs = breadcrumbs(club, SETTINGS_STEP, title=RULES_STEP[0])
    context = club_context(
        club, "settings", form=form, own=house_rules_of(club), breadcrumbs=crumbs
    )
    return render_form(request, "clubs/house/club_rules.html", context, form)


@requires(permissions.MANAGE_LEAGUE)
def new_house_rules(request: ClubRequest, club: Club) -> HttpResponse:
    """Create house rules from a form that starts with a book, or with existing rules."""
    starting_rules = _starting_rules(request, club)
    form = HouseRulesForm(
        request.POST if "name" in request.POST else None, starting_rules=starting_rules
    )
    if form.is_valid():
        return _preview_page(request, club, form.cleaned_data["declared"])
    context = _rules_context(
        club,
        "House rules",
        form=form,
        lines=rules_as_text(starting_rules),
        own_hands=[hand.name for hand in starting_rules.specials],
        books=[(key, rule_set(key).name) for key in rule_set_keys()],
        book=rule_set(starting_rules.base),
    )
    return render_form(request, "clubs/house/house_form.html", context, form)


@requires(permissions.MANAGE_LEAGUE)
def new_rules_as_text(request: ClubRequest, club: Club) -> HttpResponse:
    """Create house rules as text, for people who know the format."""
    initial = {"lines": request.POST.get("lines") or rules_as_text(_starting_rules(request, club))}
    if "sent" not in request.POST:
        return _rules_text_page(request, club, HouseLinesForm(initial=initial))
    form = HouseLinesForm(request.POST, request.FILES)
    if form.is_valid():
        return _preview_page(request, club, form.cleaned_data["declared"])
    return _rules_text_page(request, club, form.showing_the_text())


def _rules_text_page(request: ClubRequest, club: Club, form: HouseLinesForm) -> HttpResponse:
    context = _rules_context(club, "House rules as text", form=form)
    return render_form(request, "clubs/house/house_lines.html", context, form)


@requires(permissions.MANAGE_LEAGUE, "saved house rules")
@require_POST
def save_house_rules(request: ClubRequest, club: Club) -> HttpResponse:
    """Save the previewed house rules; they can then be chosen, and never changed."""
    form = HouseLinesForm({"lines": request.POST.get("lines", "")})
    if form.is_valid():
        try:
            declared_rules = form.cleaned_data["declared"]
            house_rules = services.save_house_rules(
                club=club, declared_rules=declared_rules, made_by=request.user
            )
        except Refused as refused:
            form.add_error("lines", str(refused))
        else:
            messages.success(
                request, f"{house_rules.edition.name} saved. You can now choose these rules."
            )
            return redirect("club-rules", club.slug)
    return _rules_text_page(request, club, form)


@requires(permissions.MANAGE_LEAGUE, "retired house rules")
@require_POST
def retire_rules(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _change_rules(request, club, pk, services.retire_house_rules, "can no longer be chosen.")


@requires(permissions.MANAGE_LEAGUE, "made house rules available again")
@require_POST
def offer_rules(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _change_rules(request, club, pk, services.offer_house_rules, "can be chosen again.")


def _change_rules(
    request: ClubRequest, club: Club, pk: int, act: Callable[..., HouseRules], outcome: str
) -> HttpResponse:
    get_object_or_404(club.house_rules, pk=pk)
    run_action(
        request, lambda: act(club=club, pk=pk), lambda rules: f"{rules.edition.name} {outcome}"
    )
    return redirect("club-rules", club.slug)


def _starting_rules(request: ClubRequest, club: Club) -> house.HouseRules:
    """The form's starting point: what was typed before, saved rules, or a book."""
    try:
        if text := request.POST.get("lines"):
            return parse_rules_text(text)
        if "from" in request.GET:
            pk = whole_number(request.GET["from"])
            house_rules = get_object_or_404(club.house_rules.select_related("edition"), pk=pk)
            return declaration_of(house_rules.edition.key)
        book = rule_set(request.GET.get("base", FIRST_BOOK))
        return house.read_house_rules({"base": book.key, "name": f"{club.name} rules"[:60]})
    except (UnknownRuleSet, ValidationError, house.BadHouseRules) as unknown:
        raise Http404 from unknown


def _preview_page(
    request: ClubRequest, club: Club, declared_rules: house.HouseRules
) -> HttpResponse:
    book_comparison = compare_with_book(declared_rules.rules, rule_set(declared_rules.base))
    context = _rules_context(
        club, "View", printed=book_comparison, lines=rules_as_text(declared_rules)
    )
    return render(request, "clubs/house/house_preview.html", context)


def _rules_context(club: Club, title: str, **extra_context: Any) -> dict[str, Any]:
    crumbs = breadcrumbs(club, SETTINGS_STEP, RULES_STEP, title=title)
    return club_context(club, "settings", breadcrumbs=crumbs, **extra_context)


@public_view
def guides(request: HttpRequest) -> HttpResponse:
    context = {"guides": all_guides(), "words": read_guide(GLOSSARY), "leaflets": leaflets()}
    return render(request, "clubs/house/guides.html", context)


@public_view
def guide(request: HttpRequest, who: str) -> HttpResponse:
    if who not in GUIDE_NAMES:
        raise Http404
    guide_page = read_guide(who)
    crumbs = [{"label": "Help", "url": reverse("guides")}, {"label": guide_page.title}]
    return render(request, "clubs/house/guide.html", {"guide": guide_page, "breadcrumbs": crumbs})


@requires(permissions.MAKE_PACK)
def job_progress(request: ClubRequest, club: Club, pk: UUID) -> HttpResponse:
    """A job's progress; the page polls until it is done."""
    job = get_object_or_404(club.jobs, pk=pk)
    tab, parent_step, back_to = SETTINGS_JOB_PAGE if job.kind == CLUB_FILE else LEAGUE_JOB_PAGE
    crumbs = breadcrumbs(club, parent_step, title=job.kind[:1].upper() + job.kind[1:])
    job_url, file = (reverse(name, args=[club.slug, pk]) for name in ("job", "job-result"))
    context = club_context(
        club,
        tab,
        job=job,
        is_under_way=job.state in UNFINISHED_STATES,
        job_page=JobPage(job_url, file, reverse(tab, args=[club.slug]), back_to),
        breadcrumbs=crumbs,
    )
    return render(request, f"clubs/house/{'_job' if request.htmx else 'job'}.html", context)


@requires(permissions.MAKE_PACK)
def job_result(request: ClubRequest, club: Club, pk: UUID) -> HttpResponse:
    """The job's file, or ``?pages=3,7-9`` of it."""
    job = get_object_or_404(club.jobs.exclude(kind=CLUB_FILE), pk=pk)
    if not job.result:
        raise Http404
    name = f"{club.slug}-{slugify(job.kind)}"
    with job.result.open("rb") as file:
        return pdf_response(request, file.read(), name, keeps=True)


@requires(permissions.REHEARSE, "started a practice evening")
@require_POST
def start_rehearsal(request: ClubRequest, club: Club) -> HttpResponse:
    try:
        session = services.start_rehearsal(club=club)
    except Refused as refused:
        messages.info(request, str(refused))
        return redirect("rehearsal", club.slug)
    return redirect("rehearsal", session.club.slug)


@requires(permissions.REHEARSE)
def practice_page(request: ClubRequest, club: Club) -> HttpResponse:
    return _rehearsal_page(request, _practice_evening(club), club_forms.HandsForm())


@requires(permissions.REHEARSE, "played hands in the practice evening")
@require_POST
def play_hands(request: ClubRequest, club: Club) -> HttpResponse:
    session, form = _practice_evening(club), club_forms.HandsForm(request.POST)
    hand_count = save_if_valid(
        form, lambda: services.play_rehearsal_hands(session=session, **form.cleaned_data)
    )
    if hand_count is None:
        return _rehearsal_page(request, session, form)
    messages.success(request, f"{hand_count} hands were played.")
    return redirect("evening", club.slug, session.pk)


@requires(permissions.RUN_EVENING, "restarted the practice evening")
@require_POST
def restart_rehearsal(request: ClubRequest, club: Club) -> HttpResponse:
    _practice_evening(club)
    session = services.restart_rehearsal(rehearsal=club)
    note = "Practice evening restarted. Twelve people are checked in and nothing has been played."
    messages.success(request, note)
    return redirect("rehearsal", session.club.slug)


@requires(permissions.RUN_EVENING, "deleted a practice evening")
@require_POST
def delete_rehearsal(request: ClubRequest, club: Club) -> HttpResponse:
    _practice_evening(club)
    real = services.delete_rehearsal(rehearsal=club)
    messages.success(request, "Practice evening deleted.")
    return redirect("evenings", real.slug)


def _practice_evening(club: Club) -> Session:
    session = services.practice_evening_of(club)
    if session is None:
        raise Http404
    return session


def _rehearsal_page(
    request: ClubRequest, session: Session, form: club_forms.HandsForm
) -> HttpResponse:
    may_wipe = request.has_permission(permissions.RUN_EVENING)
    context = club_context(session.club, "evenings", session=session, form=form, may_wipe=may_wipe)
    return render_form(request, "clubs/house/practice.html", context, form)


@requires(permissions.MANAGE_CLUB)
def settings_index(request: ClubRequest, club: Club) -> HttpResponse:
    """Everything that a secretary sets, section by section, and how it is set now."""
    state = selectors.settings_state(club, reader=request.user, today=timezone.localdate())
    context = club_context(club, "settings", state=state, backup=backup_news())
    return render(request, "clubs/house/settings.html", context)


@requires(permissions.MANAGE_CLUB, "changed the club’s name or mark", log_for="PATCH api-club-name")
def club_name(request: ClubRequest, club: Club) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    form = club_forms.ClubNameForm(data, initial=club_forms.initial_name(club))
    saved_club = save_unless_overtaken(
        form,
        Event(club, "club", club.pk, {"club-name": ""}),
        lock=lambda: lock_club(club.pk),
        current=lambda: club_forms.initial_name(Club.objects.get(pk=club.pk)),
        save=lambda: services.change_club(club=club, **form.cleaned_data),
    )
    if saved_club is not None:
        messages.success(request, _changes_sentence(saved_club, form.changes))
        return redirect("settings", club.slug)
    crumbs = breadcrumbs(club, SETTINGS_STEP, title="Name and colour")
    context = club_context(club, "settings", form=form, home=_home_url(club), breadcrumbs=crumbs)
    return render_form(request, "clubs/house/name.html", context, form)


def _changes_sentence(club: Club, changes: Collection[str]) -> str:
    sentences = {
        "name": f"The club is now called {club.name}.",
        "mark_colour": f"The club’s mark is now {club.mark_colour}.",
    }
    message = " ".join(sentences[field] for field in sentences if field in changes)
    return message or sentences["name"]


def _home_url(club: Club) -> str:
    """The address of the club's home page, whole, to be sent to someone."""
    return site_address() + reverse("club", args=[club.slug])


@requires(permissions.MANAGE_CLUB, "changed where replies to emails go", drawer="messages")
def club_email(request: ClubRequest, club: Club) -> HttpResponse:
    """Where answers to the club's emails go, and from whom the emails come."""
    data = request.POST if request.method == "POST" else None
    form = club_forms.ClubEmailForm(data, initial=club_forms.initial_email(club))
    saved_club = save_unless_overtaken(
        form,
        Event(club, "club", club.pk, {"club-email": ""}),
        lock=lambda: lock_club(club.pk),
        current=lambda: club_forms.initial_email(Club.objects.get(pk=club.pk)),
        save=lambda: services.change_contact(club=club, **form.cleaned_data),
    )
    if saved_club is not None:
        reply_address = saved_club.contact_email or "the person who sent the message"
        messages.success(request, f"Saved. Replies to emails now go to {reply_address}.")
        return redirect("club-email", club.slug)
    crumbs = breadcrumbs(club, SETTINGS_STEP, title="Email")
    context = club_context(
        club, "settings", form=form, sender=sender_for(club.name), breadcrumbs=crumbs
    )
    return render_form(request, "clubs/house/email.html", context, form)


@requires(permissions.MANAGE_CLUB, "changed the address for phones", drawer="programs")
def phone_address(request: ClubRequest, club: Club) -> HttpResponse:
    """Where links, table cards and QR codes lead: chosen by the only club of an installation."""
    addresses, fixed = phone_addresses(request), services.fixed_address_reason(club)
    initial = {"address": chosen_address() or next(iter(addresses), "")}
    form = club_forms.AddressForm(request.POST or None, initial=initial)
    if save_if_valid(form, lambda: services.choose_address(club=club, **form.cleaned_data)):
        messages.success(request, f"Saved. Links and QR codes now lead to {site_address()}.")
        return redirect("club-address", club.slug)
    crumbs = breadcrumbs(club, SETTINGS_STEP, title="Address for phones")
    context = club_context(club, "settings", form=form, fixed=fixed, breadcrumbs=crumbs)
    context |= {"addresses": addresses, "is_on_network": bool(own_ip_addresses())}
    return render_form(request, "clubs/house/address.html", context, form)


@requires(permissions.MANAGE_CLUB)
def send_test_email(request: ClubRequest, club: Club) -> HttpResponse:
    """Send the reader a test email, and say what is wrong with how emails are sent."""
    is_sent = request.method == "POST"
    checks = services.send_test_mail(club=club, recipient=request.user.email) if is_sent else []
    crumbs = breadcrumbs(club, SETTINGS_STEP, ("Email", "club-email"), title="Test the emails")
    context = club_context(club, "settings", checks=checks, breadcrumbs=crumbs)
    context["bad"] = sum(check.verdict == Verdict.BAD for check in checks)
    return render(request, "clubs/house/email_test.html", context)


@requires(permissions.MANAGE_CLUB, "changed what the public sees", log_for="PATCH api-club-public")
def public_parts(request: ClubRequest, club: Club) -> HttpResponse:
    data = request.POST if request.method == "POST" else None
    form = club_forms.PublicForm(data, initial=club_forms.initial_switches(club))
    changed_switches = save_unless_overtaken(
        form,
        Event(club, "club", club.pk, {"club-public": ""}),
        lock=lambda: lock_club(club.pk),
        current=lambda: club_forms.initial_switches(Club.objects.get(pk=club.pk)),
        save=lambda: services.set_public_parts(club=club, **form.cleaned_data),
    )
    if changed_switches is not None:
        messages.success(request, "Saved. This is what the public sees from now on.")
        return redirect("club-public", club.slug)
    crumbs = breadcrumbs(club, SETTINGS_STEP, title="What the public sees")
    context = club_context(club, "settings", form=form, home=_home_url(club), breadcrumbs=crumbs)
    context["state"] = selectors.public_sentence(club)
    context["can_be_opened"] = is_reachable_by_phones(site_address(), request)
    return render_form(request, "clubs/house/public.html", context, form)


@requires(permissions.MANAGE_CLUB)
def public_preview(request: ClubRequest, club: Club) -> HttpResponse:
    """The front page as it is for someone who has not signed in."""
    visitor = visitor_request(request, club)
    context = _home_context(visitor, club) | {
        "is_public": visitor.has_permission(permissions.SEE_HOME),
        "public": selectors.public_sentence(club),
        "home": _home_url(club),
    }
    return render(visitor, "clubs/house/preview.html", context)


urlpatterns = [
    path("", home, name="home"),
    path("set-up/", set_up, name="set-up"),
    path("bring/", import_first_club, name="bring-club"),
    path("offline/", offline_page, name="offline"),
    path("worker.js", service_worker, name="worker"),
    path("manifest.webmanifest", general_manifest, name="web-app"),
    path(f"{CLUB_URL}manifest.webmanifest", club_manifest, name="club-web-app"),
    path("help/", guides, name="guides"),
    path("help/<slug:who>/", guide, name="guide"),
    path(CLUB_URL, club_home, name="club"),
    path(f"{SETTINGS_URL}rules/", club_rules, name="club-rules"),
    path(HOUSE_RULES_URL, new_house_rules, name="house-rules"),
    path(f"{HOUSE_RULES_URL}text/", new_rules_as_text, name="house-lines"),
    path(f"{HOUSE_RULES_URL}save/", save_house_rules, name="house-keep"),
    path(f"{HOUSE_RULES_URL}<int:pk>/retire/", retire_rules, name="house-retire"),
    path(f"{HOUSE_RULES_URL}<int:pk>/offer/", offer_rules, name="house-offer"),
    path(f"{CLUB_URL}jobs/<uuid:pk>/", job_progress, name="job"),
    path(f"{CLUB_URL}jobs/<uuid:pk>/result/", job_result, name="job-result"),
    path(f"{PRACTICE_URL}start/", start_rehearsal, name="rehearse"),
    path(PRACTICE_URL, practice_page, name="rehearsal"),
    path(f"{PRACTICE_URL}play/", play_hands, name="rehearsal-play"),
    path(f"{PRACTICE_URL}restart/", restart_rehearsal, name="rehearsal-again"),
    path(f"{PRACTICE_URL}delete/", delete_rehearsal, name="rehearsal-wipe"),
    path(SETTINGS_URL, settings_index, name="settings"),
    path(f"{SETTINGS_URL}name/", club_name, name="club-name"),
    path(f"{SETTINGS_URL}address/", phone_address, name="club-address"),
    path(f"{SETTINGS_URL}email/", club_email, name="club-email"),
    path(f"{SETTINGS_URL}email/test/", send_test_email, name="email-test"),
    path(f"{SETTINGS_URL}first-steps/hide/", hide_first_steps, name="first-steps-hide"),
    path(f"{SETTINGS_URL}public/", public_parts, name="club-public"),
    path(f"{SETTINGS_URL}public/preview/", public_preview, name="club-preview"),
]
