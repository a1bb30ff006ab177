"""The Celery application: Redis when REDIS_URL is set, else a queue inside the one process."""

import os

from celery import Celery

from config import heartbeat, requestid
from config.metrics import workers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

workers.listen()
app = Celery("tongbox", include=["config.metrics.jobs"])
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
heartbeat.listen()
requestid.pass_on()
