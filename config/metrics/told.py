"""Everything that is told when Prometheus asks: what was counted, then how it stands now."""

import os
from collections.abc import Iterator
from contextlib import suppress

from prometheus_client import REGISTRY, Metric, disable_created_metrics, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from config.metrics import shared
from config.metrics.now import standing

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
