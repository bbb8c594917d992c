"""A wordnet of a few words in the format that `wn` reads, and its installation for a test."""

import wn

from paragold.text import installed_wordnets

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
"""


def lexicon(name, tag, synsets, *, above=None, opposed=(), requires=""):
    """synsets: by number the words of one meaning. above: number -> number of the synset above it. opposed:
    two words that are antonyms. Synsets of two lexicons with one number are linked."""
    senses, entries = {}, []
    for number, words in synsets.items():
        for word in words:
            senses.setdefault(word, []).append(number)
    for word, numbers in senses.items():
        relation = "".join(
            f'<SenseRelation relType="antonym" target="{name}-{other}-{senses[other][0]}"/>'
            for first, second in (opposed, opposed[::-1])
            if first == word
            for other in [second]
        ) if opposed else ""  # fmt: skip
        inside = "".join(
            f'<Sense id="{name}-{word}-{n}" synset="{name}-{n}">{relation}</Sense>' for n in numbers
        )
        lemma = f'<Lemma writtenForm="{word}" partOfSpeech="n"/>'
        entries.append(f'<LexicalEntry id="{name}-{word}">{lemma}{inside}</LexicalEntry>')
    for number in synsets:
        higher = (above or {}).get(number)
        pointer = f'<SynsetRelation relType="hypernym" target="{name}-{higher}"/>' if higher else ""
        entries.append(f'<Synset id="{name}-{number}" ili="i{number}" partOfSpeech="n">{pointer}</Synset>')
    attributes = f'id="{name}" label="{name}" language="{tag}" version="1" email="-" license="-"'
    return f"<Lexicon {attributes}>{requires}{''.join(entries)}</Lexicon>"


DUTCH = lexicon(
    "small-nl", "nl", {1: ["hond", "rekel"], 2: ["dier"], 3: ["kat"], 4: ["heet"], 5: ["koud"]},
    opposed=("heet", "koud"), requires='<Requires id="small-en" version="1"/>',
)  # fmt: skip
ENGLISH = lexicon("small-en", "en", {1: ["dog"], 2: ["animal"], 3: ["cat"]}, above={1: 2, 3: 2})


def install(folder, monkeypatch, *lexicons):
    """From here on only these wordnets are installed, and only for this test."""
    monkeypatch.setattr(wn.config, "data_directory", folder)
    monkeypatch.setattr(wn.config, "allow_multithreading", True)
    installed_wordnets._open_installed.cache_clear()
    for number, text in enumerate(lexicons):
        file = folder / f"{number}.xml"
        file.write_text(f"{HEAD}{text}</LexicalResource>", encoding="utf-8")
        wn.add(file, progress_handler=None)
