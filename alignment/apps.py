from django.apps import AppConfig


class AlignmentConfig(AppConfig):
    name = "alignment"
    verbose_name = "Alignment"

    def ready(self) -> None:
        from alignment.api.items import RELATED, links_payload
        from alignment.services import dataset_exports, experiments, refined_error  # noqa: F401 - they register
        from alignment.services.trained_aligners import applying, choosing, training  # noqa: F401 - they register
        from annotation.api.items import ANSWERS, READ_TOGETHER
        from annotation.models import BatchKind

        ANSWERS[BatchKind.LINK] = links_payload
        READ_TOGETHER[BatchKind.LINK] = RELATED
