import json
import random
import re

import pytest

from paragold.cli.main import main


def plain_rates(gold, scored):
    """Precision, recall and AER of Och and Ney (2003); `gold` has the SURE and the other POSSIBLE links."""
    drawn = sum(len(links) for links in scored)
    sure = sum(len(of_pair) for of_pair, _ in gold)
    drawn_sure = sum(len(links & of_pair) for links, (of_pair, _) in zip(scored, gold, strict=True))
    drawn_possible = sum(
        len(links & (of_pair | others)) for links, (of_pair, others) in zip(scored, gold, strict=True)
    )
    return drawn_possible / drawn, drawn_sure / sure, 1 - (drawn_sure + drawn_possible) / (drawn + sure)


def command_rates(folder, pairs, scored, capsys):
    """What `score-links` prints, in percent, for gold pairs in JSON Lines and links in Pharaoh's format."""
    gold = folder / "gold.jsonl"
    gold.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), encoding="utf-8")
    for name in ("source", "target"):
        lines = (" ".join(pair[name]) for pair in pairs)
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    links = folder / "links.pharaoh"
    links.write_text("".join(" ".join(f"{a}-{b}" for a, b in sorted(of)) + "\n" for of in scored))
    sides = ["--source", str(folder / "source"), "--target", str(folder / "target")]
    arguments = ["--gold", str(gold), *sides, "--links", str(links), "--resamples", "0", "--json"]
    assert main(["score-links", *arguments]) in (0, None)
    row = json.loads(capsys.readouterr().out)
    while not {"precision", "recall", "aer"} <= row.keys():
        row = row["all"] if "all" in row else next(iter(row.values()))
    return row["precision"], row["recall"], row["aer"]


def equal_words(pair, draw):
    """Links between equal words, some of them left out, and some between words that are not equal."""
    equal = {
        (a, b)
        for a, word in enumerate(pair["source"])
        for b, other in enumerate(pair["target"])
        if word == other and draw.random() < 0.9
    }
    extra = {(draw.randrange(len(pair["source"])), draw.randrange(len(pair["target"]))) for _ in range(2)}
    return equal | extra


def test_on_real_gold_links(shared_data, tmp_path, capsys):
    pairs = []
    for name in ("edinburghpp.train.jsonl", "msr_rte2.dev.jsonl"):
        text = (shared_data / "alignment" / name).read_text(encoding="utf-8")
        pairs += [{**json.loads(line), "id": f"{name}:{n}"} for n, line in enumerate(re.findall(".+", text))]
    assert len(pairs) > 1_500
    check(pairs, tmp_path, capsys)


def test_on_random_links(tmp_path, capsys):
    draw = random.Random(7)
    pairs = []
    for number in range(200):
        source, target = ([draw.choice("abcdefgh") for _ in range(draw.randint(1, 9))] for _ in range(2))
        every = [[a, b] for a in range(len(source)) for b in range(len(target))]
        gold = draw.sample(every, min(len(every), 6))
        pair = {"id": str(number), "source": source, "target": target}
        pairs.append(pair | {"sure": sorted(gold[:3]), "possible_only": sorted(gold[3:])})
    check(pairs, tmp_path, capsys)


def check(pairs, folder, capsys):
    draw = random.Random(3)
    scored = [equal_words(pair, draw) for pair in pairs]
    gold = [
        ({tuple(link) for link in pair["sure"]}, {tuple(link) for link in pair["possible_only"]})
        for pair in pairs
    ]
    percent = tuple(100 * rate for rate in plain_rates(gold, scored))
    assert command_rates(folder, pairs, scored, capsys) == pytest.approx(percent, abs=0.000051)
