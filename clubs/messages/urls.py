"""Where the club's messages are written, looked at and sent."""

from django.urls import path

from clubs.messages import views

MESSAGES = "c/<slug:club>/messages/"
BATCH = f"{MESSAGES}<int:pk>/"

urlpatterns = [
    path(MESSAGES, views.new, name="messages"),
    path(f"{MESSAGES}outbox/", views.outbox, name="outbox"),
    path(f"{MESSAGES}sent/", views.sent, name="messages-sent"),
    path(f"{MESSAGES}write/<slug:kind>/", views.write, name="messages-write"),
    path(BATCH, views.batch, name="batch"),
    path(f"{BATCH}text/", views.text, name="batch-text"),
    path(f"{BATCH}send/", views.send, name="batch-send"),
    path(f"{BATCH}stop/", views.stop, name="batch-stop"),
    path(f"{BATCH}again/", views.again, name="batch-again"),
    path(f"{BATCH}leave-out/", views.leave_out, name="batch-leave-out"),
    path(f"{BATCH}take-in/", views.take_in, name="batch-take-in"),
    path(f"{BATCH}by-hand/", views.by_hand, name="batch-by-hand"),
    path(f"{BATCH}told/", views.told, name="batch-told"),
    path(f"{BATCH}letters.pdf", views.letters, name="batch-letters-pdf"),
    path(f"{BATCH}telephone.pdf", views.telephone, name="batch-phone-pdf"),
    path(f"{BATCH}<int:message>/", views.message, name="message"),
]
