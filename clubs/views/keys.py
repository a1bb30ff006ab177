"""Someone's own keys for programs: made, shown once, listed, revoked."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, for_the_signed_in
from clubs.core.forms import add_problems
from clubs.core.proof import missing_proof
from clubs.forms.keys import KeyForm
from clubs.models import Club
from clubs.selectors.tokens import tokens_of
from clubs.services.tokens import Made, make_token, revoke_token
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422


@for_the_signed_in
@never_cache
def keys(request: ClubRequest) -> HttpResponse:
    """Every key that is good now; whoever has just shown who they are makes another, told once."""
    proof = missing_proof(request, request.user)
    if proof and request.method == "POST":
        messages.warning(request, proof.sentence)
        return redirect(proof.url)
    clubs = Club.objects.filter(memberships__user=request.user, rehearsal_of=None).order_by("name")
    form = KeyForm(request.POST or None, clubs=clubs)
    made: Made | None = None
    if form.is_valid():
        try:
            made = make_token(user=request.user, **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            form = KeyForm(clubs=clubs)
    context = {"form": form, "made": made, "keys": tokens_of(request.user), "proof": proof}
    return render(request, "clubs/keys.html", context, status=UNPROCESSABLE if form.errors else 200)


@for_the_signed_in
@require_POST
def revoke(request: ClubRequest, pk: int) -> HttpResponse:
    """The key opens nothing any more."""
    token = get_object_or_404(tokens_of(request.user), pk=pk)
    revoke_token(token=token)
    messages.success(request, f"“{token.name}” has been revoked.")
    return redirect("keys")
