"""A small corpus in files of every kind, and the extraction of one file to compare with."""

import gzip
import hashlib
import json

import pyarrow as pa
import pyarrow.parquet as pq

from paragold.extraction.files import extract_file

VERBS = ("rose", "fell", "grew", "shrank", "climbed")


class Serial:
    """The least that an executor has."""

    def map(self, function, parts):
        return map(function, parts)


def article(cluster, key, sentences):
    return {"cluster_id": cluster, "id": key, "tokenised": True, "sentences": sentences}


def corpus():
    """Articles in an order in which those of a cluster are far apart; some pairs come again elsewhere."""
    articles = []
    for number in range(8):
        for cluster in range(30):
            said = [
                f"The {river} river {VERBS[(number + n) % 5]} by {cluster % 9}5 metres , officials said ."
                for n, river in enumerate(("northern", "southern"))
            ]
            also = [f"Officials of town {cluster % 7} said on Monday that nobody was hurt ."] * (number % 2)
            own = [
                f"Residents of house {cluster} {'were' if number % 3 else 'are'} safe in the old town hall ."
            ]
            articles.append(article(f"c{cluster}", f"a{number}", [*said, *also, *own]))
    # First seen here, though this article has no sentence; it must come in the place of this line.
    articles.insert(3, article("late", "empty", []))
    articles += [
        article("late", f"b{n}", [f"It rained for {n} days in the whole northern region ."]) for n in (2, 3)
    ]
    return articles


def written(folder):
    """The corpus as one file, and as JSON Lines, gzip and Zstandard of two parts, and Parquet."""
    folder.mkdir(exist_ok=True)
    rows = corpus()
    size = -(-len(rows) // 4)
    parts = [rows[at : at + size] for at in range(0, len(rows), size)]
    texts = ["".join(json.dumps(row) + "\n" for row in part) for part in parts]
    one = folder / "one.jsonl"
    one.write_text("".join(texts), encoding="utf-8")
    files = [folder / name for name in ("1.jsonl", "2.jsonl.gz", "3.jsonl.zst", "4.parquet")]
    files[0].write_text("\n" + texts[0], encoding="utf-8-sig")
    half = len(texts[1]) // 2
    files[1].write_bytes(
        b"".join(gzip.compress(text.encode()) for text in (texts[1][:half], texts[1][half:]))
    )
    frames = (pa.compress(text.encode(), "zstd", asbytes=True) for text in (texts[2][:half], texts[2][half:]))
    files[2].write_bytes(b"".join(frames))
    pq.write_table(pa.Table.from_pylist(parts[3]), files[3], row_group_size=7)
    return one, files


def of_one_process(one, criteria, folder):
    """Its counts, and the hash of what it writes."""
    counts = extract_file(one, criteria, folder / "one.tsv", processes=1)
    return counts, hashlib.sha256((folder / "one.tsv").read_bytes()).hexdigest()


def manifest(folder):
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def lines_of(table):
    """The rows of a Parquet file as lines of cells."""
    rows = pq.read_table(table).to_pylist()
    return [list(map(str, row.values())) for row in rows]
