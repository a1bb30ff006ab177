"""Where a club's people are: the list, changes to it, many read in."""

from django.urls import path

from clubs.views import members, members_due, members_files, members_import, members_merge

MEMBERS = "c/<slug:club>/members/"

urlpatterns = [
    path(MEMBERS, members.members, name="members"),
    path("c/<slug:club>/members.csv", members_files.as_csv, name="members-csv"),
    path("c/<slug:club>/members.xlsx", members_files.as_xlsx, name="members-xlsx"),
    path(f"{MEMBERS}add/", members.add, name="member-add"),
    path(f"{MEMBERS}import/", members_import.read_in, name="members-import"),
    path(f"{MEMBERS}import/store/", members_import.store, name="members-store"),
    path(f"{MEMBERS}import/<int:pk>/back/", members_import.take_back, name="members-take-back"),
    path(f"{MEMBERS}due/", members_due.due, name="members-due"),
    path(f"{MEMBERS}duplicates/", members_merge.twins, name="members-twins"),
    path(f"{MEMBERS}duplicates/<int:pk>/undo/", members_merge.undo, name="merge-undo"),
    path(f"{MEMBERS}<int:pk>/merge/", members_merge.merge, name="member-merge"),
    path(f"{MEMBERS}<int:pk>/renew/", members_due.renew, name="member-renew"),
    path(f"{MEMBERS}<int:pk>/lapse/", members_due.lapse, name="member-lapse"),
    path(f"{MEMBERS}<int:pk>/join/", members_due.join, name="member-join"),
    path(f"{MEMBERS}<int:pk>/change/", members.change, name="member-change"),
]
