"""A GIZA++ for tests: programs that link the n-th word to the n-th, as touchy as the real ones."""

import sys

PYTHON = sys.executable
PLAIN2SNT = """
pairs = list(zip(*(open(name, encoding="utf-8").read().split("\\n")[:-1] for name in sys.argv[1:3])))
pairs = [pair for pair in pairs if all(pair)]  # an empty side is dropped, and what follows is shifted
open("source.vcb", "w").write("vocabulary")
open("target.vcb", "w").write("vocabulary")
open("source_target.snt", "w").write("\\n".join("\\t".join(pair) for pair in pairs))
"""
MKCLS = ""
SNT2COOC = "print('1 1')"
GIZA = """
if not os.environ.get("USER"):
    os.abort()
if os.environ.get("LC_ALL") != "C":
    sys.exit("locale")
assert os.path.getsize("cooc")
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
with open(options["-o"] + ".A3.final", "w", encoding="utf-8") as out:
    for number, pair in enumerate(open(options["-C"], encoding="utf-8").read().split("\\n"), start=1):
        source, target = (side.split(" ")[:100] for side in pair.split("\\t"))
        print(f"# Sentence pair ({number}) source length", file=out)
        print(" ".join(target), file=out)
        groups = [str(n) if n <= len(target) else "" for n in range(1, len(source) + 1)]
        null = " ".join(map(str, range(len(source) + 1, len(target) + 1)))
        words = zip(["NULL", *source], [null, *groups])
        print(" ".join(f"{word} ({{ {group + ' ' if group else ''}}})" for word, group in words), file=out)
"""


def install(folder, *, giza=GIZA):
    """Write the programs into a folder."""
    for name, text in (
        ("plain2snt.out", PLAIN2SNT), ("mkcls", MKCLS), ("snt2cooc.out", SNT2COOC), ("GIZA++", giza),
    ):  # fmt: skip
        path = folder / name
        path.write_text(f"#!{PYTHON}\nimport os, sys\n{text}\n", encoding="utf-8")
        path.chmod(0o755)


def install_eflomal(folder, *, lines_lost=0, first=""):
    """Write an eflomal that links the n-th word to the n-th, but for the last `lines_lost` pairs.

    `first` is Python that it runs before.
    """
    path = folder / "eflomal-align"
    path.write_text(
        f"""#!{PYTHON}
import sys
{first}
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
sides = [open(options[name], encoding="utf-8").read().split("\\n")[:-1] for name in ("-s", "-t")]
pairs = list(zip(*sides))
pairs = pairs[: len(pairs) - {lines_lost}]
for option in ("-f", "-r"):
    with open(options[option], "w") as out:
        for pair in pairs:
            length = min(len(side.split()) for side in pair)
            print(" ".join(f"{{n}}-{{n}}" for n in range(length)), file=out)
""",
        encoding="utf-8",
    )
    path.chmod(0o755)
