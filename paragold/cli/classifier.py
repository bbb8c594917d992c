"""Commands for judged pairs and classifiers: associate-words, train-, classify- and score-pairs."""

import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from itertools import compress
from operator import not_
from pathlib import Path
from typing import Any

import numpy as np

from paragold.classification.classes import ASSOCIATION, CLASSES, EXTRA_CLASSES, WORDNET
from paragold.classification.classifier import Classifier, LexiconError, accepted
from paragold.classification.lexicons import ENGLISH, open_lexicons
from paragold.classification.pair_scorers import PAIR_SCORERS, added_classes
from paragold.classification.settings import PAPER_RANKS, PAPER_SHARE, ClassifierSpec, LexiconSpec
from paragold.classification.training import (
    FOLDS,
    Figures,
    LabelledPairs,
    Training,
    ablation,
    evaluate,
    learning_curve,
    thresholds,
    train_classifier,
)
from paragold.cli.arguments import (
    add_arguments,
    add_file,
    add_flag,
    add_repeated,
    add_set,
    parse_values,
    spec_from,
)
from paragold.cli.console import (
    CommandProblem,
    Console,
    OptionProblem,
    Options,
    Report,
    add_output,
    figures,
    percent,
)
from paragold.formats.labelled_pairs import TextPair, each_pair, read_pairs
from paragold.formats.tables import write_tsv
from paragold.formats.text_files import is_stream, whole_file
from paragold.languages import TAG, Language, language, language_of_stemmer
from paragold.parallel import portions
from paragold.problems import quoted
from paragold.text.stemming import LANGUAGES, stemmer_given
from paragold.text.wordnet import WordNetError

LEXICON_COLUMNS = (
    *("rank", "first", "second", "linked", "together"),
    *("log_likelihood_ratio", "in_wordnet", "trivial"),
)
RANK_STEP = 100
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
RATES = ("error", "f", "precision", "recall")
DECISION_COLUMNS = (
    *("predicted", "probability", "decision", "label", "cluster"),
    *("first_id", "second_id", "first", "second"),
)
REASONS = 3
PAIRS_CLASSIFIED_AT_ONCE = 20_000
PAIRS_SCORED_AT_ONCE = 1 << 13


def _associate_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "pairs", "pairs by extract-pairs", nargs="+", metavar="FILE")
    add_arguments(parser, LexiconSpec, leave_out=["kind"])
    parser.add_argument("--language", default=ENGLISH, type=_language, metavar="NAME", help="of the text")
    second = "of the second sentences, where they are translations: word pairs are then translations, too"
    parser.add_argument("--second-language", type=_language, metavar="NAME", help=second)
    add_output(parser, "--output", required=True, metavar="TSV")


def _language(name: str) -> str:
    """A name of LANGUAGES, also where its tag is given; the tag of a language without a stemmer."""
    if name in LANGUAGES:
        return name
    if not TAG.fullmatch(name):
        raise ArgumentTypeError(
            f"{quoted(name)} is no language: write a name such as dutch, or a tag such as nl"
        )
    return str(stemmer_given(name))


def _associate_words(options: Options, console: Console) -> Report:
    """Build a lexicon of word association from sentence pairs (Moore 2001), best word pairs first. Of
    sentences in two languages, a lexicon of translations, for match-translations."""
    # Here and not above: its compiled loops cost the commands that apply a classifier 100 MB.
    from paragold.classification.association import associate, known_pairs, share_by_rank, trivial

    spec = spec_from(LexiconSpec, options)
    texts = [(pair.first, pair.second) for path in options["pairs"] for pair in each_pair(path)]
    own, second = (name and _rules_of(name) for name in (options["language"], options["second_language"]))
    pairs = associate(texts, spec, language=own, second_language=second)
    # What WordNet has, and what differs in spelling alone, is asked of words of one language.
    lexicons, notes = open_lexicons([] if second else [WORDNET], None, options["language"])
    for note in notes:
        console.warn(note)
    inside = known_pairs(pairs, lexicons.by_class[WORDNET]) if lexicons.by_class else None
    stemmer = options["language"] if options["language"] in LANGUAGES else None
    plain = [False] * len(pairs) if second else trivial(pairs, stemmer)
    known = [""] * len(pairs) if inside is None else [int(has) for has in inside]
    rows = []
    for rank, (pair, in_wordnet, alike) in enumerate(zip(pairs, known, plain, strict=True), start=1):
        *both, score, together, linked = pair
        of_passes = "" if linked is None else linked, together, score
        rows.append([str(cell) for cell in (rank, *both, *of_passes, in_wordnet, int(alike))])
    write_tsv(options["output"], LEXICON_COLUMNS, rows)
    shares = share_by_rank(list(compress(inside, map(not_, plain))), step=RANK_STEP) if inside else []
    value: dict[str, Any] = {"sentence_pairs": len(texts), "word_pairs": len(pairs), "trivial": sum(plain)}
    value |= {"coverage": shares, "signature": spec.signature()}
    lines = [f"{len(texts):,} sentence pairs, {len(pairs):,} word pairs, {sum(plain):,} trivial ones."]
    if second:
        return value, lines[0]
    for rank, share in shares:
        if rank in (RANK_STEP, PAPER_RANKS) or rank == shares[-1][0]:
            lines.append(f"In WordNet, of the first {rank:,} non-trivial: {percent(share)} %.")
    lines.append(f"In the paper, among the first {PAPER_RANKS:,}: {percent(PAPER_SHARE)} %.")
    return value, "\n".join(lines)


def _rules_of(name: str) -> Language:
    return language_of_stemmer(name) if name in LANGUAGES else language(name)


def _train_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "--pairs", "MSR paraphrase TSV, or label TAB sentence TAB sentence", required=True)
    add_output(parser, "--output", required=True, help="the model, as .npz")
    learned = "pairs (as of extract_pairs) that word association is learned from; may be repeated"
    add_repeated(parser, "--association", "ASSOCIATION", learned, type=Path)
    add_arguments(parser, LexiconSpec, leave_out=["kind"])
    classes = (
        ("--without", "without", "leave a feature class out", CLASSES),
        ("--with", "extra", "turn a class on that is off by default", (*EXTRA_CLASSES, *added_classes())),
    )
    for option, dest, does, names in classes:
        help = f"{does}; may be repeated: {', '.join(names)}"
        add_repeated(parser, option, "CLASS", help, choices=names, dest=dest)
    add_arguments(parser, ClassifierSpec, leave_out=("classes",))
    add_flag(parser, "--ablation", "print the scores without each feature class")
    add_flag(parser, "--curve", "print the learning curve")


def _train_classifier(options: Options, console: Console) -> Report:
    """Train a paraphrase classifier: --pairs FILE --output MODEL.npz [--association FILE] [--ablation]."""
    started = time.monotonic()
    classes = frozenset({*CLASSES, *options["extra"]} - {*options["without"]})
    spec = spec_from(ClassifierSpec, options, classes=classes)
    pairs = read_pairs(options["pairs"])
    association = _association(pairs, options) if ASSOCIATION in spec.classes else None
    lexicons, notes = open_lexicons(
        spec.classes, association, spec.language, lookup=spec.lookup, encoder=spec.encoder
    )
    for note in notes:
        console.warn(note)
    labelled = LabelledPairs(pairs, lexicons, spec)
    console.progress("training and cross-validation")
    classifier, trained = train_classifier(labelled)
    console.progress("ablation and learning curve")
    rows = ablation(labelled) if options["ablation"] else []
    points = learning_curve(labelled) if options["curve"] else []
    classifier.save(options["output"])
    seconds = round(time.monotonic() - started, 1)
    by_threshold = thresholds(labelled.labels, trained["probabilities"], steps=THRESHOLDS)
    space = classifier.model[0]
    value = {
        **classifier.training,
        "classes": list(labelled.classes),
        "features": len(space.names),
        "word_pairs": len(space.word_pairs),
        "calibration": trained["calibration"],
        "thresholds": by_threshold,
        "ablation": rows,
        "learning_curve": points,
        "lexicons": dict(classifier.signatures),
        "notes": notes,
        "seconds": seconds,
    }
    text = _figures_in_words(labelled, classifier, trained, by_threshold, rows, points)
    return value, f"{text}\n\n{options['output']}: written after {seconds} seconds."


def _association(pairs: list[TextPair], options: Options) -> list[tuple[str, str]] | None:
    """Word pairs of the association files, best first, or None without such a file.

    Pairs that are labelled as well are left out: a lexicon made of the pairs that cross-validation
    holds back would flatter its figures.
    """
    if not options["association"]:
        return None
    from paragold.classification.association import associate

    labelled = {frozenset((pair.first, pair.second)) for pair in pairs}
    texts = [
        (pair.first, pair.second)
        for path in options["association"]
        for pair in each_pair(path)
        if frozenset((pair.first, pair.second)) not in labelled
    ]
    language = language_of_stemmer(options["language"])
    return [pair[:2] for pair in associate(texts, spec_from(LexiconSpec, options), language=language)]


def _figures_in_words(
    labelled: LabelledPairs,
    classifier: Classifier,
    trained: Training,
    by_threshold: list[Figures],
    rows: list[Figures],
    points: list[Figures],
) -> str:
    measures, space = trained["measures"], classifier.model[0]
    names = ("error", "accuracy", "precision", "recall", "f")
    text = [
        f"{len(labelled.labels):,} pairs, {int(labelled.labels.sum()):,} paraphrases; "
        f"classes: {', '.join(labelled.classes)}; {len(space.names):,} features, "
        f"{len(space.word_pairs):,} of them single word pairs; "
        f"C {classifier.training['settings']['c']:g}.\n",
        f"{FOLDS}-fold cross-validation, in percent:",
        figures(
            ["", "", "95 % interval"],
            [
                [name, percent(measures[name]), " to ".join(map(percent, measures["intervals"][name]))]
                for name in names
            ],
        ),
        f"always the more frequent label: error {percent(measures['majority_error'])}",
        f"calibration: Brier score {trained['calibration']['brier']:.3f}, "
        f"expected error {percent(trained['calibration']['expected_error'])}\n",
        figures(
            ["threshold", "precision", "recall", "F", "kept"],
            [
                [f"{row['probability']:.1f}"]
                + [percent(row[name]) for name in ("precision", "recall", "f", "kept_share")]
                for row in by_threshold
            ],
        ),
    ]
    head = ["error", "F", "precision", "recall"]
    if rows:
        cells = [[one["name"], f"{one['dimensions']:.0f}", *_rates(one["measures"])] for one in rows]
        text.append("\n" + figures(["feature classes", "columns", *head], cells))
    if points:
        cells = [[f"{one['pairs']:,}", *_rates(one["measures"])] for one in points]
        text.append("\n" + figures(["Trained on pairs", *head], cells))
    return "\n".join(text)


def _rates(measures: Figures) -> list[str]:
    return [percent(measures[name]) for name in RATES]


def _classify_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "--model", "from train_classifier", required=True)
    add_file(parser, "--pairs", "labelled pairs or pairs by extract_pairs", required=True)
    add_output(parser, "--output", required=True, help="one line per pair, in the same order")
    parser.add_argument(
        "--threshold",
        type=float,
        help="minimum probability of an accepted pair (default: the sign of the decision value)",
    )
    add_flag(parser, "--reasons", f"add the {REASONS} features that weigh most in each pair")


def _classify_pairs(options: Options, console: Console) -> Report:
    """Classify pairs: --model MODEL.npz --pairs FILE --output FILE.tsv [--threshold P] [--reasons]."""
    started = time.monotonic()
    threshold = options["threshold"]
    if threshold is not None and not 0 <= threshold <= 1:
        raise OptionProblem("--threshold takes a probability from 0 to 1.")
    _refuse_same_file(options, "pairs", "model")
    labels, kept = list[bool | None](), list[bool]()
    try:
        classifier = Classifier.load(options["model"])
        with whole_file(options["output"]) as output:
            header = [*DECISION_COLUMNS, *["reasons"] * options["reasons"]]
            output.write(("\t".join(header) + "\n").encode())
            for pairs in portions(each_pair(options["pairs"]), PAIRS_CLASSIFIED_AT_ONCE):
                texts, contexts = [(one.first, one.second) for one in pairs], [one.context for one in pairs]
                values, probabilities = classifier.decide(texts, contexts)
                reasons = None
                if options["reasons"]:
                    reasons = classifier.contributions(texts, contexts, maximum=REASONS)
                of_these = accepted(values, probabilities, threshold).tolist()
                lines = _lines(pairs, of_these, values.tolist(), probabilities.tolist(), reasons)
                output.writelines(line.encode() for line in lines)
                labels += [pair.label for pair in pairs]
                kept += of_these
                console.progress(f"{len(kept):,} pairs")
    except (LexiconError, WordNetError) as error:
        raise CommandProblem(str(error)) from error
    counted: dict[str, Any] = {
        "pairs": len(labels),
        "accepted": sum(kept),
        "features": len(classifier.model[0].names),
    }
    if None not in labels:
        counted.update(evaluate(np.array(labels, dtype=bool), np.array(kept)))
    counted["seconds"] = round(time.monotonic() - started, 2)
    text = [f"{counted['accepted']:,} of {len(labels):,} pairs accepted."]
    measures = [name for name in ("accuracy", "precision", "recall", "f") if name in counted]
    text += [f"  {name:<10}{100 * counted[name]:6.2f}" for name in measures]
    return counted, "\n".join(text)


def _refuse_same_file(options: Options, *inputs: str) -> None:
    output = options["output"]
    if not is_stream(output) and output.resolve() in [options[name].resolve() for name in inputs]:
        raise OptionProblem("--output is also an input. Choose another file.")


def _lines(
    pairs: list[TextPair],
    predicted: list[bool],
    values: list[float],
    probabilities: list[float],
    reasons: list[list[dict[str, Any]]] | None,
) -> Iterator[str]:
    for row, pair in enumerate(pairs):
        fields = [
            str(int(predicted[row])),
            f"{probabilities[row]:.6f}",
            f"{values[row]:.6f}",
            "" if pair.label is None else str(int(pair.label)),
            *(pair.cluster, *pair.keys, pair.first, pair.second),
        ]
        if reasons is not None:
            fields.append("; ".join(f"{one['name']} {one['amount']:+.3f}" for one in reasons[row]))
        yield "\t".join(fields) + "\n"


def _scorer_arguments(parser: ArgumentParser) -> None:
    scorers = "; ".join(f"{one.id}: {one.label}" for one in PAIR_SCORERS).replace("%", "%%")
    parser.add_argument("--scorer", choices=PAIR_SCORERS.ids(), required=True, help=scorers)
    add_file(parser, "--pairs", "pairs by extract_pairs, or labelled pairs", required=True)
    add_output(parser, "--output", required=True, help="one line per pair, in the same order")
    parameters = sorted({one.name for scorer in PAIR_SCORERS for one in scorer.parameters.parameters()})
    add_set(parser, f"a parameter of the scorer; available: {', '.join(parameters) or 'none'}")


def _score_pairs(options: Options, console: Console) -> Report:
    """Score pairs: --scorer NAME --pairs FILE --output FILE.tsv. Writes `score, first, second` lines."""
    _refuse_same_file(options, "pairs")
    scorer = PAIR_SCORERS.get(options["scorer"])
    parameters = scorer.parameters(**parse_values(options["set"]))
    count, total = 0, 0.0
    with whole_file(options["output"]) as output:
        output.write(b"score\tfirst\tsecond\n")
        for pairs in portions(each_pair(options["pairs"]), PAIRS_SCORED_AT_ONCE):
            scores = scorer.scores([(pair.first, pair.second) for pair in pairs], parameters).tolist()
            for score, pair in zip(scores, pairs, strict=True):
                output.write(f"{score:.6f}\t{pair.first}\t{pair.second}\n".encode())
            count, total = count + len(pairs), total + sum(scores)
            console.progress(f"{count:,} pairs")
    value = {"pairs": count, "mean": total / count, "signature": scorer.signature(parameters)}
    text = f"{count:,} pairs, mean score {value['mean']:.4f}: {options['output']}"
    return value, f"{text}\n{value['signature']}"


COMMANDS = {
    "associate-words": (_associate_arguments, _associate_words),
    "train-classifier": (_train_arguments, _train_classifier),
    "classify-pairs": (_classify_arguments, _classify_pairs),
    "score-pairs": (_scorer_arguments, _score_pairs),
}
