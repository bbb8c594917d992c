import ast
import gettext
import re
from functools import cache
from pathlib import Path

import pytest
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
APPS = ("annotation", "alignment", "config", "jobs", "ops", "projects")
CATALOGS = sorted((ROOT / "locale").glob("*/LC_MESSAGES/*.po"))
LANGUAGES = {path.parts[-3] for path in CATALOGS}

# The pages that annotators get, which are translated; what these extend and include belongs to them.
PAGES = (
    "4*.html", "5*.html", "account/**/*.html", "mfa/**/*.html", "usersessions/*.html",
    "annotation/judge*.html", "annotation/split.html", "annotation/key_bindings.html",
    "annotation/stage.html", "annotation/before_work.html", "alignment/link.html",
    "alignment/link_second_pass.html",
    "alignment/preparing.html", "ops/own_work.html",
    "ops/own_decisions.html", "ops/project.html",
    "ops/projects.html", "projects/account.html", "projects/account_form.html", "projects/join.html",
    "projects/notice.html", "projects/tokens.html",
)  # fmt: skip
# Pages of batches that are decided or listed, which name their pages like those above.
MANAGERS = {"annotation/judged_pairs.html", "ops/_overview.html", "projects/_table.html"}
# What no annotator reads: it is marked, and may stay English.
MANAGERS_CODE = [
    path
    for pattern in (
        "alignment/**/*.py", "annotation/*form*.py", "annotation/listings.py", "annotation/operations.py",
        "annotation/resources.py", "annotation/views/batches.py", "annotation/views/classifiers.py",
        "annotation/views/members.py", "annotation/views/phenomena.py", "annotation/views/review.py",
        "jobs/*.py", "jobs/views/*.py", "ops/views/data.py", "projects/forms/projects.py",
        "projects/listings.py", "projects/services/audit.py", "projects/views/installation.py",
        "projects/views/lists.py", "projects/views/people.py", "projects/views/projects.py",
        "static/js/alignment/compare.js", "static/js/alignment/review.js", "static/js/annotation/decide.js",
        "static/js/annotation/review.js", "static/js/corpus/*.js", "static/js/ops/*.js",
        "static/js/shared/decider.js", "static/js/shared/list.js", "static/js/shared/review.js",
        "static/js/shared/selection.js",
    )
    for path in ROOT.glob(pattern)
]  # fmt: skip

TRANSLATED = re.compile(
    r"\{% blocktranslate\b.*?\{% endblocktranslate %\}"
    r"|\{% block (?:body_\w+|page_\w+|frame_data|live) %\}.*?\{% endblock %\}",
    re.DOTALL,
)
TAG = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
HTML = re.compile(r"<(code|kbd|script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
ATTRIBUTE = re.compile(
    r'\b(?:title|aria-label|aria-roledescription|placeholder|alt|data-(?:announce|help|said|name))="([^"]*)"'
)
ARGUMENT = re.compile(r'(?<!_\()"([A-Z][a-z]+[^"]*|[a-z]+ [^"]*)"')
NAMES = re.compile(r"&\w+;|Paragold|^ab$")
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|\{\w+\}|</?\w+[^>]*>")
SCRIPT = re.compile(r'\bn?gettext\(\s*("(?:[^"\\]|\\.)*")(?:,\s*("(?:[^"\\]|\\.)*"))?')
TEMPLATE_CALL = re.compile(
    r"\bgettext\(u?(?P<one>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")|\b_\((?P<argument>\"[^\"]*\"|'[^']*')\)"
    r"|\bngettext\((?P<single>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"),\s*(?P<many>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|\bpgettext\((?P<context>'[^']*'|\"[^\"]*\"),\s*u?(?P<within>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
)


def annotators_templates():
    waiting = [path for page in PAGES for path in TEMPLATES.glob(page)]
    seen = set()
    while waiting:
        path = waiting.pop()
        name = path.relative_to(TEMPLATES).as_posix()
        if path in seen or name in MANAGERS:
            continue
        seen.add(path)
        waiting += [
            TEMPLATES / name for name in re.findall(r'(?:extends|include) "([^"]+)"', path.read_text())
        ]
    return sorted(seen)


def blank(match):
    """Keeps the lines, so that what is left has the line it stands on."""
    return "\n" * match[0].count("\n")


def untranslated(text):
    """(line, words) of a template that do not go through gettext."""
    text = TRANSLATED.sub(blank, text)
    for tag in TAG.finditer(text):
        if not re.match(r"\{% (translate|load|url|extends|static)\b|\{#", tag[0]):
            literals = re.sub(r'\|date:"[^"]*"|== "[^"]*"|\{% (include|term) "[^"]*"', "", tag[0])
            for argument in ARGUMENT.finditer(literals):
                yield text[: tag.start()].count("\n") + 1, argument[1]
    bare = TAG.sub(blank, text)
    shown = [(hit.start(1), hit[1]) for hit in ATTRIBUTE.finditer(bare)]
    between = HTML.sub(lambda match: "\0" + blank(match), bare)
    for place, words in shown:
        if re.search("[A-Za-z]{2}", words):
            yield bare[:place].count("\n") + 1, words
    for run in re.finditer(r"[^\0]+", between):
        if re.search("[A-Za-z]{2}", NAMES.sub("", run[0])):
            lines = between[: run.start()] + run[0][: len(run[0]) - len(run[0].lstrip())]
            yield lines.count("\n") + 1, run[0].strip()


def test_the_check_sees_what_is_not_marked():
    text = (
        '{% load i18n %}\n<p title="Go on">{% translate "Yes" %}\n No <kbd>Esc</kbd></p>\n'
        '{% shortcut "judge" "skip" "Skip it" %}{% shortcut "judge" "skip" _("Skip it") %}\n'
        "{% blocktranslate %}All of {{ this }}{% endblocktranslate %} · Paragold\n"
        '{% term "Gold set" _("gold set") %}{% term "Gold set" "a gold set" %}'
        '{{ exception|default:"It is closed." }}'
    )
    assert sorted(untranslated(text)) == [
        (2, "Go on"), (3, "No"), (4, "Skip it"), (6, "It is closed."), (6, "a gold set"),
    ]  # fmt: skip


def test_templates_have_no_words_outside_gettext():
    templates = sorted(TEMPLATES.rglob("*.html"))
    assert len(templates) > 150
    found = [
        f"{path.relative_to(ROOT)}:{line}: {words}"
        for path in templates
        for line, words in untranslated(path.read_text())
    ]
    assert found == []


def read_catalog(path):
    """[(flags, context, singular, plural, translations)] of a .po file, as makemessages writes it."""
    entries = []
    for block in path.read_text().split("\n\n"):
        fields, flags, name = {}, "", ""
        for line in block.splitlines():
            if line.startswith("#,"):
                flags = line
            elif line.startswith('"'):
                fields[name] += ast.literal_eval(line)
            elif match := re.match(r'(msg\w+(?:\[\d\])?) (".*")$', line):
                name = match[1]
                fields[name] = ast.literal_eval(match[2])
        forms = [text for name, text in fields.items() if name.startswith("msgstr")]
        entries.append((flags, fields.get("msgctxt"), fields["msgid"], fields.get("msgid_plural"), forms))
    return entries


def messages_of_templates():
    assert len(annotators_templates()) > 40
    for path in annotators_templates():
        for call in TEMPLATE_CALL.finditer(templatize(path.read_text())):
            read = {name: ast.literal_eval(text) for name, text in call.groupdict().items() if text}
            yield (
                read.get("context"),
                read.get("one") or read.get("argument") or read.get("single") or read["within"],
            )


def messages_of_python():
    for app in APPS:
        for path in sorted({*(ROOT / app).rglob("*.py")} - {*MANAGERS_CODE}):
            tree = ast.parse(path.read_text())
            names = {
                alias.asname or alias.name
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
                for alias in node.names
            }
            for node in ast.walk(tree):
                called = node.func if isinstance(node, ast.Call) else None
                text = node.args[0] if isinstance(node, ast.Call) and node.args else None
                if isinstance(called, ast.Name) and called.id in names and isinstance(text, ast.Constant):
                    yield None, text.value


def messages_of_scripts():
    for path in sorted({*(ROOT / "static" / "js").rglob("*.js")} - {*MANAGERS_CODE}):
        for call in SCRIPT.finditer(path.read_text()):
            yield None, ast.literal_eval(call[1])


@cache
def messages_of_annotators(domain):
    if domain == "djangojs":
        return {*messages_of_scripts()}
    return {*messages_of_templates(), *messages_of_python()}


@pytest.mark.parametrize("domain", ["django", "djangojs"])
def test_every_message_is_in_every_catalog(domain):
    """`manage.py makemessages` adds those that are missing (docs/people.md#language)."""
    wanted = messages_of_annotators(domain)
    assert len(wanted) > 150
    for path in CATALOGS:
        if path.stem == domain:
            known = {(context, singular) for _, context, singular, *_ in read_catalog(path)}
            assert sorted(text for _, text in wanted - known) == [], path


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_every_message_is_translated(path):
    """Of what no annotator reads some may be left, which is then in English."""
    wrong = []
    for flags, context, singular, plural, forms in read_catalog(path)[1:]:
        wanted = sorted(PLACEHOLDER.findall(plural or singular))
        if left_in_english(flags, forms) and (context, singular) not in messages_of_annotators(path.stem):
            continue
        if left_in_english(flags, forms) or len(forms) != (2 if plural else 1):
            wrong.append(f"not translated: {singular}")
        elif any(
            sorted(PLACEHOLDER.findall(form)) != wanted for form in (forms if not plural else forms[1:])
        ):
            wrong.append(f"other placeholders: {singular}")
    assert wrong == []


def left_in_english(flags, forms):
    return "fuzzy" in flags or not all(forms)


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_the_compiled_catalog_is_that_of_the_text(path):
    """`manage.py compilemessages` makes it; it is kept, since not every machine has GNU gettext."""
    with path.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    entries = [entry for entry in read_catalog(path) if not left_in_english(entry[0], entry[-1])]
    for _, context, singular, plural, forms in entries[1:]:
        if plural:
            assert [compiled.ngettext(singular, plural, count) for count in (1, 2)] == forms
        elif context:
            assert compiled.pgettext(context, singular) == forms[0]
        else:
            assert compiled.gettext(singular) == forms[0]
    assert len(compiled._catalog) == sum(len(forms) for *_, forms in entries)


def test_dutch_and_german_are_there():
    assert {"nl", "de"} <= LANGUAGES
    assert {path.stem for path in CATALOGS} == {"django", "djangojs"}
