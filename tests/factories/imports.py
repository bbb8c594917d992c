"""Imports of judgements and links from files, within the test's process."""

from types import SimpleNamespace

from alignment.imports import LINKS
from annotation.imports import ANNOTATOR, JUDGEMENTS
from corpus.services.importing import import_here
from paragold.formats.judgement_formats import Reading
from paragold.problems import FileProblem
from projects.errors import PublicError


def import_judgements(
    *, project, path, name="", by=None, filename=None, reading=None, annotator=None, check=False, **options
):
    """The import, with what it became; problems of the file are in `problems`. Raises PublicError."""
    reading = reading or Reading()
    spec = JUDGEMENTS.spec(
        name=name,
        whose=f"{ANNOTATOR}{annotator}" if annotator else "gold",
        file_format=reading.format,
        threshold=reading.threshold,
        partial_threshold=reading.partial_threshold,
        judge=reading.judge,
        **options,
    )
    columns = reading.columns
    return _import(JUDGEMENTS, spec, columns, project, by, {"file": path}, filename or path.name, check)


def import_links(
    *, project, path, batch, by=None, whose=None, suggest_to=None, check=False, source=None, target=None,
    **options,
):  # fmt: skip
    """The same for links, of an annotator (`whose`), suggestions, or gold. Raises FileProblem too."""
    become = f"{ANNOTATOR}{whose}" if whose else "gold" if suggest_to is None else "suggestions"
    spec = LINKS.spec(
        batch=batch,
        whose=become,
        annotators=",".join(suggest_to or ()),
        **options,
    )
    paths = {"file": path} | ({"source": source, "target": target} if source else {})
    done = _import(LINKS, spec, {}, project, by, paths, path.name, check)
    if done.problems:
        raise FileProblem.of(done.problems)
    return done


def _import(kind, spec, columns, project, by, paths, filename, check):
    source = import_here(
        project=project, by=by, paths=paths, filename=filename, options=kind.options(spec, columns, project),
        check_only=check,
    )  # fmt: skip
    problems = [FileProblem(**problem) for problem in source.problems]
    if problems and not problems[0].remedy:
        raise PublicError(problems[0].message)
    rows = dict.fromkeys(kind.results) | kind.made(source)
    return SimpleNamespace(
        status=source.state, source=source, problems=problems, counts=source.counts, **rows
    )
