"""What Prometheus would be told of the stack, by way of the proxy."""

from prometheus_client.parser import text_string_to_metric_families

from deploy.faults.asked import Line
from deploy.faults.phones import Heard
from deploy.stack import Stack
from deploy.stack.asking import Client

RECORDED = "tongbox_hands_recorded_total"


def figures(stack: Stack, heard: Heard) -> Line:
    """Whichever web service is asked, all hands that the phones told are counted, each once."""
    asked = [Client(stack).get("/metrics") for _ in stack.webs]
    told = [_hands(answer.body.decode()) if answer.status == 200 else {} for answer in asked]
    shares = ", ".join(f"{service} {count:.0f}" for service, count in sorted(told[0].items()))
    words = f"/metrics tells of {len(heard.kept)} hands recorded, by service: {shares or 'none'}"
    return Line({sum(one.values()) for one in told} == {len(heard.kept)}, words)


def _hands(text: str) -> dict[str, float]:
    """Hands recorded by each service that recorded any."""
    return {
        sample.labels["service"]: sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == RECORDED and sample.value
    }
