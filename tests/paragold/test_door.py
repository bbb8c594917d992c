import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import paragold as pg
from paragold.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "demo" / "corpus.jsonl"
GOLD = pg.read_links(ROOT / "docs" / "examples" / "links.jsonl")
LABELLED = pg.read_pairs(ROOT / "docs" / "examples" / "labelled.tsv")
PAIR = (["a"], ["b"])


class InThisProcess:
    map = staticmethod(map)


def run(*arguments):
    assert not main([*map(str, arguments)])


def rows_of(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[1:-1]]


def in_order(table, names):
    return table.assign(**{name: table[name].map("{:.6f}".format) for name in names}).to_numpy().tolist()


def test_its_names_are_shown_and_explained():
    assert 35 <= len(pg.__all__) <= 50 and set(pg.__all__) <= set(dir(pg))
    for name in pg.__all__:
        assert getattr(pg, name).__doc__, name


def test_extracted_pairs_are_those_of_the_command(tmp_path):
    for preset, parameters in (("L12", {"min_shared_words": 4}), ("F2", {})):
        pairs = pg.extract(str(CORPUS), preset, **parameters)
        changes = [part for name, value in parameters.items() for part in ("--set", f"{name}={value}")]
        run("extract-pairs", "--input", CORPUS, "--output", tmp_path / "p.tsv", "--preset", preset, *changes)
        texts = pairs.assign(source=pairs["source"].map(" ".join), target=pairs["target"].map(" ".join))
        assert texts.astype(str).to_numpy().tolist() == rows_of(tmp_path / "p.tsv")
        assert len(pairs) == pairs.attrs["counts"]["pairs_kept"] > 20


def test_the_pairs_of_several_files_are_a_table_or_a_folder(tmp_path):
    lines = CORPUS.read_text(encoding="utf-8").splitlines(keepends=True)
    for name, part in (("a", lines[:4]), ("b", lines[4:])):
        (tmp_path / f"{name}.jsonl").write_text("".join(part), encoding="utf-8")
    expected = pg.extract(CORPUS)
    here = {"executor": InThisProcess()}
    assert pg.extract(tmp_path / "*.jsonl", **here).equals(expected)
    written = pg.extract(f"{tmp_path}/*.jsonl", output=tmp_path / "pairs", **here)
    assert written.empty and written.attrs["counts"]["pairs_kept"] == len(expected)
    assert len(pd.read_parquet(tmp_path / "pairs" / "pairs.parquet")) == len(expected)
    mapped = {"folder": tmp_path / "mapped", "function": "characteristics", **here}
    assert pg.map_pairs(tmp_path / "pairs" / "pairs.parquet", **mapped) == len(expected)
    assert "shared_words" in pd.read_parquet(tmp_path / "mapped" / "pairs.parquet")
    assert sum(pg.sample(tmp_path / "pairs", 5, tmp_path / "sample", by="distance").values()) == 5
    texts = pd.DataFrame({"id": ["1", "2"], "text": ["The dam broke at night."] * 2})
    texts.to_parquet(tmp_path / "texts.parquet")
    assert pg.match_many(tmp_path / "texts.parquet", tmp_path / "matched", **here) == 1


def test_a_script_may_extract_from_several_files_as_it_stands(tmp_path):
    script = "import sys, paragold as pg; file = sys.argv[1]\n"
    script += "print(len(pg.extract([file, file])), len(pg.extract(file)))"
    (tmp_path / "script.py").write_text(script)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = [sys.executable, tmp_path / "script.py", CORPUS]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    twice, once = done.stdout.split()
    assert twice == once


@pytest.mark.parametrize("aligner", [pg.Identity(), pg.IBM1(), pg.HMM(hmm_iterations=2), pg.BestAligner()])
def test_an_aligner_draws_the_links_of_the_command_also_after_it_was_saved(aligner, tmp_path):
    rows = zip(GOLD["source"], GOLD["target"], strict=True)
    (tmp_path / "pairs.tsv").write_text("".join(f"{' '.join(a)}\t{' '.join(b)}\n" for a, b in rows))
    changes = ["--set", "hmm_iterations=2"] if aligner.id == "hmm" else []
    output = tmp_path / "links.pharaoh"
    files = ("--input", tmp_path / "pairs.tsv", "--output", output)
    run("align-words", *files, "--aligner", aligner.id, *changes)
    links = aligner.fit(GOLD).predict(GOLD)
    assert [" ".join(f"{i}-{j}" for i, j in row) for row in links["sure"]] == output.read_text().splitlines()
    assert clone(aligner).get_params() == aligner.get_params()
    if aligner.learns_from_pairs:
        aligner.save(str(tmp_path / "model.npz"))
        again = pg.load(tmp_path / "model.npz")
        assert again.predict(GOLD).equals(links)
        assert (again.signature, repr(again)) == (aligner.signature, repr(aligner))


def test_links_and_judgements_are_written_read_merged_drawn_and_converted(tmp_path):
    for format in ("jsonl", "naacl", "pharaoh"):
        pg.write_links(GOLD, tmp_path / "links.gz", format)
        for side in ("source", "target"):
            (tmp_path / side).write_text(
                "".join(" ".join(words) + "\n" for words in GOLD[side]), encoding="utf-8"
            )
        sides = {} if format == "jsonl" else {side: tmp_path / side for side in ("source", "target")}
        again = pg.read_links(tmp_path / "links.gz", format, **sides)
        assert again[["sure", "possible"]].equals(GOLD[["sure", "possible"]])
    identical = pg.Identity().predict(GOLD)
    merged = pg.merge_links([GOLD, identical])
    assert all(set(sure) <= set(both) for sure, both in zip(merged["sure"], identical["sure"], strict=True))
    assert pg.ladder(GOLD.iloc[0]) == pg.ladder(pg.linked_pairs(GOLD)[0])
    assert pg.phrase_pairs(GOLD, longest=2)["count"].is_monotonic_decreasing
    links = ROOT / "docs" / "examples" / "links.jsonl"
    done = pg.convert("links", links, tmp_path / "tasks.json", "label_studio")
    assert (done["pairs"], done["beside"]) == (len(GOLD), ["links.label-studio.xml"])
    again = pg.read_links(tmp_path / "tasks.json")
    assert again[["sure", "possible"]].equals(GOLD[["sure", "possible"]])
    done = pg.convert(
        "judgements", ROOT / "docs" / "examples" / "labelled.tsv", tmp_path / "pairs.csv", "table"
    )
    assert done["pairs"] == len(LABELLED) == len(pg.read_judgements(tmp_path / "pairs.csv"))


def test_the_classifier_is_an_estimator_of_scikit_learn(tmp_path):
    classifier = pg.ParaphraseClassifier(c=0.1).fit(LABELLED)
    pairs = ROOT / "docs/examples/labelled.tsv"
    run("train-classifier", "--pairs", pairs, "--c", 0.1, "--output", tmp_path / "c.npz")
    classifier.save(tmp_path / "own.npz")
    assert (tmp_path / "own.npz").read_bytes() == (tmp_path / "c.npz").read_bytes()
    again = pg.load(tmp_path / "own.npz")
    assert (again.predict_proba(LABELLED) == classifier.predict_proba(LABELLED)).all()
    assert (classifier.predict(LABELLED) == (classifier.decision_function(LABELLED) >= 0)).all()
    [decision] = classifier.decision_function(LABELLED[:1])
    added = classifier.explain(LABELLED[:1])["adds"].sum()
    assert added + classifier.trained.model[2] == pytest.approx(decision)
    measures = pg.cross_validate(classifier, LABELLED)
    assert measures.loc["f", "value"] == classifier.trained.training["cross_validation"]["f"]
    search = GridSearchCV(pg.ParaphraseClassifier(classes=["string"]), {"c": [0.01, 0.1]}, cv=2)
    assert search.fit(LABELLED, LABELLED["label"].astype(bool)).best_params_["c"] in (0.01, 0.1)
    pg.write_pairs(LABELLED, tmp_path / "pairs.txt")
    assert pg.read_pairs(tmp_path / "pairs.txt")["label"].equals(LABELLED["label"])


def test_matched_texts_and_headlines_are_those_of_the_commands(tmp_path):
    texts = tmp_path / "texts.tsv"
    said = [" ".join(words) for words in dict.fromkeys(map(tuple, pg.read_articles(CORPUS)["words"]))][:400]
    texts.write_text("".join(f"{place}\t{text}\n" for place, text in enumerate(said)), encoding="utf-8")
    for method in ("minhash", "exact", "bands"):
        pairs = pg.match(said, method=method)
        run("match-texts", texts, "--method", method, "--output", tmp_path / "matched.tsv")
        assert in_order(pairs, ["score", "jaccard"]) == rows_of(tmp_path / "matched.tsv") != []
        assert pg.match(texts, method=method).equals(pairs)
    headlines = ROOT / "demo" / "headlines.jsonl"
    run("match-headlines", headlines, "--output", tmp_path / "headlines.tsv")
    pairs = pg.match_headlines(pg.read_headlines(headlines))
    shown = in_order(pairs.assign(context=pairs["context"].astype(float)), ["score", "context"])
    assert [["" if cell == "nan" else cell for cell in row] for row in shown] == rows_of(
        tmp_path / "headlines.tsv"
    )
    assert len(pg.associate(LABELLED, min_together=1)) > 0 and len(pg.presets()) == 9


def test_judgements_of_an_export_or_another_file_and_their_agreement(tmp_path):
    judged = pd.read_csv(ROOT / "demo" / "judgements.tsv", sep="\t")
    table = pg.agreement(judged)
    assert table.loc["cohen_kappa a b", "value"] == pytest.approx(0.62, abs=0.01)
    assert pg.agreement(judged, resamples=0)["low"].isna().all()
    # Krippendorff (2011): coincidences yy 2, nn 2, yn and ny 1 each; alpha = 1 - 5 * 2 / (2 * 9).
    rows = [
        (pair, who, label)
        for pair, labels in enumerate(["yy", "nn", "yn"])
        for who, label in zip("ab", labels, strict=True)
    ]
    few = pd.DataFrame([*rows, (3, "a", None)], columns=["pair", "annotator", "label"])
    assert pg.agreement(few).loc["alpha_nominal", "value"] == pytest.approx(4 / 9)
    with pytest.raises(ValueError, match="twice"):
        pg.agreement(pd.concat([few, few]))
    with pytest.raises(ValueError, match="'y' is not among n"):
        pg.agreement(few, ["n"])
    (tmp_path / "judged.tsv").write_text("1\tA dam broke.\tA dam burst.\n0\tA dam broke.\tIt rained.\n")
    assert pg.read_judgements(tmp_path / "judged.tsv")["label"].tolist() == ["paraphrase", "not_paraphrase"]


@pytest.mark.parametrize(
    ("kind", "words", "mistake"),
    [
        (pg.SpecError, "Did you mean hmm_iterations?", lambda: pg.HMM(hmm_iteration=3)),
        (pg.SpecError, "Did you mean min_shared_words?", lambda: pg.extract("x.jsonl", min_shared_word=3)),
        (pg.SpecError, "Did you mean L12", lambda: pg.extract("x.jsonl", preset="l12x")),
        (TypeError, "Split it into words", lambda: pg.Identity().predict([("the cat", "a cat")])),
        (TypeError, "There is no file", lambda: pg.match("no.tsv")),
        (ValueError, "text_a and text_b", lambda: pg.Identity().predict(pd.DataFrame({"one": ["two"]}))),
        (ValueError, "call fit first", lambda: pg.HMM().predict([PAIR])),
        (ValueError, "does not learn from gold", lambda: pg.HMM().fit([], gold=GOLD)),
        (ValueError, "other pairs", lambda: pg.score(GOLD, pg.Identity().predict([PAIR]))),
    ],
)
def test_a_mistake_is_answered_with_what_to_do(kind, words, mistake):
    with pytest.raises(kind) as error:
        mistake()
    assert words in str(error.value)
