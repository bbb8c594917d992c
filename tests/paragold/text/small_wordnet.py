"""A WordNet of a few synsets: files in the original format, and the file of facts made of them."""

from dataclasses import dataclass, field

from scripts.wordnet_facts import write

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
LICENCE = "  1 This line stands where the licence of WordNet stands.  \n"


@dataclass
class Entry:
    """A synset; pointers are (symbol, name of the other entry, source word, target word), from 1, 0 = all."""

    part: str
    words: tuple[str, ...]
    pointers: list[tuple[str, str, int, int]] = field(default_factory=list)


def write_wordnet(folder, entries, exceptions=None):
    """The file of facts made of index, data and exception files; `exceptions` are texts by part of speech."""
    folder.mkdir(exist_ok=True)
    offsets = {}
    ends = dict.fromkeys(FILES, len(LICENCE))
    for name, entry in entries.items():
        offsets[name] = ends[entry.part]
        ends[entry.part] += len(data_line(entry, 0, dict.fromkeys(entries, 0), entries))
    for part, file in FILES.items():
        mine = {name: entry for name, entry in entries.items() if entry.part == part}
        lines = [data_line(entry, offsets[name], offsets, entries) for name, entry in mine.items()]
        (folder / f"data.{file}").write_text(LICENCE + "".join(lines))
        senses = {}
        for name, entry in mine.items():
            for word in entry.words:
                senses.setdefault(word.partition("(")[0].lower(), []).append(offsets[name])
        index = [
            f"{lemma} {part} {len(places)} 0 {len(places)} 0 {' '.join(f'{o:08d}' for o in places)}  \n"
            for lemma, places in sorted(senses.items())
        ]
        (folder / f"index.{file}").write_text(LICENCE + "".join(index))
        (folder / f"{file}.exc").write_text((exceptions or {}).get(part, ""))
    output = folder.with_suffix(".txt.gz")
    write(folder, output)
    return output


def data_line(entry, offset, offsets, entries):
    words = " ".join(f"{word} 0" for word in entry.words)
    pointers = "".join(
        f" {symbol} {offsets[other]:08d} {entries[other].part} {source:02x}{target:02x}"
        for symbol, other, source, target in entry.pointers
    )
    kind = "s" if entry.part == "a" else entry.part
    count = len(entry.pointers)
    return f"{offset:08d} 00 {kind} {len(entry.words):02x} {words} {count:03d}{pointers} | a gloss | more  \n"


SMALL = {
    "thing": Entry("n", ("thing",)),
    "activity": Entry("n", ("activity", "Carrying_Out"), [("@", "thing", 0, 0)]),
    "procedure": Entry("n", ("operation", "procedure"), [("@", "activity", 0, 0)]),
    "surgery": Entry("n", ("operation", "surgery")),
    "orbit": Entry("n", ("orbit", "path")),
    "orbital": Entry("a", ("orbital(a)",), [("\\", "orbit", 1, 1)]),
    "rise": Entry("v", ("rise", "go_up"), [("!", "fall", 1, 1)]),
    "fall": Entry("v", ("fall", "drop"), [("!", "rise", 1, 1)]),
    "box": Entry("n", ("box",)),
    "mouse": Entry("n", ("mouse",)),
    "seller": Entry("n", ("vendor", "seller", "marketer")),
    "supplier": Entry("n", ("supplier", "provider")),
}
EXCEPTIONS = {"n": "mice mouse\n", "v": "rose rise\nrisen rise\nfell fall\n"}
