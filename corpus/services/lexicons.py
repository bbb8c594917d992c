"""Lexicons of word pairs, built from a dataset, and how people rate them (Brockett and Dolan 2005, 3.4)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import CandidatePair, Dataset, Lexicon, LexiconEntry, LexiconKind, LexiconRating, Verdict
from corpus.models.candidate_pair import CandidatePairQuerySet
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.removal import keep_own
from paragold.classification.settings import PAPER_RANKS, LexiconSpec
from paragold.languages import language
from paragold.statistics import wilson_interval
from projects.errors import PublicError
from projects.models import Project
from projects.services.projects import next_version

if TYPE_CHECKING:
    from paragold.classification.association import Association
    from paragold.classification.lexicons import Lexicon as WordLexicon

KIND = "build_lexicon"
# The number of ranks between two points of figure 1.
COVERAGE_STEP = 100
ROWS_AT_ONCE = 2_000
# With fewer rated pairs the interval is so wide that the score says nothing.
MIN_RATED = 30


@transaction.atomic
def launch_lexicon(
    *,
    project: Project,
    by: User | None,
    name: str,
    spec: LexiconSpec,
    dataset: Dataset | None = None,
) -> Lexicon:
    """Ask for the next version of a lexicon, of the word pairs that a dataset's residue holds.

    In a project of two languages it has translations, learned from the dataset or, without one, from all
    imported pairs. Raises PublicError for what cannot be built, such as relations of WordNet where no wordnet
    of the language is installed.
    """
    keep_own(project, dataset, field="dataset")
    from paragold.text.stemming import stemmer_name

    name = name.strip()
    if not name:
        raise PublicError("A lexicon needs a name.", field="name")
    if project.second_language and spec.kind != LexiconKind.ASSOCIATION:
        raise PublicError("Translations are learned by word association.", field="kind")
    if dataset is None and not project.second_language:
        raise PublicError("Choose a dataset.", field="dataset")
    pairs = dataset.size if dataset else seeds_of(project, dataset).count()
    if not pairs:
        raise PublicError("There are no imported pairs. Choose a dataset.", field="dataset")
    stemmer = stemmer_name(project.language)
    if spec.kind == LexiconKind.MORPHOLOGY and stemmer is None:
        raise PublicError(
            "There is no stemmer for the language %(language)s.", field="kind", language=project.language
        )
    if spec.kind == LexiconKind.WORDNET:
        _open(spec.kind, project.language)
    version = next_version(project.lexicons, name)
    parameters = {name: value for name, value in spec.as_json().items() if name != "kind"}
    parameters["language"] = project.language
    if project.second_language:
        parameters["second_language"] = project.second_language
    job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=f"Build {name} v{version}",
        parameters={"kind": spec.kind, **parameters, "units": "pairs"},
        signature=f"{KIND}|{spec.signature()}",
        chunks=[ledger.ChunkPlan(units=pairs, payload={})],
        short=pairs <= ledger.SHORT_LEXICON_PAIRS,
    )
    lexicon = Lexicon.objects.create(
        project=project,
        job=job,
        dataset=dataset,
        kind=spec.kind,
        name=name,
        version=version,
        parameters=parameters,
    )
    ledger.hand_over(job)
    return lexicon


def spec_of(lexicon: Lexicon) -> LexiconSpec:
    """The parameters of a lexicon."""
    values = {name: value for name, value in lexicon.parameters.items() if not name.endswith("language")}
    return LexiconSpec.from_json({"kind": lexicon.kind, **values})


def _open(kind: str, tag: str) -> WordLexicon:
    """Morphological variants, or relations of the language's wordnet. Raises PublicError without one."""
    from paragold.classification.lexicons import morphological_variants, synonyms_and_hypernyms
    from paragold.text.installed_wordnets import wordnet_of
    from paragold.text.stemming import Stemmer, stemmer_name
    from paragold.text.wordnet import WordNetError

    if kind == LexiconKind.MORPHOLOGY:
        return morphological_variants(Stemmer(stemmer_name(tag) or ""))
    rules = language(tag)
    try:
        return synonyms_and_hypernyms(wordnet_of(rules.tag), rules.function_words)
    except WordNetError as error:
        raise PublicError(str(error), field="kind") from error


def compute(job: Job, chunk: JobChunk) -> tuple[list[LexiconEntry], dict[str, Any]]:
    """The word pairs, best first, and the figures of the lexicon."""
    from paragold.classification.association import facing_pairs, known_pairs, share_by_rank, trivial
    from paragold.text.stemming import stemmer_name

    lexicon = job.lexicon
    parameters = lexicon.parameters
    stemmer = stemmer_name(parameters["language"])
    signatures = {}
    if lexicon.kind == LexiconKind.ASSOCIATION:
        pairs: Sequence[Association] = associate_dataset(lexicon)
    else:
        known = _open(lexicon.kind, parameters["language"])
        signatures[lexicon.kind] = known.signature
        pairs = facing_pairs(
            texts_of(seeds_of(lexicon.project, lexicon.dataset)),
            known,
            ranks=parameters["ranks"],
            min_together=parameters["min_together"],
            language=language(parameters["language"]),
        )
    related: list[bool | None] = [None] * len(pairs)
    if "second_language" not in parameters and not wordnet_problem(parameters["language"]):
        wordnet = _open(LexiconKind.WORDNET, parameters["language"])
        signatures["wordnet"] = wordnet.signature
        related = list(known_pairs(pairs, wordnet))
    # Translations that differ in spelling alone are as good as others.
    plain = [False] * len(pairs) if "second_language" in parameters else trivial(pairs, stemmer)
    # As the paper does: pairs that differ in spelling alone say nothing of either lexicon.
    shown = [bool(inside) for inside, alike in zip(related, plain, strict=True) if not alike]
    entries = [
        LexiconEntry(
            lexicon=lexicon, rank=rank, in_wordnet=inside, trivial=alike,
            **dict(zip(("first", "second", "score", "together", "linked"), pair, strict=True)),
        )
        for rank, (pair, inside, alike) in enumerate(zip(pairs, related, plain, strict=True), start=1)
    ]  # fmt: skip
    coverage = share_by_rank(shown, step=COVERAGE_STEP) if "wordnet" in signatures else []
    return entries, {"coverage": coverage, "signatures": signatures}


def store(job: Job, result: tuple[list[LexiconEntry], dict[str, Any]]) -> dict[str, int]:
    entries, figures = result
    lexicon = job.lexicon
    LexiconEntry.objects.bulk_create(entries, batch_size=ROWS_AT_ONCE)
    digest = sha256()
    for entry in entries:
        digest.update(
            f"{entry.first}\t{entry.second}\t{entry.score}\t{entry.together}\t{entry.linked}\n".encode()
        )
    parts = [
        f"lexicon|{spec_of(lexicon).signature()}|language:{'>'.join(_languages(lexicon))}",
        *(f"{name}:{signature}" for name, signature in sorted(figures["signatures"].items())),
        f"pairs:{len(entries)}",
        f"sha256:{digest.hexdigest()[:16]}",
    ]
    lexicon.size, lexicon.figures, lexicon.signature = len(entries), figures, "|".join(parts)
    lexicon.save(update_fields=["size", "figures", "signature"])
    return {"word_pairs": len(entries)}


def _languages(lexicon: Lexicon) -> list[str]:
    names = ("language", "second_language")
    return [lexicon.parameters[name] for name in names if name in lexicon.parameters]


def seeds_of(project: Project, dataset: Dataset | None) -> CandidatePairQuerySet:
    """The pairs of a dataset, or without one the imported pairs."""
    return dataset.pairs() if dataset else CandidatePair.objects.filter(project=project).imported()


def texts_of(pairs: CandidatePairQuerySet) -> Iterator[tuple[str, str]]:
    """The texts of those pairs that may be trained on, in an order that depends on the texts alone."""
    rows = pairs.for_training().order_by("content_key", "pk")
    yield from rows.values_list("sentence_a__text", "sentence_b__text").iterator(chunk_size=ROWS_AT_ONCE)


def associate_dataset(lexicon: Lexicon, *, without: Collection[frozenset[str]] = ()) -> list[Association]:
    """Word association as a lexicon was asked for, apart from pairs whose two texts are among `without`."""
    from paragold.classification.association import associate

    seeds = seeds_of(lexicon.project, lexicon.dataset)
    texts = (pair for pair in texts_of(seeds) if frozenset(pair) not in without)
    own, *others = map(language, _languages(lexicon))
    return associate(texts, spec_of(lexicon), language=own, second_language=others[0] if others else None)


@transaction.atomic
def rate_entry(*, entry: LexiconEntry, by: User, verdict: str | None) -> None:
    """Store what somebody says of a word pair, one of `Verdict`; None takes the rating back."""
    if verdict is None:
        LexiconRating.objects.filter(entry=entry, rater=by).delete()
    else:
        LexiconRating.objects.update_or_create(entry=entry, rater=by, defaults={"verdict": verdict})


@dataclass(frozen=True, slots=True)
class Goodness:
    """Goodness of the 1,500 best word pairs, without trivial ones (Brockett and Dolan 2005, 3.4).

    Of those that WordNet does not have: rated_by_one: waiting for a second person, counted nowhere;
    rated_by_two: rated by two people or more; disagreed: those of them on which the raters disagree; phrases:
    those that all call parts of phrases. Neither of these two counts further: rated is what is left, and good
    those of it that all call good. Shares are 0 to 1, intervals [low, high] at 95 %.
    """

    pairs: int
    in_wordnet: int
    rated_by_one: int
    rated_by_two: int
    disagreed: int
    phrases: int
    rated: int
    good: int

    @property
    def share_in_wordnet(self) -> float:
        """Share of the word pairs that is in WordNet, 0 to 1; 0.4653 in the paper."""
        return self.in_wordnet / self.pairs if self.pairs else 0.0

    @property
    def share_good(self) -> float | None:
        return self.good / self.rated if self.rated else None

    @property
    def score(self) -> float | None:
        """The share in WordNet, and of the rest the share that is good; 0 to 1, None without a rating."""
        if self.share_good is None:
            return None
        return self.share_in_wordnet + (1 - self.share_in_wordnet) * self.share_good

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of `score`: Wilson's of the share that is good; None without a rating."""
        if not self.rated:
            return None
        low, high = wilson_interval(self.good, self.rated)
        known = self.share_in_wordnet
        return known + (1 - known) * low, known + (1 - known) * high

    @property
    def enough(self) -> bool:
        """Whether so many pairs are rated that the score says something."""
        return self.rated >= MIN_RATED

    @property
    def agreement(self) -> float | None:
        """Of the pairs that two or more people have rated, the share on which all agree; 0 to 1."""
        return (self.rated_by_two - self.disagreed) / self.rated_by_two if self.rated_by_two else None

    @property
    def agreement_interval(self) -> tuple[float, float] | None:
        """Its 95 % interval (Wilson)."""
        if not self.rated_by_two:
            return None
        low, high = wilson_interval(self.rated_by_two - self.disagreed, self.rated_by_two)
        return low, high


def goodness(lexicon: Lexicon, *, ranks: int = PAPER_RANKS) -> Goodness | None:
    """The goodness of a lexicon's best `ranks` word pairs, trivial ones taken out before they are counted.

    None where nobody knows what WordNet has.
    """
    known = dict(lexicon.entries.filter(trivial=False).values_list("pk", "in_wordnet")[:ranks])
    if not known or None in known.values():
        return None
    verdicts: dict[int, list[str]] = defaultdict(list)
    rest = [pk for pk, inside in known.items() if not inside]
    for entry, verdict in LexiconRating.objects.filter(entry__in=rest).values_list("entry_id", "verdict"):
        verdicts[entry].append(verdict)
    by_two = [given for given in verdicts.values() if len(given) > 1]
    agreed = Counter(given[0] for given in by_two if len(set(given)) == 1)
    return Goodness(
        pairs=len(known),
        in_wordnet=len(known) - len(rest),
        rated_by_one=len(verdicts) - len(by_two),
        rated_by_two=len(by_two),
        disagreed=len(by_two) - agreed.total(),
        phrases=agreed[Verdict.PHRASE],
        rated=agreed[Verdict.GOOD] + agreed[Verdict.BAD],
        good=agreed[Verdict.GOOD],
    )


FILE_COLUMNS = ("rank", "first", "second", "score", "together", "in_wordnet", "trivial")


def as_tsv(lexicon: Lexicon) -> Iterator[str]:
    """The lines of a lexicon's file, best pair first; yes, no, or nothing where WordNet is not known."""
    yield "\t".join(FILE_COLUMNS) + "\n"
    words = {True: "yes", False: "no", None: ""}
    rows = lexicon.entries.order_by("rank").values_list(*FILE_COLUMNS)
    for rank, first, second, score, together, in_wordnet, trivial in rows.iterator(chunk_size=ROWS_AT_ONCE):
        cells = (rank, first, second, f"{score:g}", together, words[in_wordnet], words[trivial])
        yield "\t".join(map(str, cells)) + "\n"


RUNNER = Runner(compute=compute, store=store)


def wordnet_problem(tag: str) -> str:
    """Why there is no wordnet for text of a language, and what to do; "" where there is one."""
    from paragold.text.installed_wordnets import wordnet_problem

    return wordnet_problem(language(tag).tag)
