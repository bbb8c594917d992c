from django.apps import AppConfig


class AlignmentConfig(AppConfig):
    name = "alignment"
    verbose_name = "Alignment"

    def ready(self) -> None:
        from alignment.api.items import RELATED, links_payload
        from alignment.services import (  # noqa: F401 - they register
            dataset_exports,
            experiments,
            gold_exports,
            refined_error,
            removable,
            suggestions,
        )
        from alignment.services.trained_aligners import applying, training  # noqa: F401 - they register
        from annotation.api.items import ANSWERS, READ_TOGETHER
        from annotation.models import BatchKind

        ANSWERS[BatchKind.LINK] = links_payload
        READ_TOGETHER[BatchKind.LINK] = RELATED
