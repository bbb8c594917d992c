import ast
import gettext
import re
from functools import cache
from pathlib import Path

import pytest
from django.utils.translation.template import templatize

from projects.management.commands.makemessages import ERRORS as PUBLIC_ERRORS

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = ROOT / "templates"
APPS = ("annotation", "alignment", "config", "corpus", "jobs", "ops", "projects")
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
        "alignment/**/*.py", "annotation/*form*.py", "annotation/imports.py", "annotation/listings.py",
        "annotation/operations.py", "annotation/presenters.py", "annotation/resources.py",
        "annotation/specs.py", "annotation/api/review.py", "annotation/services/**/*.py",
        "annotation/views/agreement.py", "annotation/views/batches.py", "annotation/views/classifiers.py",
        "annotation/views/competence.py", "annotation/views/gold.py", "annotation/views/members.py",
        "annotation/views/models.py", "annotation/views/phenomena.py", "annotation/views/progress.py",
        "annotation/views/review*.py", "config/job_kinds.py", "corpus/**/*.py", "jobs/*.py",
        "jobs/api/*.py", "jobs/services/le*.py", "jobs/services/la*.py", "jobs/services/list_actions.py",
        "jobs/services/re*.py", "jobs/views/*.py", "ops/archive/*.py", "ops/backup/*.py",
        "ops/deletion/*.py", "ops/demo.py", "ops/views/data.py", "ops/views/finding.py",
        "projects/api/endpoint.py", "projects/api/serializers.py", "projects/audit_events.py",
        "projects/forms/projects.py", "projects/forms/spec_form.py", "projects/language_choices.py",
        "projects/listings.py", "projects/reports.py", "projects/services/audit.py",
        "projects/services/projects.py", "projects/services/server_choices.py", "projects/views/figures.py",
        "projects/views/installation.py", "projects/views/lists.py", "projects/views/people.py",
        "projects/views/projects.py", "static/js/alignment/compare.js", "static/js/alignment/review.js",
        "static/js/annotation/decide.js", "static/js/annotation/review.js", "static/js/corpus/*.js",
        "static/js/ops/*.js", "static/js/shared/decider.js", "static/js/shared/list.js",
        "static/js/shared/review.js", "static/js/shared/selection.js",
    )
    for path in ROOT.glob(pattern)
    if path.relative_to(ROOT).as_posix() not in {
        "alignment/services/linking.py", "annotation/services/answers.py",
        "annotation/services/key_bindings.py", "annotation/services/second_pass.py",
        "annotation/services/subclusters.py", "annotation/services/training.py",
        "annotation/services/training_answers.py",
    }
]  # fmt: skip
# The same, of modules that also say something to annotators: functions and classes.
MANAGERS_PARTS = (
    "AccountForm", "HandingOut", "InvitationForm", "PhenomenaScope", "Project", "SubclusterRule", "_Manager",
    "_Phases", "_disputes", "_failed_jobs", "_idle_annotators", "_imports", "_readers_step",
    "_stale_suggesters", "decisions", "needs_of", "removal", "undecided",
)  # fmt: skip
SHOWN_ERRORS = (
    "AuthenticationFailed", "Http404", "NotFound", "ParseError", "PermissionDenied", "SpecError",
    "ValidationError",
)  # fmt: skip
# Of which calls which arguments are read on pages.
WORDS_OF = {
    r"(?!serializers\.|parser\.)": ("choices",),
    r"forms\.|\w*Filter$|Rows$": ("label", "help_text", "empty_label"),
    r"(\w*_chart|curve|replace|UpSet|LadderChart)$": ("title", "caption", "x_axis", "y_axis"),
}
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


def named(node, *names):
    """Whether a call is of one of these, whatever module they are written with."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in names


def literals(node, function):
    """The texts that an expression may give without gettext; names are those assigned in `function`."""
    if isinstance(node, ast.Constant | ast.JoinedStr):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        words = "…".join(str(part.value) for part in parts if isinstance(part, ast.Constant))
        if (isinstance(node, ast.JoinedStr) or isinstance(node.value, str)) and re.search(
            "[A-Za-z]{2}", words
        ):
            yield node.lineno, words
    elif isinstance(node, ast.Name) and function is not None:
        for statement in ast.walk(function):
            if isinstance(statement, ast.Assign | ast.AugAssign | ast.NamedExpr):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                if any(isinstance(target, ast.Name) and target.id == node.id for target in targets):
                    yield from literals(statement.value, None)
    elif isinstance(node, ast.Tuple):  # a value and its label, or a field and what is wrong with it
        yield from (found for part in node.elts[-1:] for found in literals(part, function))
    elif not isinstance(node, ast.Call):
        fields = {ast.IfExp: ("body", "orelse"), ast.BinOp: ("left", "right"), ast.BoolOp: ("values",)}
        fields |= {ast.List: ("elts",), ast.Dict: ("values",), ast.Starred: ("value",)}
        for field in fields.get(type(node), ()):
            parts = getattr(node, field)
            for part in parts if isinstance(parts, list) else [parts]:
                yield from literals(part, function)
    elif named(node, "in_language", "list", "dict"):
        yield from (found for part in node.args[:1] for found in literals(part, function))


def outside_gettext(tree):
    """(line, words) of Python that people read and that do not go through gettext: errors, messages, labels.

    A public error translates its message itself, which so is one text that names its values.
    """
    found = set()

    def check(node, function):
        found.update(literals(node, function))

    def visit(node, function):
        if isinstance(node, ast.FunctionDef):
            function = node
        if named(node, *PUBLIC_ERRORS) and node.args:
            message = node.args[0]
            if not isinstance(message, ast.Constant):
                check(message, function)
            elif isinstance(message.value, str):
                values = {argument.arg for argument in node.keywords} - {"field", "current", "used_by", None}
                if {*re.findall(r"%\((\w+)\)", message.value)} != values:
                    found.add((node.lineno, message.value))
        elif named(node, *SHOWN_ERRORS):
            for argument in node.args[:1]:
                check(argument, function)
        elif named(node, "add_error") or (
            isinstance(node, ast.Call) and ast.unparse(node.func).startswith("messages.")
        ):
            for argument in node.args[1:2]:
                check(argument, function)
        elif isinstance(node, ast.ClassDef) and any("Choices" in ast.unparse(base) for base in node.bases):
            for statement in node.body:
                if isinstance(statement, ast.Assign):
                    check(statement.value, function)
        elif isinstance(node, ast.Call):
            of = ast.unparse(node.func)
            words = {name for calls, names in WORDS_OF.items() if re.match(calls, of) for name in names}
            for argument in node.keywords:
                if argument.arg in words:
                    check(argument.value, function)
        for child in ast.iter_child_nodes(node):
            visit(child, function)

    visit(tree, None)
    return sorted(found)


def test_the_check_of_python_sees_what_is_not_marked():
    """Each of the numbered lines is one that it must name; the others are as they should be."""
    code = """
raise PublicError(f"{name} is closed.")
raise errors.Conflict("Closed: " + name, {})
raise PublicError("%(batch)s is closed.", name=name)
raise PublicError("%(batch)s is closed.", field="batch", batch=name)
raise PublicError(str(error))
def refuse(name):
    text = f"{name} is closed."
    raise PublicError(text)
raise PermissionDenied("It is closed.")
raise ValidationError({"cursor": [_("Begin again.")], "other": ["Begin here."]})
raise Http404(gettext("Nothing."))
messages.info(request, "Saved.") or messages.info(request, _("Saved."))
form.add_error("name", "Too long." if name else _("Missing."))
class State(models.TextChoices):
    OPEN = "open", "Open"
    CLOSED = "closed", _("Closed")
forms.ChoiceField(choices=in_language([("", "none"), *State.choices, ("a", _("A"))]), label=_("State"))
forms.CharField(label="Name", help_text=f"At most {number} words.", empty_label=f"{number}")
param("all", "Which", choices={"all": "all links", "own": _("own links")})
serializers.CharField(help_text="The name.")
bar_chart(days, name="answers", title="Answers", x_axis=_("day"))
"""
    found = outside_gettext(ast.parse(code))
    assert [line for line, _ in found] == [2, 3, 4, 8, 10, 11, 13, 14, 16, 18, 19, 19, 20, 22]
    assert found[:3] == [(2, " is closed."), (3, "Closed: "), (4, "%(batch)s is closed.")]


def test_python_has_no_words_of_pages_outside_gettext():
    modules = [path for app in APPS for path in sorted((ROOT / app).rglob("*.py"))]
    assert len(modules) > 300
    assert [
        f"{path.relative_to(ROOT)}:{line}: {words}"
        for path in modules
        for line, words in outside_gettext(ast.parse(path.read_text()))
        if "migrations" not in path.parts
    ] == []


def test_makemessages_knows_every_public_error():
    classes = {"PublicError"}
    for path in (path for app in APPS for path in (ROOT / app).rglob("*.py")):
        classes |= {
            node.name
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.ClassDef)
            and {ast.unparse(base).split(".")[-1] for base in node.bases} & {*PUBLIC_ERRORS}
        }
    assert {*PUBLIC_ERRORS} == classes


def messages_of_templates():
    assert len(annotators_templates()) > 40
    for path in annotators_templates():
        for call in TEMPLATE_CALL.finditer(templatize(path.read_text())):
            read = {name: ast.literal_eval(text) for name, text in call.groupdict().items() if text}
            yield (
                read.get("context"),
                read.get("one") or read.get("argument") or read.get("single") or read["within"],
            )


def annotators_parts(node):
    """The nodes of a module but for those of its parts for managers."""
    for child in ast.iter_child_nodes(node):
        if getattr(child, "name", "") not in MANAGERS_PARTS:
            yield child
            yield from annotators_parts(child)


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
            for node in annotators_parts(tree):
                text = node.args[0] if isinstance(node, ast.Call) and node.args else None
                if isinstance(text, ast.Constant) and named(node, *names, *PUBLIC_ERRORS):
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
