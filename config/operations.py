"""All operations that are launched in a project; a new one is declared in its app's `operations.py`."""

from alignment import operations as alignment
from annotation import operations as annotation
from corpus import operations as corpus

OPERATIONS = {
    operation.kind: operation
    for operation in (*corpus.OPERATIONS, *annotation.OPERATIONS, *alignment.OPERATIONS)
}
