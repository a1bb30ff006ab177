"""Shared by all API views: access, pagination and responses."""

import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ClassVar, Final, TypeVar, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.negotiation import BaseContentNegotiation, DefaultContentNegotiation
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from clubs.api import retries
from clubs.api.answers import PROBLEM_JSON, problem_details
from clubs.api.callers import CallerThrottle, ClubAccess, SignedIn
from clubs.api.created import add_location, is_as_read
from clubs.api.openapi import known_parameters, takes_if_match
from clubs.api.retries import etag_of, state_of, with_etag
from clubs.core.audit_log import AuditContext, Sentences, clubs_run_by, log_changes
from clubs.core.permissions import Permission, Presence, VisibleParts
from clubs.models import ApiToken, Club, KeptAnswer, Scope, User
from clubs.models.names import Reader
from clubs.tenancy import enter_until_response, request_scope

MAX_KEY_NAME: Final = 60

SerializerClass = type[BaseSerializer[Any]]
ViewMethod = Callable[[Any], Any]
Finish = Callable[[HttpResponse], HttpResponse]
Method = TypeVar("Method", bound=Callable[..., Any])
GetDecorator = Callable[[ViewMethod], Callable[..., Response]]


class FormatNegotiation(DefaultContentNegotiation):
    """Which kind of file is answered: by ``?as=``, else by ``Accept``."""

    def filter_renderers(self, renderers: Any, format: str) -> Any:  # noqa: A002
        """What makes the kind of file; raises ``ValidationError`` for one that there is not."""
        kinds = [renderer.format for renderer in renderers]
        if format in kinds:
            return super().filter_renderers(renderers, format)
        if "csv" not in kinds:
            raise ValidationError({"as": ["This is no list."]}, code="unknown_parameter")
        message = f"Choose {', '.join(kinds[1:])} or {kinds[0]}."
        raise ValidationError({"as": [message]}, code="bad_parameter")


class BaseAPIView(APIView):
    """What is done for every request from anyone; the views below say who may."""

    content_negotiation_class: type[BaseContentNegotiation] = FormatNegotiation
    throttle_classes = [CallerThrottle]
    offers_files = False
    log: ClassVar[Sentences] = ""  # where no page says it for this view, or says it in other words
    drawer: ClassVar[str] = ""
    stored_answer: KeptAnswer | None = None

    @property
    def me(self) -> User:
        """Who is signed in, where the door asks for that."""
        return cast(User, self.request.user)

    @property
    def is_dry_run(self) -> bool:
        """Whether it is only asked what would happen."""
        return self.request.method == "POST" and "dry_run" in self.request.query_params

    @property
    def subjects(self) -> Mapping[str, Any]:
        """What an entry of the activity log may name: the parts of the address."""
        address: Mapping[str, Any] = self.kwargs
        return address

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """No club is within reach until the door or the link says which.

        An answer that is kept is rendered in here, so that it is kept with what was done.
        """
        with request_scope(writes=request.method not in SAFE_METHODS):
            answer = super().dispatch(request, *args, **kwargs)
            return (
                answer.render() if self.stored_answer and isinstance(answer, Response) else answer
            )

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check access, refuse unknown parameters, and answer a repeated request as before."""
        super().initial(request, *args, **kwargs)
        if request.query_params:
            parameter_names = known_parameters(self, request.method or "GET")
            if strange := sorted(set(request.query_params).difference(parameter_names)):
                message = f"Unknown parameter. You can use: {', '.join(parameter_names)}."
                if not parameter_names:
                    message = "This address takes no parameters."
                raise ValidationError(
                    {name: [message] for name in strange}, code="unknown_parameter"
                )
            if request.query_params.get("dry_run", "1") != "1":
                raise ValidationError({"dry_run": ["Choose 1."]}, code="bad_parameter")
            if request.query_params.get("as") == "":
                raise ValidationError({"as": ["Choose csv, xlsx or json."]}, code="bad_parameter")
        if "If-Match" in request.headers and not takes_if_match(self, request.method or "GET"):
            raise ValidationError("This operation does not support If-Match.", "unknown_header")
        self.stored_answer = retries.begin_request(request, self)

    def handle_exception(self, exc: Exception) -> Response:
        """What was answered before, again; refusals as problems."""
        if isinstance(exc, retries.Replayed):
            body = json.loads(exc.stored_answer.body) if exc.stored_answer.body else None
            return Response(
                body, status=exc.stored_answer.status, headers={retries.REPLAYED_HEADER: "true"}
            )
        return super().handle_exception(exc)

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Response:
        """The answer with what every answer has."""
        answer: HttpResponse = super().finalize_response(request, response, *args, **kwargs)
        if isinstance(answer, Response):
            # Errors are JSON even if a file was requested, and carry the request's id.
            if answer.status_code >= 400:
                if isinstance(answer.data, dict) and "problems" in answer.data:
                    problems = problem_details(answer.data["problems"], answer.status_code)
                    answer.data, answer.content_type = problems | answer.data, PROBLEM_JSON
                answer.accepted_renderer = JSONRenderer()
                answer.accepted_media_type = JSONRenderer.media_type
            add_location(self, request, answer)
        finish = self._finishing(request, answer)
        if isinstance(answer, Response):
            answer.add_post_render_callback(finish)
            return answer
        return cast(Response, finish(answer))

    def _finishing(self, request: Request, answer: HttpResponse) -> Finish:
        """What is left to do once the answer has its content: to keep it, and give it its ETag."""
        is_reading = request.method in {"GET", "HEAD"}
        has_tag = is_reading or is_as_read(self, request, answer)
        state = state_of(self) if has_tag and answer.status_code == 200 else None
        if is_reading and request.successful_authenticator is None:
            answer.headers["Access-Control-Allow-Origin"] = "*"  # what nobody need sign in for

        def finish(answer: HttpResponse) -> HttpResponse:
            if self.stored_answer is not None:
                retries.end_request(self.stored_answer, answer)
            if is_reading:
                return with_etag(request, answer, state)
            if has_tag:
                answer.headers["ETag"] = etag_of(answer.content, state)
            return answer

        return finish


class ClubAPIView(BaseAPIView):
    """An API view of one club's things; ``access`` for reading, ``writing_access`` for the rest."""

    permission_classes = [ClubAccess]
    access: ClassVar[Permission]
    writing_access: ClassVar[Permission | None] = None
    club: Club
    presence: Presence
    sees: VisibleParts

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Past the door; what is changed from here on is written down."""
        super().initial(request, *args, **kwargs)
        _log_request_changes(self, request, lambda: [self.club.pk])

    @property
    def reader(self) -> Reader:
        """As whom the caller reads the club's names."""
        return self.presence.reader

    def has_permission(self, permission: Permission) -> bool:
        """Whether the caller may do that too."""
        return self.presence.has_permission(permission, self.club)

    def access_for(self, method: str) -> Permission:
        """The permission that this HTTP method asks for."""
        if method in SAFE_METHODS or self.writing_access is None:
            return self.access
        return self.writing_access


class PublicAPIView(BaseAPIView):
    """An API view that asks nobody who they are; ``access`` says in words why that is right."""

    permission_classes = [AllowAny]
    authentication_classes = []
    access: ClassVar[str] = "everybody"


class SecretLinkAPIView(PublicAPIView):
    """An API view that looks up the secret key of a printed link."""

    access = "anyone with the link"


class PersonalAPIView(BaseAPIView):
    """An API view of what is someone's own, in no club.

    A program's key must be good for reading, or for ``writing_scope``.
    """

    permission_classes = [SignedIn]
    access: ClassVar[str] = "anyone signed in"
    writing_scope: ClassVar[Scope] = Scope.OWN

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Past the door; what is changed is written down in every club that the person runs."""
        super().initial(request, *args, **kwargs)
        _log_request_changes(self, request, lambda: clubs_run_by(self.me.pk))


class NotFoundAPIView(PublicAPIView):
    """Any address that the API does not have: 404 in the form of all problems."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002
        """Raises ``NotFound`` whatever the method."""
        raise NotFound("This address does not exist in the API. Every address ends with a slash.")


def _log_request_changes(
    view: BaseAPIView, request: Request, clubs: Callable[[], list[int]]
) -> None:
    """Have the activity log note what a person or a key changes; a secret link is noted nowhere."""
    if request.method in SAFE_METHODS or not request.user.is_authenticated:
        return
    key: Any = request.auth
    entry = AuditContext(
        name=str(request._request.resolver_match.url_name),  # type: ignore[union-attr]
        method=request.method or "",
        subjects=view.subjects,
        read_data=lambda: {} if request.method == "DELETE" else request.data,
        clubs=clubs,
        made_by=request.user.pk,
        actor=f"A key called “{key.name[:MAX_KEY_NAME]}”" if isinstance(key, ApiToken) else "",
    )
    enter_until_response(log_changes(entry))


def detail_endpoint(serializer_class: SerializerClass, **schema_options: Any) -> GetDecorator:
    """Make of one call that finds something a view's ``get``, which answers it by this serializer.

    What is a response already is answered as it is.
    ``schema_options`` is what ``extend_schema`` takes besides: ``parameters``, ``tags``.
    """
    reader = get_endpoint(
        lambda view, result: serialized_response(view, result, serializer_class),
        responses=serializer_class,
        **schema_options,
    )

    def decorate(find: ViewMethod) -> Callable[..., Response]:
        get: Any = reader(find)
        get.serializer_class = serializer_class
        return cast(Callable[..., Response], get)

    return decorate


def get_endpoint(answer: Callable[[Any, Any], Response], **schema_options: Any) -> GetDecorator:
    """Make of one call that finds something a view's ``get``; a file is answered as it is."""

    def decorate(find: ViewMethod) -> Callable[..., Response]:
        @wraps(find)
        def get(view: Any, request: Request, **kwargs: Any) -> Response:  # noqa: ARG001
            result = find(view)
            if isinstance(result, HttpResponseBase):  # a file
                return cast(Response, result)
            return answer(view, result)

        return describe_method(get, **schema_options)

    return decorate


def delete_endpoint(take_away: ViewMethod) -> Callable[..., Response]:
    """Make of one call that takes something away a view's ``delete``, which answers 204."""

    @wraps(take_away)
    def delete(view: Any, request: Request, **kwargs: Any) -> Response:  # noqa: ARG001
        take_away(view)
        return Response(status=204)

    return describe_method(delete, request=None, responses={204: None})


def serialized_response(
    view: APIView, result: Any, serializer_class: SerializerClass, status: int = 200
) -> Response:
    """The result by this serializer, unless it is a response already."""
    if isinstance(result, Response):
        return result
    context = {"request": view.request, "view": view}
    return Response(serializer_class(result, context=context).data, status=status)


def describe_method(method: Method, **schema_options: Any) -> Method:
    """A view's method with what ``extend_schema`` tells of it in the OpenAPI document."""
    return extend_schema(**schema_options)(method)
