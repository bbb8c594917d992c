from django.apps import AppConfig


class CorpusConfig(AppConfig):
    name = "corpus"
    verbose_name = "Corpus"

    def ready(self) -> None:
        from corpus.services import password_changes, removable  # noqa: F401 - registers what can be deleted

        password_changes.connect()
