"""Gold as files, with and without a job."""

from pathlib import Path
from tempfile import TemporaryDirectory

from alignment.services.export_store import export_of
from alignment.services.exporting import ALL, write_gold
from alignment.services.gold_exports import request_gold_export


def export_gold(**arguments):
    """The export that `request_gold_export` writes at once."""
    export = export_of(request_gold_export(**arguments))
    assert export is not None
    return export


def export_contents(*, gold_set=None, gold_links=None, spec=ALL):
    """The files of an export by path, as `write_gold` writes them, and the manifest."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        description = write_gold(folder, gold_set=gold_set, gold_links=gold_links, spec=spec)
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}, description
