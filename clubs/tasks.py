"""Background tasks: each calls one service."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from clubs.api import retries
from clubs.core.mail_limits import forget_counts
from clubs.core.queue import queue_task_now
from clubs.hosting.services import deletion, founding
from clubs.house import services as house_services
from clubs.messages.mailbox import read_mailbox
from clubs.privacy import services
from clubs.webhooks import services as webhook_services


@shared_task(name="clubs.tasks.run_job")
def run_job(job_id: str) -> None:
    """Do one job, unless it is done or being done."""
    house_services.run_job(UUID(job_id))


@shared_task(name="clubs.tasks.wake_waiting_jobs")
def wake_waiting_jobs() -> None:
    """Wake jobs that no worker began, and those whose worker seems dead."""
    for job_id in house_services.waiting_jobs(now=timezone.now()):
        queue_task_now("clubs.tasks.run_job", str(job_id))


@shared_task(name="clubs.tasks.wipe_unused_rehearsals")
def wipe_unused_rehearsals() -> None:
    """Delete practice evenings that nobody has used for seven days."""
    house_services.delete_unused_rehearsals(now=timezone.now())


@shared_task(name="clubs.tasks.let_go_what_is_due")
def let_go_what_is_due() -> None:
    """Run the clubs' retention schedules, each once a day."""
    services.run_due_schedules(today=timezone.localdate())


@shared_task(name="clubs.tasks.look_after_clubs")
def look_after_clubs() -> None:
    """Delete the clubs whose day has come, and requests to start one after two days."""
    deletion.delete_due_clubs(today=timezone.localdate())
    founding.delete_old_requests(now=timezone.now())
    forget_counts(today=timezone.localdate())


@shared_task(name="clubs.tasks.let_go_of_answers")
def let_go_of_answers() -> None:
    """Delete stored answers older than a day, and webhook deliveries older than a month."""
    retries.delete_old_answers(now=timezone.now())
    webhook_services.delete_old_deliveries(now=timezone.now())


@shared_task(name="clubs.tasks.read_bounces")
def read_bounces() -> None:
    """Read which emails came back, from the mailbox that is set for them."""
    read_mailbox(today=timezone.localdate())


@shared_task(name="clubs.tasks.send_news")
def send_news(delivery_id: int) -> None:
    """Send one webhook delivery, unless it is sent or being sent."""
    webhook_services.deliver(delivery_id=delivery_id, now=timezone.now())


@shared_task(name="clubs.tasks.send_waiting_news")
def send_waiting_news() -> None:
    """Wake the webhook deliveries that are due, also those to be tried again."""
    for delivery_id in webhook_services.due_deliveries(now=timezone.now()):
        queue_task_now("clubs.tasks.send_news", delivery_id)
