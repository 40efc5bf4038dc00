"""Texts made of several columns: the parts between are read off the wanted values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from exeds_lab.generate.embedded.search.bench import Bench
from exeds_lab.generate.embedded.search.grid import Atom
from exeds_lab.generate.embedded.search.literal import literal
from exeds_lab.generate.embedded.search.tables import Table

MOST_PARTS = 14
LONGEST_JOINT = 12


def joined_texts(table: Table, bench: Bench, wanted: list[Atom]) -> Iterator[str]:
    """Two or three parts of columns with constant text around and between them."""
    if not wanted or not all(isinstance(text, str) for text in wanted):
        return
    parts = [part for part in text_codes(table, bench) if all_inside(part[1], wanted)]
    for code, texts in parts[:MOST_PARTS]:
        joints = constants([texts], wanted)
        if joints is not None and any(joints):
            yield written([code], joints)
    for pair in itertools.permutations(parts[:MOST_PARTS], 2):
        joints = constants([texts for _, texts in pair], wanted)
        if joints is not None:
            yield written([code for code, _ in pair], joints)
    for triple in itertools.permutations(parts[:6], 3):
        joints = constants([texts for _, texts in triple], wanted)
        if joints is not None:
            yield written([code for code, _ in triple], joints)


def text_codes(table: Table, bench: Bench) -> Iterator[tuple[str, list[str]]]:
    """Columns and their first letters, upper and lower case, as texts."""
    for label in table.columns:
        column = table.column(label)
        codes = [f"{column}.astype(str)"]
        if label in table.words:
            codes = [column, f"{column}.str[0]", f"{column}.str.upper()", f"{column}.str.lower()"]
            codes += [f"{column}.str.title()", f"{column}.str[:3]", f"{column}.str[0].str.upper()"]
            codes += [f"{column}.str[0].str.lower()", f"{column}.str[:3].str.upper()"]
            codes += [f"{column}.str.split().str[{place}]" for place in (0, -1)]
        for code, series in bench.vectors(iter(codes)):
            texts = series.tolist()
            if len(texts) and all(isinstance(text, str) for text in texts):
                yield code, texts


def all_inside(texts: list[str], wanted: list[Atom]) -> bool:
    """Whether each text is part of its wanted text."""
    return len(texts) == len(wanted) and all(a in b for a, b in zip(texts, wanted))


def constants(parts: list[list[str]], wanted: list[Any]) -> list[str] | None:
    """The texts before, between and after the parts, if they are the same in every row."""
    found: list[str] | None = None
    for row, text in enumerate(wanted):
        joints: list[str] = []
        at = 0
        for part in parts:
            place = text.find(part[row], at + len(found[len(joints)]) if found else at)
            if place < 0:
                return None
            joints.append(text[at:place])
            at = place + len(part[row])
        joints.append(text[at:])
        if max(map(len, joints)) > LONGEST_JOINT or (found is not None and joints != found):
            return None
        found = joints
    return found


def written(codes: list[str], joints: list[str]) -> str:
    """Parts and constants joined by `+`."""
    pieces: list[str] = []
    for place, joint in enumerate(joints):
        if joint:
            pieces.append(literal(joint))
        if place < len(codes):
            pieces.append(codes[place])
    return " + ".join(pieces)
