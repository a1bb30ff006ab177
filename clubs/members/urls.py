"""Where a club's people are: the list, changes to it, many read in."""

from django.urls import path

from clubs.members import views

MEMBERS = "c/<slug:club>/members/"


urlpatterns = [
    path(MEMBERS, views.members, name="members"),
    path("c/<slug:club>/members.csv", views.members_csv, name="members-csv"),
    path("c/<slug:club>/members.xlsx", views.members_xlsx, name="members-xlsx"),
    path(f"{MEMBERS}add/", views.add_member, name="member-add"),
    path(f"{MEMBERS}import/", views.read_in, name="members-import"),
    path(f"{MEMBERS}import/store/", views.store, name="members-store"),
    path(f"{MEMBERS}import/<int:pk>/back/", views.undo_import, name="members-take-back"),
    path(f"{MEMBERS}due/", views.due, name="members-due"),
    path(f"{MEMBERS}duplicates/", views.twins, name="members-twins"),
    path(f"{MEMBERS}duplicates/<int:pk>/undo/", views.undo_merge, name="merge-undo"),
    path(f"{MEMBERS}<int:pk>/merge/", views.merge, name="member-merge"),
    path(f"{MEMBERS}<int:pk>/renew/", views.renew, name="member-renew"),
    path(f"{MEMBERS}<int:pk>/lapse/", views.lapse, name="member-lapse"),
    path(f"{MEMBERS}<int:pk>/join/", views.join, name="member-join"),
    path(f"{MEMBERS}<int:pk>/change/", views.change_member, name="member-change"),
    path("c/<slug:club>/my-name/", views.my_name, name="my-name"),
]
