"""Marks on the blocks of pages, and models of main text trained on them: a version for each new state."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import CorpusImport, MarkedPage, TrainedStoryModel
from paragold.parsing.process import limited
from paragold.problems import FileProblem
from paragold.sources.articles.page_files import read_page
from paragold.sources.pages.blocks import Block
from paragold.sources.pages.main_text_model import MainTextModel, load_main_text_model, train_main_text_model
from paragold.sources.pages.marking import block_rows, blocks_from, blocks_sha256, cross_validated
from paragold.sources.pages.page_reader import page_reader
from projects import storage
from projects.errors import PublicError
from projects.models import Project

from .importing import WAITING, launch_check, options_of, page_count, pages_of
from .uploads import Upload, fetch_upload, upload_path

MARKED_PAGES = 1_000
# So long a request waits for other requests whose pages are being read.
PATIENCE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page of an import that waits: its blocks, whether each is main text, and whether people marked it.

    `number` is from 1; `names` are those of all pages.
    """

    number: int
    names: list[str]
    blocks: list[Block]
    marks: list[bool]
    sha256: str
    marked: MarkedPage | None

    @property
    def name(self) -> str:
        return self.names[self.number - 1]


def page_of(source: CorpusImport, number: int) -> ShownPage:
    """A page with its marks: those that people gave it, or else what the import's method takes for main text.

    Raises PublicError when there is no such page, or it cannot be read.
    """
    pages = pages_of(source)
    if not 1 <= number <= len(pages):
        raise PublicError("There is no such page. Pages can be marked while an import of HTML pages waits.")
    try:
        text = limited(read_page, fetch_upload(source.token), pages[number - 1])
        # The page was read when the import was checked: it is within the bounds, and quickly read again.
        blocks, suggested = page_reader().blocks(
            text, model=options_of(source).story_model, patience=PATIENCE_SECONDS
        )
        sha256 = blocks_sha256(blocks)
        marked = source.project.marked_pages.filter(sha256=sha256).first()
        marks = marked.marks if marked else suggested
    except FileProblem as refusal:
        raise PublicError(f"{pages[number - 1].name}: {refusal.message}") from refusal
    return ShownPage(number, [page.name for page in pages], blocks, marks, sha256, marked)


@transaction.atomic
def mark_page(*, project: Project, by: User | None, shown: ShownPage, story: Sequence[int]) -> MarkedPage:
    """Store which blocks of a page are main text, by their numbers from 0; earlier marks are replaced.

    Raises PublicError for a number that no block has, and when the project has very many pages.
    """
    Project.objects.select_for_update().get(pk=project.pk)
    chosen = set(story)
    if not chosen <= set(range(len(shown.blocks))):
        raise PublicError(
            f"Blocks of this page have the numbers 0 to {len(shown.blocks) - 1}.", field="story"
        )
    known = project.marked_pages.filter(sha256=shown.sha256).exists()
    if not known and project.marked_pages.count() >= MARKED_PAGES:
        raise PublicError(f"The project has {MARKED_PAGES:,} marked pages. Remove some first.")
    page, _ = MarkedPage.objects.update_or_create(
        project=project,
        sha256=shown.sha256,
        defaults={
            "name": shown.name[:400].replace("\0", ""),
            "blocks": block_rows(shown.blocks),
            "marks": [number in chosen for number in range(len(shown.blocks))],
            "marked_by": by,
        },
    )
    return page


@transaction.atomic
def train_main_text(*, project: Project, by: User | None) -> TrainedStoryModel:
    """Count a model from all marked pages: a new version, or the latest if nothing has changed since.

    Raises PublicError when there are too few pages, or blocks of one kind only.
    """
    Project.objects.select_for_update().get(pk=project.pk)
    pages = [
        (blocks_from(page.blocks), page.marks) for page in project.marked_pages.order_by("sha256").iterator()
    ]
    try:
        model = train_main_text_model(pages)
    except FileProblem as refusal:
        raise PublicError(f"{refusal.message} {refusal.remedy}") from refusal
    numbers = model.to_json()
    sha256 = hashlib.sha256(numbers.encode()).hexdigest()
    latest = project.story_models.order_by("-version").first()
    if latest is not None and latest.sha256 == sha256:
        return latest
    figures = cross_validated(pages)
    return TrainedStoryModel.objects.create(
        project=project,
        version=latest.version + 1 if latest else 1,
        numbers=json.loads(numbers),
        sha256=sha256,
        pages=model.pages,
        blocks=model.blocks,
        figures=asdict(figures) if figures else {},
        trained_by=by,
    )


def loaded(trained: TrainedStoryModel) -> MainTextModel:
    """A version as something that labels blocks."""
    return load_main_text_model(json.dumps(trained.numbers))


@transaction.atomic
def check_again(*, source: CorpusImport, by: User | None, trained: TrainedStoryModel | None) -> CorpusImport:
    """Have the main text of an import's pages found again, by a trained model or by trafilatura (None).

    The import that waits is replaced by the one that is returned. Raises PublicError when it holds no pages.
    """
    source = CorpusImport.objects.select_for_update(of=("self",)).select_related("project").get(pk=source.pk)
    if not page_count(source):
        raise PublicError("The method can only be chosen while an import of HTML pages waits.")
    user, size = by.pk if by else 0, storage.size(upload_path(source.token))
    encoding = source.options["encoding"]
    upload = Upload(source.token, source.filename, encoding, source.project_id, user, size)
    options = replace(options_of(source), story_model=loaded(trained) if trained else None)
    return launch_check(project=source.project, by=by, upload=upload, options=options)


MAX_WAITING = 10


def waiting_for_a_method(project: Project) -> list[CorpusImport]:
    """The project's imports whose pages may be read by another method, the latest first."""
    archives = project.imports.filter(state__in=WAITING, options__format="archive").order_by("-pk")
    return [source for source in archives[:MAX_WAITING] if page_count(source)]


def method_of(source: CorpusImport) -> str:
    """By what an import's pages were read: "trafilatura", or the version of the project's model."""
    numbers = source.options.get("story_model")
    if not numbers:
        return "trafilatura"
    sha256 = hashlib.sha256(numbers.encode()).hexdigest()
    known = source.project.story_models.filter(sha256=sha256).first()
    return str(known) if known else "a model from a file"
