"""Where someone chooses how their name is read."""

from django.urls import path

from clubs.views import my_name as views

urlpatterns = [path("c/<slug:club>/my-name/", views.my_name, name="my-name")]
