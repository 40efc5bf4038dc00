"""The first HTML table of a text -> a grid of texts."""

from __future__ import annotations

from html.parser import HTMLParser

from exeds_lab.expect.blocks import GAP
from exeds_lab.expect.grid import Cell, Grid, Line, refusal


class _Row:
    """One `tr`."""

    def __init__(self, line: int, in_head: bool) -> None:
        self.line = line
        self.in_head = in_head
        self.cells: list[str] = []
        self.labels = 0
        """How many `th` it starts with."""
        self.spans: list[tuple[int, int]] = []
        """Rows and columns that each cell spans."""


class _TableReader(HTMLParser):
    """Gathers the rows of the first table."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[_Row] = []
        self.is_pandas = False
        self._depth = 0
        self._done = False
        self._in_head = False
        self._text: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a table, row or cell."""
        given = {name: value or "" for name, value in attrs}
        if tag == "table" and not self._done:
            self._depth += 1
            self.is_pandas = self.is_pandas or "dataframe" in given.get("class", "")
        if not self._depth or self._done:
            return
        if tag == "thead":
            self._in_head = True
        elif tag == "tr":
            self._close_cell()
            self.rows.append(_Row(self.getpos()[0], self._in_head))
        elif tag in ("td", "th") and self.rows:
            self._open_cell(tag, given)
        elif tag == "br" and self._text is not None:
            self._text.append("\n")

    def _open_cell(self, tag: str, given: dict[str, str]) -> None:
        self._close_cell()
        row = self.rows[-1]
        if tag == "th" and row.labels == len(row.cells):
            row.labels += 1
        row.spans.append((_number(given.get("rowspan")), _number(given.get("colspan"))))
        self._text = []

    def handle_endtag(self, tag: str) -> None:
        """Close a cell or the table."""
        if tag in ("td", "th", "tr", "table"):
            self._close_cell()
        if tag == "thead":
            self._in_head = False
        if tag == "table" and self._depth:
            self._depth -= 1
            self._done = self._depth == 0

    def handle_data(self, data: str) -> None:
        """Take in the text of a cell."""
        if self._text is not None:
            self._text.append(data)

    def _close_cell(self) -> None:
        if self._text is not None:
            self.rows[-1].cells.append(" ".join("".join(self._text).split()))
            self._text = None


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isdigit() and text != "0" else 1


def read_html(text: str) -> Grid:
    """Read the first table of an HTML text, also one that a notebook shows for a frame.

    Raises:
        ExpectationError: it has no rows, or headers that span several columns.
    """
    reader = _TableReader()
    reader.feed(text)
    reader.close()
    rows = [row for row in reader.rows if row.cells]
    if not rows:
        raise refusal("This HTML has no table with rows.", "Copy the whole table.")
    for row in rows:
        if any(columns > 1 for _, columns in row.spans):
            raise refusal(
                "A header of this table spans several columns.",
                "Use the cell's output or a variable instead, or paste CSV.",
                row.line,
            )
    head = [row for row in rows if row.in_head] or rows[:1]
    body = rows[len(head) :]
    return _grid(head, body, reader.is_pandas)


def _grid(head: list[_Row], body: list[_Row], is_pandas: bool) -> Grid:
    levels = _levels(head[0], body, is_pandas)
    header = head[0].cells
    names = _names_row(head, levels)
    filled = _filled(body, len(header))
    shown = [line for line in filled if not all(cell.text in GAP for cell in line.cells)]
    kept = [at for at, name in enumerate(header) if at < levels or name not in GAP]
    widths_agree = all(len(line.cells) == len(header) for line in shown)
    lines = tuple(
        Line(line.number, tuple(line.cells[at] for at in kept)) if widths_agree else line
        for line in shown
    )
    return Grid(
        header=tuple(header[at] for at in kept) if widths_agree else tuple(header),
        lines=lines,
        index_columns=levels,
        index_names=names,
        printed=is_pandas,
        only_rows=len(shown) < len(filled),
        only_columns=len(kept) < len(header),
    )


def _levels(head: _Row, body: list[_Row], is_pandas: bool) -> int:
    """How many columns are the index: those of `th`, or a first one without a header."""
    labels = max((row.labels for row in body), default=0)
    if is_pandas and labels:
        return labels
    return 1 if head.cells[0] == "" and len(head.cells) > 1 else 0


def _names_row(head: list[_Row], levels: int) -> tuple[str | None, ...] | None:
    """Pandas writes the names of the index levels in a second row of the header."""
    if len(head) < 2 or not levels:
        return None
    cells = head[1].cells
    if any(cells[levels:]):
        raise refusal(
            "This table has several rows of headers.",
            "Use the cell's output or a variable instead, or paste CSV.",
            head[1].line,
        )
    return tuple(name or None for name in cells[:levels])


def _filled(body: list[_Row], width: int) -> list[Line]:
    """Rows with the cells that span several rows repeated."""
    lines: list[Line] = []
    open_spans: dict[int, tuple[int, str]] = {}
    for row in body:
        cells: list[Cell] = []
        given = iter(zip(row.cells, row.spans, strict=True))
        for at in range(max(width, len(row.cells))):
            left, text = open_spans.pop(at, (0, ""))
            if left:
                cells.append(Cell(text))
                if left > 1:
                    open_spans[at] = (left - 1, text)
                continue
            found = next(given, None)
            if found is None:
                break
            cells.append(Cell(found[0]))
            if found[1][0] > 1:
                open_spans[at] = (found[1][0] - 1, found[0])
        lines.append(Line(row.line, tuple(cells)))
    return lines
