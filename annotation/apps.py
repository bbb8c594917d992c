from django.apps import AppConfig


class AnnotationConfig(AppConfig):
    name = "annotation"
    verbose_name = "Annotation"

    def ready(self) -> None:
        from annotation.services import removable  # noqa: F401 - registers what can be deleted
        from annotation.services.classifiers import applying, training  # noqa: F401 - registers runners
