"""The words of the task: they order the search and rank what fits."""

from __future__ import annotations

import re
from typing import NamedTuple, Union

Number = Union[int, float]


class Cue(NamedTuple):
    """A piece of code, and the words that speak for it."""

    code: re.Pattern[str]
    words: tuple[str, ...]
    weight: float


def cue(code: str, words: str, weight: float = 1.0) -> Cue:
    """A cue from a regular expression over code and words divided by blanks (`_` joins)."""
    parts = tuple(word.replace("_", " ") for word in words.split())
    return Cue(re.compile(code), parts, weight)


CUES = (
    cue(r"\.sum\(|\"sum\"", "total sum add overall revenue altogether earned spent sold combined"),
    cue(r"\.mean\(|\"mean\"", "mean average avg typical per_cent normal standardi share center"),
    cue(r"\.median\(|\"median\"", "median"),
    cue(r"\.std\(|\"std\"", "standard_dev std deviation standardi z-score spread"),
    cue(r"\.var\(", "variance"),
    cue(r"\.count\(|\"count\"|\.size\(|\"size\"|len\(", "count number how_many how_often size"),
    cue(r"value_counts", "count number how_many how_often frequen most_common share percent"),
    cue(r"\.max\(|\"max\"", "max highest largest biggest most latest longest top best range peak"),
    cue(r"\.min\(|\"min\"", "min lowest smallest least fewest earliest shortest worst range"),
    cue(r"nunique|\"nunique\"", "unique distinct different"),
    cue(r"\.unique\(|drop_duplicates", "unique distinct different duplicate once each_only keep"),
    cue(r"\.first\(|\"first\"", "first earliest"),
    cue(r"\.last\(|\"last\"", "last latest newest most_recent"),
    cue(r"cumsum|cummax|cumprod", "cumul running so_far"),
    cue(r"cumcount", "number sequence nth running visit order position"),
    cue(r"\.rank\(", "rank position place"),
    cue(r"rolling", "rolling moving window"),
    cue(r"expanding", "expanding so_far running"),
    cue(r"\.diff\(", "differ change increase from_the_previous day-to-day gain"),
    cue(r"pct_change", "percent growth relative change"),
    cue(r"\.shift\(", "previous next lag before following yesterday shift"),
    cue(r"\.round\(|round\(", "round decimal whole nearest"),
    cue(r"fillna|ffill|bfill|interpolate", "missing fill replace nan empty interpol with_0 carry"),
    cue(r"ffill", "forward last previous carry"),
    cue(r"bfill", "backward next"),
    cue(r"interpolate", "interpol"),
    cue(r"dropna|notna|isna", "missing drop nan remove without empty null has_no have_no complete"),
    cue(r"duplicated", "duplicate twice unique once repeated more_than"),
    cue(r"melt|stack\(|wide_to_long", "long melt unpivot tidy one_row_per"),
    cue(r"pivot|crosstab|unstack", "table pivot per column columns matrix cross wide"),
    cue(r"get_dummies", "dummies dummy indicator one-hot encode 0/1 hot column_for_each"),
    cue(r"merge|joined", "join merge add match look combine with customers lookup"),
    cue(r"concat", "append combine stack concat together below put under"),
    cue(r"nlargest", "top largest highest most best biggest", 0.8),
    cue(r"nsmallest", "bottom smallest lowest least fewest cheapest"),
    cue(r"sort|sorted", "sort order ascending descending first alphabet largest smallest top", 0.7),
    cue(r"ascending=False", "desc largest highest first most biggest top best newest latest", 0.5),
    cue(r"transform", "each its share percent group within their own"),
    cue(r"strftime|to_period|dt\.month|month_name", "month year date monthly"),
    cue(r"dt\.year", "year annual yearly"),
    cue(r"day_name|weekday|dayofweek", "weekday day_of_the_week day"),
    cue(r"dt\.quarter", "quarter"),
    cue(r"dt\.hour", "hour"),
    cue(r"dt\.days", "day days long age between duration"),
    cue(r"str\.split", "split part domain before after first last name word"),
    cue(r"str\.len|map\(len\)", "length long longer letters characters how_many"),
    cue(r"upper\(", "upper capital"),
    cue(r"lower\(", "lower"),
    cue(r"title\(|capitalize\(", "title capital"),
    cue(r"strip\(", "strip trim spaces whitespace blank clean"),
    cue(r"str\.contains", "contain include with word"),
    cue(r"startswith", "start begin"),
    cue(r"endswith", "end"),
    cue(r"str\.replace", "remove replace without"),
    cue(r"idxmax|argmax", "index which who name best highest most largest max top day_with"),
    cue(r"idxmin|argmin", "index which who name least lowest smallest min cheapest"),
    cue(r"pd\.cut", "group bin range between age band bucket class under over"),
    cue(r"corr\(", "correlat"),
    cue(r"np\.where|np\.select", "otherwise else if when label mark flag category grade or"),
    cue(r"prod\(", "product"),
    cue(r"mode\(", "most_common mode often frequent"),
    cue(r"describe", "describe summary statist"),
    cue(r"average\(|weights", "weighted weight"),
    cue(r"\* 100", "percent % per_cent"),
    cue(r"normalize=True|transform\(\"sum\"\)", "share percent proportion fraction ratio"),
    cue(r"\.T\b", "transpose swap flip"),
    cue(r"explode", "explode each one_row_per split list"),
    cue(r"\[::-1\]", "reverse backward descending largest"),
    cue(r"resample", "week month day resample hour"),
    cue(r"\bpd\.Timestamp\(", "days on until since date", 0.5),
    cue(r"np\.log", "log"),
    cue(r"np\.sqrt", "root sqrt"),
    cue(r"\.abs\(|np\.abs", "absolute"),
    cue(r"\*\* 2", "square"),
    cue(r"agg\(", "and each per for statistics"),
)

QUOTED = r"[\"'`\u201c\u2018]([^\"'`\u201c\u201d\u2018\u2019]+)[\"'`\u201d\u2019]"
"""Text between quotation marks, straight or curved."""
FREE_NUMBERS = {"0", "1", "2", "100"}


class Words:
    """The task's text, read once."""

    def __init__(self, text: str) -> None:
        self.raw = text
        self.text = text.lower()
        self.tokens = set(re.findall(r"[^\W\d_]+", self.text))
        self.numbers: list[Number] = self._numbers()
        self.counts = sorted(self._counts())
        self.quoted = re.findall(QUOTED, text)
        self.dates = re.findall(r"\b\d{4}-\d\d(?:-\d\d)?\b", text)
        self.capitals = re.findall(r"\b[A-Z]\b", text)
        self._mentions: dict[str, float] = {}
        self._cues = [(one.code.search, self._weight(one)) for one in CUES]

    def hint(self, code: str) -> float:
        """How much the words speak for this code: positive for, negative against."""
        total = sum(weight for search, weight in self._cues if search(code))
        if "axis=1" in code:
            total += 0.8 if "row" in self.text else -0.2
        if "axis=0" in code:
            total += 0.8 if "column" in self.text else -0.2
        for name in re.findall(r'"([^"]*)"', code):
            total += self.mention(name)
        for number in re.findall(r"(?<![\w\"])(\d+(?:\.\d+)?)(?![\w\"])", code):
            if number not in FREE_NUMBERS:
                spoken = re.search(rf"(?<![\d.]){re.escape(number)}(?![\d])", self._ungrouped)
                total += 0.7 if spoken else -1.0
        return total

    def has(self, text: str) -> bool:
        """Whether this stands in the task as a whole word, in this case."""
        if len(text) < 2 or text not in self.raw:
            return False
        return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", self.raw) is not None

    def mention(self, name: str) -> float:
        """Whether the text names this label or constant: 0.5 if so, -0.3 if not."""
        if name not in self._mentions:
            self._mentions[name] = 0.5 if self._names(name) else -0.3
        return self._mentions[name]

    def _names(self, name: str) -> bool:
        low = name.lower()
        if low in self.text or low.rstrip("s") in self.text:
            return True
        parts = [part for part in re.split(r"[\W_]+", low) if len(part) > 2]
        return bool(parts) and all(self._stem(part) in self.text for part in parts)

    def _stem(self, word: str) -> str:
        return re.sub(r"(ies|es|s|y|ed|ing)$", "", word) if len(word) > 4 else word

    def _weight(self, one: Cue) -> float:
        spoken = any(word in self.text for word in one.words)
        return one.weight if spoken else -one.weight

    @property
    def _ungrouped(self) -> str:
        return re.sub(r"(?<=\d)[,_](?=\d{3}\b)", "", self.raw)

    def _numbers(self) -> list[Number]:
        found = re.findall(r"(?<![\w.-])-?\d+(?:\.\d+)?(?!\d)(?![\w]*-\d)", self._ungrouped)
        found += [number for number, word in NUMBER_WORDS if word in self.tokens]
        numbers: list[Number] = [float(text) if "." in text else int(text) for text in found]
        return list(dict.fromkeys(numbers))

    def _counts(self) -> set[int]:
        hyphened = {int(text) for text in re.findall(r"(\d+)-", self.raw) if len(text) < 3}
        return hyphened | {n for n in self.numbers if isinstance(n, int) and 1 <= n <= 50}


NUMBER_WORDS = (
    ("0", "no"),
    ("0", "zero"),
    ("0", "without"),
    ("0", "negative"),
    ("0", "positive"),
    ("2", "two"),
    ("3", "three"),
    ("4", "four"),
    ("5", "five"),
    ("6", "six"),
    ("7", "seven"),
    ("10", "ten"),
    ("2", "twice"),
    ("1", "once"),
)
