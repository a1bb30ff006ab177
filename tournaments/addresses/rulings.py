"""Where the director rules at a table."""

from django.urls import path

from tournaments.views import rulings

HERE = "c/<slug:club>/tournaments/<int:pk>/rounds/<int:round>/tables/<int:number>/rulings/"

urlpatterns = [
    path(HERE, rulings.rulings, name="table-rulings"),
    path(f"{HERE}<int:ruling>/back/", rulings.take_back, name="ruling-back"),
]
