"""Fetch the pages of a list of addresses, and import their articles."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from corpus.models import AddressState, Fetch
from corpus.services.fetching import check_fetched, discard_fetch, launch_fetch
from corpus.services.import_storing import begin_storing
from corpus.services.importing import ended
from jobs.management.project_argument import ProjectCommand, add_project_arguments, project_and_user
from jobs.models import JobState
from jobs.services.running import run_here
from paragold.problems import FileProblem
from paragold.sources.address_lists import read_address_list
from paragold.sources.pages.main_text_model import MainTextModel, read_main_text_model
from projects.services.installation import check_fetching

from .import_corpus import describe


class Command(ProjectCommand):
    help = (
        "Fetch the pages of a list of addresses (docs/fetching.md), one at a time from each host, and "
        "import their articles. Without --import the pages wait for review in the browser."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path, help="a CSV or TSV, a text, or a zip or folder of texts")
        parser.add_argument("--check", action="store_true", help="only check the list; fetch nothing")
        parser.add_argument("--import", action="store_true", dest="store", help="import the articles")
        parser.add_argument(
            "--main-text-model",
            "--story-model",
            dest="story_model",
            type=Path,
            help="find the main text with this model",
        )
        parser.add_argument("--encoding", default="utf-8", help="encoding of the list (default utf-8)")
        add_project_arguments(parser, required=False)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["path"]
        if not path.exists():
            raise CommandError(f"{path}: there is no such file or folder.")
        listed = read_address_list(path, encoding=options["encoding"])
        if listed.problems:
            self.stderr.write(describe(path, listed.problems))
            raise CommandError(f"{path}: refused; nothing was fetched.")
        hosts = {one.address.host for one in listed.addresses}
        self.stdout.write(f"{len(listed.addresses):,} addresses of {len(hosts):,} hosts.")
        if options["check"]:
            return
        if options["project"] is None:
            raise CommandError("Name the project with --project SLUG, or check the list with --check.")
        project, user = project_and_user(options)
        check_fetching()
        model = self.model(options["story_model"])
        fetch = launch_fetch(project=project, by=user, filename=path.name, listed=listed)
        run_here(job=fetch.job)
        self.report(fetch)
        if options["store"]:
            self.store(fetch, model)

    def model(self, path: Path | None) -> MainTextModel | None:
        try:
            return read_main_text_model(path) if path else None
        except (FileProblem, OSError) as error:
            raise CommandError(str(error)) from error

    def report(self, fetch: Fetch) -> None:
        """A line for each address: what became of it, HTTP status, bytes, seconds, address, reason."""
        fetch.job.refresh_from_db()
        for row in fetch.addresses.defer("page").order_by("number"):
            columns = [row.state, row.status or "-", row.size, f"{row.seconds:.2f}", row.url, row.reason]
            self.stdout.write("\t".join(str(one) for one in columns).rstrip())
        if fetch.job.state != JobState.DONE:
            raise CommandError(f"The fetch stopped: {fetch.job.error or fetch.job.state}")

    def store(self, fetch: Fetch, model: MainTextModel | None) -> None:
        if not fetch.addresses.filter(state=AddressState.KEPT).exists():
            raise CommandError("No page was fetched; nothing was imported.")
        source = check_fetched(fetch=fetch, by=fetch.requested_by, model=model)
        if source.job:
            run_here(job=source.job)
        source.refresh_from_db()
        if source.state == "checked":
            run_here(job=begin_storing(source=source, by=fetch.requested_by))
        source = ended(source)
        for problem in source.problems:
            self.stderr.write("{file}: {message} {remedy}".format(**problem))
        if source.refused:
            raise CommandError("The articles were refused; nothing was imported. The pages stay.")
        for name, count in source.counts.items():
            self.stdout.write(f"{count:>12,}  {name.replace('_', ' ')}")
        discard_fetch(fetch=fetch)
