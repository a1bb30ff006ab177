"""Everything that is told when Prometheus asks: what was counted, then how it stands now."""

import os
from collections.abc import Iterator
from contextlib import suppress

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    Metric,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from clubs.core.access import open_to_all
from config.metrics import shared
from config.metrics.now import standing
from config.readiness import is_watched_from

disable_created_metrics()  # type: ignore[no-untyped-call]


class Everything:
    """Of all services that live, each with its name, or of this one process."""

    def collect(self) -> Iterator[Metric]:
        """One metric after the other."""
        yield from _of_services() if shared.VARIABLE in os.environ else REGISTRY.collect()
        yield from standing()


def text() -> bytes:
    """In Prometheus' own format."""
    return generate_latest(Everything())


def _of_services() -> Iterator[Metric]:
    whole: dict[str, Metric] = {}
    for folder in shared.services():
        files = sorted(str(file) for file in folder.glob("*.db"))
        with suppress(FileNotFoundError):  # it ends just now
            for part in MultiProcessCollector.merge(files):  # type: ignore[no-untyped-call]
                metric = Metric(part.name, part.documentation, part.type)
                metric = whole.setdefault(part.name, metric)
                for sample in part.samples:
                    labels = sample.labels | {"service": folder.name}
                    metric.samples.append(sample._replace(labels=labels))
    yield from whole.values()


@open_to_all
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """What was counted and how it stands, for Prometheus."""
    if not is_watched_from(request):
        raise Http404
    return HttpResponse(text(), content_type=CONTENT_TYPE_LATEST)
