"""Writes what RE2 and Python answer on random patterns, texts and numbers, for MLCTextTests.

Needs google-re2 and numpy. Everything is drawn from a seed, so that the same versions write the same files.
"""

import json
import math
import pathlib
import random

import numpy
import re2

FOLDER = pathlib.Path(__file__).parent / "Fixtures"
ATOMS = [
    "a", "b", "A", "é", "É", "k", "K", "\u212a", "s", "ſ", "_", "-", "7", " ", ".", r"\.", r"\w", r"\W", r"\d", r"\D", r"\s",
    r"\S", r"\pL", r"\PL", r"\p{Lu}", r"\p{^Ll}", r"\pN", "[a-c]", "[^a-c]", r"[\w.-]", "[[:alpha:]]", "[[:^digit:]x]",
    "[]a]", "[^]a]", r"[\d\-]", r"\x41", r"\x{e9}", r"\101", r"\n", "^", "$", r"\b", r"\B", r"\A", r"\z", "", "{", "x{,2}",
    "σ", "ς", "Σ", "[σ-ω]", "日", r"\Qa.b\E", r"\Qa\E", "]", "ß", "ẞ", "ı", "I", "i", "İ", "µ", "[k-s]", "[^k]",
]
REPETITIONS = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,3}", "{2,}", "{0}", "{1,2}?"]
GROUPS = ["(", "(?:", "(?i:", "(?s:", "(?m:", "(?i-s:", "(?P<n>", "(?is)(", "(?m)(?:", "(?U:"]
LETTERS = list("abAk\u212aKsſSéÉ_-7 .\n xσςΣ日ßẞıIiİµμ\u0301]B{2,")


def pattern(source, depth):
    kind = source.random()
    if depth == 0 or kind < 0.45:
        return source.choice(ATOMS)
    if kind < 0.6:
        return source.choice(GROUPS) + pattern(source, depth - 1) + ")"
    if kind < 0.75:
        return "(?:" + pattern(source, depth - 1) + "|" + pattern(source, depth - 1) + ")"
    if kind < 0.87:
        return pattern(source, depth - 1) + source.choice(REPETITIONS)
    return pattern(source, depth - 1) + pattern(source, depth - 1)


def compiled(text):
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(text, options=options)
    except re2.error:
        return None


def patterns(count):
    source = random.Random(20)
    rows, seen = [], set()
    while len(rows) < count:
        text = pattern(source, 4)
        if source.random() < 0.06:
            place = source.randrange(len(text) + 1)
            text = text[:place] + source.choice("()[]{}*+?\\|^-") + text[place:]
        if text in seen or len(text) > 60:
            continue
        seen.add(text)
        automaton = compiled(text)
        words = ["".join(source.choices(LETTERS, k=source.randrange(5))) for _ in range(12)]
        words = sorted(set(words + ["", "a", "ab", "aa"]))
        if automaton is None:
            rows.append({"pattern": text})
            continue
        matched = [word for word in words if automaton.fullmatch(word)]
        rows.append({"pattern": text, "matches": matched, "others": [word for word in words if word not in matched]})
    return rows


def splits(count):
    source = random.Random(21)
    rows = []
    for _ in range(count):
        text = "".join(source.choices(list("ab,, \t\n\u00a0\u2003\x1cé"), k=source.randrange(12)))
        delimiter = source.choice(["", "", ",", ",,", "a", "ab", "é", " "])
        limit = source.choice([-1, -1, 0, 1, 2])
        rows.append(
            {"text": text, "delimiter": delimiter, "limit": limit, "pieces": text.split(delimiter or None, limit)}
        )
    return rows


def numbers(count):
    """The digits and the exponent of the first one that numpy finds shortest."""
    source = random.Random(22)
    rows = []
    for index in range(count):
        kind = [numpy.float64, numpy.float32, numpy.float16][index % 3]
        value = kind(source.choice([source.uniform(-1, 1), source.uniform(1, 100), source.randrange(1, 2000)]))
        value = kind(value * kind(10.0 ** source.randrange(-4, 4)))
        if value == 0 or math.isinf(value):
            continue
        text = numpy.format_float_scientific(value, unique=True, trim="-")
        rows.append({"type": kind.__name__, "number": float(value), "scientific": text})
    return rows


for name, rows in [("patterns", patterns(900)), ("splits", splits(300)), ("numbers", numbers(300))]:
    lines = ",\n".join(json.dumps(row, ensure_ascii=True) for row in rows)
    (FOLDER / f"{name}.json").write_text(f"[\n{lines}\n]\n")
