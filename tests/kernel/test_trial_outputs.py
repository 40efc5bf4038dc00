"""The outputs of a trial as an nbformat list, bounded."""

from __future__ import annotations

from typing import Any

from exeds_lab.kernel.outputs import Live, OutputList


def stream(text: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def display(text: str, display_id: str | None = None) -> dict[str, Any]:
    transient = {} if display_id is None else {"display_id": display_id}
    return {
        "output_type": "display_data",
        "data": {"text/plain": text},
        "metadata": {},
        "transient": transient,
    }


def plain(text: str) -> dict[str, Any]:
    return {"output_type": "display_data", "data": {"text/plain": text}, "metadata": {}}


def test_neighbouring_text_of_a_stream_is_one_output() -> None:
    outputs = OutputList(100)
    for name, text in (("stdout", "a"), ("stdout", "b"), ("stderr", "c"), ("stdout", "d")):
        outputs.text(name, text)

    assert outputs.collected() == [stream("ab"), stream("c", "stderr"), stream("d")]
    assert not outputs.truncated


def test_head_and_tail_are_kept_and_what_is_between_is_counted() -> None:
    outputs = OutputList(10)
    for digit in "0123456789" * 3:
        outputs.text("stdout", digit)

    assert outputs.collected() == [
        stream("01234\n… 20 characters left out …\n56789"),
    ]
    assert outputs.truncated


def test_one_long_text_is_cut_in_its_middle() -> None:
    outputs = OutputList(4)
    outputs.text("stdout", "ab" + "x" * 1000 + "yz")

    assert outputs.collected() == [stream("ab\n… 1,000 characters left out …\nyz")]


def test_text_of_exactly_the_limit_is_whole() -> None:
    outputs = OutputList(4)
    outputs.text("stdout", "abcd")

    assert outputs.collected() == [stream("abcd")]
    assert not outputs.truncated


def test_displays_among_too_much_text_stay_in_order() -> None:
    outputs = OutputList(8)
    outputs.text("stdout", "ABCDabcd")
    outputs.add(display("first"))
    outputs.text("stdout", "xxxxefgh")
    outputs.add(display("second"))

    assert outputs.collected() == [
        stream("ABCD\n… 8 characters left out …\n"),
        plain("first"),
        stream("efgh"),
        plain("second"),
    ]


def test_a_display_is_updated_in_place() -> None:
    outputs = OutputList(100)
    outputs.add(display("old", "one"))
    outputs.add(display("other", "two"))
    outputs.update("one", {"text/plain": "new"}, {})

    assert outputs.collected() == [plain("new"), plain("other")]


def test_clearing_waits_for_the_next_output_when_asked() -> None:
    outputs = OutputList(100)
    outputs.text("stdout", "old")
    outputs.clear(wait=True)
    assert outputs.collected() == [stream("old")]

    outputs.text("stdout", "new")
    assert outputs.collected() == [stream("new")]

    outputs.clear(wait=False)
    assert outputs.collected() == []


def test_an_output_beyond_the_bound_is_named_instead() -> None:
    outputs = OutputList(10)
    outputs.add(display("x" * 1000))

    assert outputs.collected() == [plain("<an output of 1,018 bytes, left out>")]
    assert outputs.truncated


def test_what_is_passed_on_while_it_runs_is_bounded() -> None:
    sent: list[list[dict[str, Any]]] = []
    live = Live(sent.append, 6)
    for _ in range(10_000):
        live.text("stdout", "abc")
        live.add(display("x" * 100))

    assert sent[0] == [stream("abc")]
    assert len(sent) < 10
    assert sum(len(str(output)) for message in sent for output in message) < 2_000
