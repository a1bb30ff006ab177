"""Printouts over the API: the same PDFs as on the pages, with the same access rules."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, ClassVar, Final, NamedTuple

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from clubs.api.answers import FileRenderer
from clubs.api.base import BaseAPIView, ClubAPIView, describe_method
from clubs.api.fields import OneOfField
from clubs.api.lists import ClubListAPIView
from clubs.api.rows import serializer_of
from clubs.core.permissions import Permission
from clubs.models import Club
from clubs.paper.formats import FORMAT_QUESTIONS, Format, format_from_query
from clubs.paper.response import NoSuchPages, extract_pages

PDF_TYPE: Final = "application/pdf"
PAGES_PARAMETER = OpenApiParameter(
    "pages", OpenApiTypes.STR, description="only these pages, such as 3 or 1,7-9"
)
FORMAT_PARAMETERS = [
    OpenApiParameter(
        name,
        OpenApiTypes.STR,
        enum=[choice.value for choice in kind],
        description=f"{title}: {usual}",
    )
    for name, title, kind, (usual, *_) in FORMAT_QUESTIONS
]

DrawFunction = Callable[[Any, Format], tuple[bytes, str]]


class PaperOption(NamedTuple):
    """An option for a printout: the parameter, its label and its values."""

    name: str
    title: str
    values: Annotated[tuple[str, ...], "the first is the default and may be omitted"]


PAPER_OPTIONS: Final = tuple(
    PaperOption(name, title, tuple(choice.value for choice in kind))
    for name, title, kind, _ in FORMAT_QUESTIONS
)


class OfferedPaper(NamedTuple):
    """A printout that you may print, and the parameters of its address."""

    printout: Annotated[str, "its name in the address"]
    title: str
    note: str
    address: Annotated[str, "the API address of the PDF, with the same access rules"]
    why_not: Annotated[str, "why there is nothing to print yet; empty if there is"] = ""
    options: tuple[PaperOption, ...] = PAPER_OPTIONS


PrintoutSerializer = serializer_of(
    "PrintoutSerializer",
    OfferedPaper,
    "printout title note address unavailable_because=why_not options",
    options=serializer_of("OptionSerializer", PaperOption, "name title values"),
)


class FormatIn(serializers.Serializer[Any]):
    """What it is printed on."""

    def get_fields(self) -> dict[str, Any]:
        """A choice for each question; the first answer is the default."""
        choices = {
            name: OneOfField(
                choices=[choice.value for choice in kind],
                default=next(iter(kind)).value,
                help_text=f"{title}; default: {usual}",
            )
            for name, title, kind, (usual, *_) in FORMAT_QUESTIONS
        }
        return super().get_fields() | choices


class PDFRenderer(FileRenderer):
    """Lets a client ask for a PDF."""

    media_type = PDF_TYPE
    format = "pdf"


class PaperView(BaseAPIView):
    """One printout, whose ``get`` ``pdf_endpoint``."""

    renderer_classes = [PDFRenderer, JSONRenderer]


class PaperAPIView(PaperView, ClubAPIView):
    """One printout of a club."""


def pdf_endpoint(
    *parameters: OpenApiParameter, in_formats: bool = True
) -> Callable[[DrawFunction], Callable[..., HttpResponse]]:
    """Make of one call that draws a printout a view's ``get``, which sends it as a PDF.

    The call gets the format of the address, and returns the whole printout and a name for its file
    (without ``.pdf``). ``in_formats``: whether the address can choose the format.
    """
    common_parameters = [*FORMAT_PARAMETERS, PAGES_PARAMETER] if in_formats else [PAGES_PARAMETER]

    def decorate(draw: DrawFunction) -> Callable[..., HttpResponse]:
        @wraps(draw)
        def get(view: Any, request: Request, **kwargs: Any) -> HttpResponse:  # noqa: ARG001
            return _pdf_response(request, *draw(view, requested_format(request, view.club)))

        responses = {(200, PDF_TYPE): OpenApiTypes.BINARY}
        return describe_method(
            get, parameters=[*common_parameters, *parameters], responses=responses
        )

    return decorate


def _pdf_response(request: Request, paper: bytes, name: str) -> HttpResponse:
    """The printout as a PDF, or the pages of it that the address wants."""
    if page_ranges := request.query_params.get("pages", "").strip():
        try:
            paper = extract_pages(paper, page_ranges)
        except NoSuchPages as wrong:
            raise ValidationError({"pages": [str(wrong)]}, code="no_such_pages") from wrong
    headers = {"Content-Disposition": f'inline; filename="{name}.pdf"'}
    return HttpResponse(paper, content_type=PDF_TYPE, headers=headers)


def always_ready(_view: Any) -> str:
    """There is always something to print."""
    return ""


@dataclass(frozen=True, kw_only=True)
class Printout:
    """One of the printouts at ``printouts/``: who may print it, and how it is drawn.

    ``draw`` gets the view and the format, ``why_not`` the view: it says why there is nothing to
    print yet. ``parameters`` are what its address takes besides the format.
    """

    title: str
    note: str
    access: Permission
    draw: DrawFunction
    parameters: tuple[OpenApiParameter, ...] = ()
    why_not: Callable[[Any], str] = always_ready


class PrintoutsAPIView(ClubListAPIView):
    """The printouts that there are of something: those that the caller may print."""

    printouts: ClassVar[Mapping[str, Printout]]
    paper_url_name: ClassVar[str]  # the name of the address of one of them

    def value_labels(self) -> Mapping[str, Mapping[str, str]]:
        return {"printout": {kind: printout.title for kind, printout in self.printouts.items()}}

    def offered_papers(self) -> list[OfferedPaper]:
        """Each with its address, and why there is nothing to print yet."""
        address = self.request.build_absolute_uri
        return [
            OfferedPaper(
                kind,
                printout.title,
                printout.note,
                address(reverse(self.paper_url_name, kwargs={**self.kwargs, "printout": kind})),
                printout.why_not(self),
            )
            for kind, printout in self.printouts.items()
            if self.has_permission(printout.access)
        ]


class PrintoutAPIView(PaperAPIView):
    """One of several printouts, which the address names; ``access`` is for a name of none."""

    printouts: ClassVar[Mapping[str, Printout]]

    def access_for(self, method: str) -> Permission:
        """Who may print the one that the address names."""
        printout = self.printouts.get(self.kwargs.get("printout", ""))
        return printout.access if printout else super().access_for(method)


def printouts_endpoint(printouts: Mapping[str, Printout]) -> Callable[..., HttpResponse]:
    """The ``get`` of a view of several printouts, which sends the one of the address as a PDF."""
    all_parameters = {
        item.name: item for printout in printouts.values() for item in printout.parameters
    }
    common_names = {item.name for item in (*FORMAT_PARAMETERS, PAGES_PARAMETER)}

    def get(view: Any, request: Request, **kwargs: Any) -> HttpResponse:
        printout = printouts.get(kwargs["printout"])
        if printout is None:
            raise Http404
        parameter_names = common_names | {item.name for item in printout.parameters}
        if strange := sorted(set(request.query_params) - parameter_names):
            message = f"{printout.title}: you can use {', '.join(sorted(parameter_names))}."
            raise ValidationError({name: [message] for name in strange}, code="unknown_parameter")
        return _pdf_response(request, *printout.draw(view, requested_format(request, view.club)))

    name = OpenApiParameter("printout", str, OpenApiParameter.PATH, enum=list(printouts))
    return describe_method(
        get,
        description=f"Download a printout as a PDF.\n\n{_printout_lines(printouts)}",
        parameters=[name, *FORMAT_PARAMETERS, PAGES_PARAMETER, *all_parameters.values()],
        responses={(200, PDF_TYPE): OpenApiTypes.BINARY},
    )


def _printout_lines(printouts: Mapping[str, Printout]) -> str:
    """Each printout in a line: who may print it, and what its address takes."""
    lines = []
    for kind, printout in printouts.items():
        takes = ", ".join(f"`{item.name}`" for item in printout.parameters)
        audience = f"for a {printout.access.people}"
        lines.append(
            f"- `{kind}`: {printout.title}, {audience}{f'; takes {takes}' if takes else ''}"
        )
    return "\n".join(lines)


def requested_format(request: Request, club: Club) -> Format:
    """The format in the address. Raises ``ValidationError`` for an unknown one."""
    query = request.query_params
    for name, title, choices in PAPER_OPTIONS:
        if query.get(name, choices[0]) not in choices:
            message = f"{title}: choose {' or '.join(choices)}."
            raise ValidationError({name: [message]}, code="invalid_choice")
    return format_from_query(query, club)
