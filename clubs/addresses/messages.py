"""Where the club's messages are written, looked at and sent."""

from django.urls import path

from clubs.views import messages, messages_paper, messages_write

MESSAGES = "c/<slug:club>/messages/"
BATCH = f"{MESSAGES}<int:pk>/"

urlpatterns = [
    path(MESSAGES, messages.new, name="messages"),
    path(f"{MESSAGES}outbox/", messages.outbox, name="outbox"),
    path(f"{MESSAGES}sent/", messages.sent, name="messages-sent"),
    path(f"{MESSAGES}write/<slug:kind>/", messages_write.write, name="messages-write"),
    path(BATCH, messages.batch, name="batch"),
    path(f"{BATCH}text/", messages.text, name="batch-text"),
    path(f"{BATCH}send/", messages.send, name="batch-send"),
    path(f"{BATCH}stop/", messages.stop, name="batch-stop"),
    path(f"{BATCH}again/", messages.again, name="batch-again"),
    path(f"{BATCH}leave-out/", messages.leave_out, name="batch-leave-out"),
    path(f"{BATCH}take-in/", messages.take_in, name="batch-take-in"),
    path(f"{BATCH}by-hand/", messages_paper.by_hand, name="batch-by-hand"),
    path(f"{BATCH}told/", messages_paper.told, name="batch-told"),
    path(f"{BATCH}letters.pdf", messages_paper.letters, name="batch-letters-pdf"),
    path(f"{BATCH}telephone.pdf", messages_paper.telephone, name="batch-phone-pdf"),
    path(f"{BATCH}<int:message>/", messages.message, name="message"),
]
