"""Extraction from a file of clusters into a file of pairs, without a database."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from pathlib import Path

from paragold.extraction.cluster import ClusterSearch
from paragold.extraction.criteria import Criteria
from paragold.extraction.records import KEY_BYTES, ClusterSentences, new_counts
from paragold.formats.pair_files import PLACEHOLDER_COLUMNS, TSV_COLUMNS
from paragold.formats.tables import UNWRITABLE
from paragold.formats.text_files import is_stream, whole_file
from paragold.languages import language
from paragold.parallel import cores, process_pool
from paragold.problems import FileProblem
from paragold.registry import plugin_failures
from paragold.sources.articles import ArticleReader, ArticleRecord, Cluster

# Enough work to outweigh sending it to another process, little enough to keep progress moving.
CHUNK_SENTENCES = 5_000
# An input of fewer chunks is finished before other processes have started.
CHUNKS_WORTH_A_POOL = 4


ClusterTexts = tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]
"""A cluster by its texts, small to send to another process: its key, and of each article key and sentences.

A sentence is its tokens as printed, separated by spaces.
"""
PairLines = tuple[bytes, list[str], Counter[str]]
"""The content keys of the pairs of some clusters, one after the other; the pairs as lines in canonical order,
without line ends; and the counts.
"""


def extract_lines(clusters: list[ClusterTexts], criteria: Criteria) -> PairLines:
    """Extract from each cluster by itself; a pair found in two of them is in the result twice."""
    with plugin_failures():
        keys, lines, counts = zip(*(cluster_lines(cluster, criteria) for cluster in clusters), strict=True)
    return b"".join(keys), list(chain.from_iterable(lines)), sum(counts, Counter[str]())


def cluster_lines(cluster: ClusterTexts, criteria: Criteria) -> PairLines:
    """The pairs of a cluster as lines of the columns `pair_columns`."""
    cluster_key, articles = cluster
    search = ClusterSearch(ClusterSentences.from_texts([texts for _, texts in articles]), criteria)
    pairs = search.sorted_pairs()
    # Made once for each sentence: there are millions of pairs.
    places = [f"{key}\t{index}" for key, texts in articles for index in range(len(texts))]
    texts = [text for _, texts in articles for text in texts]
    columns = [pairs[name].tolist() for name in ("first", "second", "edit_distance")]
    lines = [
        f"{cluster_key}\t{places[a]}\t{places[b]}\t{distance}\t{texts[a]}\t{texts[b]}"
        for a, b, distance in zip(*columns, strict=True)
    ]
    if criteria.placeholders:
        rules = language(criteria.language)
        shown = [rules.placeholder_text(text.split(" ")) for text in texts]
        lines = [f"{line}\t{shown[a]}\t{shown[b]}" for line, a, b in zip(lines, *columns[:2], strict=True)]
    return pairs["content_key"].tobytes(), lines, search.counts


def pair_columns(criteria: Criteria) -> tuple[str, ...]:
    """The names of the columns of the pairs that these criteria find."""
    return PLACEHOLDER_COLUMNS if criteria.placeholders else TSV_COLUMNS


def extract_file(
    input_path: Path,
    criteria: Criteria,
    output_path: Path,
    *,
    processes: int | None = None,
    progress: Callable[[Counter[str]], None] | None = None,
) -> Counter[str]:
    """Write the candidate pairs of a file of clusters as tab-separated lines and return the counts.

    Clusters are in the order of the input, pairs in canonical order, each two texts once in the whole file.
    The output is seen under its name only when complete; an existing file is replaced then.

    Parameters
    ----------
    input_path, output_path : Path
        Articles as JSON Lines; the pairs.
    criteria : Criteria
        For example those of a preset.
    processes : int, optional
        1 or more; by default one for each core that may be used. Any number writes the same bytes.
    progress : callable, optional
        Called with the counts so far after every chunk of clusters.

    Raises
    ------
    FileProblem
        The input has a problem, the output cannot be written, or the criteria ask for the held-out clusters,
        which a file does not know.
    """
    if processes is None:
        processes = cores()
    if processes < 1:
        raise ValueError(f"processes: {processes} is not a whole number from 1.")
    if criteria.clusters != "all":
        raise FileProblem(
            f"clusters: {criteria.clusters} asks for clusters that a project keeps apart, and a file does "
            "not say which these are.",
            "Extract within a project, or set clusters to all.",
            file=str(input_path),
        )
    problems: list[FileProblem] = []
    counts = new_counts()
    seen: set[bytes] = set()
    with _new_file(input_path, output_path) as write:
        write(["\t".join(pair_columns(criteria)) + "\n"])
        chunks = _chunks(_read(input_path, problems))
        for keys, lines, found in _extract_chunks(chunks, criteria, processes):
            new = []
            for pair, line in enumerate(lines):
                key = keys[KEY_BYTES * pair : KEY_BYTES * (pair + 1)]
                if key not in seen:
                    seen.add(key)
                    new.append(f"{line}\n")
            write(new)
            again = len(lines) - len(new)
            counts.update(found)
            counts.update(pairs_kept=-again, rejected_seen_before=again)
            if progress is not None:
                progress(counts.copy())
        if problems:
            raise FileProblem.of(problems, file=str(input_path))
    return counts


def _read(path: Path, problems: list[FileProblem]) -> Iterator[ClusterTexts]:
    """The clusters up to the first problem; the rest is read for its problems only."""
    report = ArticleReader(path)
    for cluster in report:
        problems.extend(unwritable(cluster))
        if not problems and not report.problems:
            yield cluster_texts(cluster)
    problems.extend(report.problems)
    problems.sort(key=lambda problem: (problem.line, problem.column or 0))


def cluster_texts(cluster: Cluster) -> ClusterTexts:
    """A cluster without all that extraction does not look at."""
    key, articles = cluster
    return key, tuple(
        (article.key, tuple(" ".join(sentence.tokens) for sentence in article.sentences))
        for article in articles
    )


def unwritable(cluster: Cluster) -> Iterator[FileProblem]:
    """The parts of a cluster that cannot be written as tab-separated lines."""
    remedy = (
        "Remove tabs, line ends and lone surrogates: the output has one pair per line, separated by tabs."
    )

    def problem(what: str, article: ArticleRecord) -> FileProblem:
        message = f"{what} cannot be written to the output."
        return FileProblem(message, remedy, line=article.line, file=article.file)

    key, articles = cluster
    if UNWRITABLE.search(key):
        yield problem(f"The cluster id {key!r}", articles[0])
    for article in articles:
        if UNWRITABLE.search(article.key):
            yield problem(f"The article id {article.key!r}", article)
        for index, sentence in enumerate(article.sentences):
            # What is printable as a whole needs no closer look.
            if not sentence.text.isprintable() and UNWRITABLE.search(" ".join(sentence.tokens)):
                yield problem(f"Sentence {index} of the article {article.key!r}", article)


def _chunks(clusters: Iterable[ClusterTexts]) -> Iterator[list[ClusterTexts]]:
    chunk: list[ClusterTexts] = []
    sentences = 0
    for cluster in clusters:
        chunk.append(cluster)
        sentences += sum(len(texts) for _, texts in cluster[1])
        if sentences >= CHUNK_SENTENCES:
            yield chunk
            chunk, sentences = [], 0
    if chunk:
        yield chunk


def _extract_chunks(
    chunks: Iterator[list[ClusterTexts]], criteria: Criteria, processes: int
) -> Iterator[PairLines]:
    """The results in the order of the chunks, few of them waiting at any time."""
    head = list(islice(chunks, CHUNKS_WORTH_A_POOL)) if processes > 1 else []
    if len(head) < CHUNKS_WORTH_A_POOL:
        for chunk in chain(head, chunks):
            yield extract_lines(chunk, criteria)
        return
    with process_pool(processes) as pool:
        waiting: deque[Future[PairLines]] = deque()
        try:
            for chunk in chain(head, chunks):
                waiting.append(pool.submit(extract_lines, chunk, criteria))
                if len(waiting) > 2 * processes:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool as error:
            raise FileProblem(
                "A worker process was killed, usually because memory ran out. Nothing was written.",
                "Try again with fewer processes.",
            ) from error
        finally:
            for future in waiting:
                future.cancel()


@contextmanager
def _new_file(input_path: Path, output_path: Path) -> Iterator[Callable[[Iterable[str]], None]]:
    """A function that writes lines to a file, which is seen under its name when the block ends well."""
    with _reported(output_path):
        is_input = not is_stream(output_path) and output_path.resolve() == input_path.resolve()
    if is_input:
        raise FileProblem("It is also the input.", "Choose another output.", file=str(output_path))
    with ExitStack() as opened:
        with _reported(output_path):
            output = opened.enter_context(whole_file(output_path))

        def write(lines: Iterable[str]) -> None:
            with _reported(output_path):
                output.write("".join(lines).encode())

        yield write
        with _reported(output_path):
            opened.close()


@contextmanager
def _reported(output_path: Path) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise FileProblem(
            f"It cannot be written ({error.strerror}).", "Choose another output.", file=str(output_path)
        ) from error
