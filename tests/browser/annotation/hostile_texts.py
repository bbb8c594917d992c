"""Texts that would do harm as markup, or that look like something else than they are."""

import re

# Where one of them became markup or script, `window.ran` would be set, a dialog open or an element be there.
MARKUP = [
    "<script>window.ran=1</script>",
    "</script><script>window.ran=1</script>",
    "<img src=x onerror=window.ran=1>",
    "<svg onload=window.ran=1>",
    "<iframe src=javascript:parent.ran=1></iframe>",
    "<b onmouseover=window.ran=1>bold</b>",
    "<style>*{display:none}</style>",
    "<!-- a comment --> stays",
    "]]> <![CDATA[ x ]]>",
    "&lt;b&gt; &amp;amp; &#60;",
    '"><script>window.ran=1</script>',
    "'><img src=x onerror=alert(1)>",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "<form action=//example.org><input name=a></form>",
    "javascript:window.ran=1",
    "{{ request.user }} {% now %} ${window.ran=1} `x`",
    "[click](javascript:window.ran=1) ![x](//example.org/x.png)",
    "<math><mtext><a xlink:href=javascript:alert(1)>x</a></mtext></math>",
    "\\u003cscript\\u003ewindow.ran=1\\u003c/script\\u003e",
    "<object data=data:text/html,x></object>",
]
LOOKS = [
    "pay \u202e001\u202c now",
    "\u2067شكرا\u2069 stays here",
    "zero\u200bwidth and \u200dnot joined",
    "\ufeffmark at the head",
    "soft\u00adhyphen",
    "bell \u0007 and escape \u001b[31m",
    "line\u2028separator",
    "tag \U000e0041\U000e0042 letters",
    "👩\u200d👩\u200d👧 family 🇩🇪 e\u0301",
    "𝒜𝓃 astral 𠮷 word",
    "مرحبا بالعالم (123) abc",
    "  two  spaces\u00a0kept  ",
]
HOSTILE = MARKUP + LOOKS

# What must be marked where it stands: controls, directions, zero widths; a joiner in an emoji is spelling.
UNSEEN = re.compile(
    "[\u0007\u001b\u00ad\u200b\u2028\u202c\u202e\u2067\u2069\ufeff\U000e0041\U000e0042]|(?<= )\u200d"
)


def names_of_unseen(text):
    """The names that the page must show in a text, in order, as in U+202E."""
    return [f"U+{ord(character):04X}" for character in UNSEEN.findall(text)]
