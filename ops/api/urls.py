from projects.api.endpoint import route

from .deletion import DeletableProjectView

urlpatterns = [
    route("projects/<slug:slug>/", DeletableProjectView, "api-project"),
]
