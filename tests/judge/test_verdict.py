"""Facts x policy -> verdict."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from exeds_lab.judge.verdict import JUDGE_VERSION, judge
from exeds_lab.model.execution import (
    AbsentDifference,
    CellDiff,
    CellsDifference,
    ChangedDifference,
    CheckFacts,
    ColumnsDifference,
    DtypeDifference,
    ExceptionDifference,
    FormDifference,
    IncomparableDifference,
    IndexDifference,
    Killed,
    MissingKindDifference,
    NameDifference,
    NotRun,
    OrderDifference,
    Raised,
    RowsDifference,
    ShapeDifference,
    TextDifference,
    TimedOut,
    TypeDifference,
    ValueDifference,
)
from exeds_lab.model.spec import (
    ANALYST,
    STRICT,
    Check,
    ComparePolicy,
    ExceptionExpected,
    NamedVariable,
    UnchangedExpected,
)
from exeds_lab.model.verdict import CheckResult, FailureKind, Verdict
from tests.kernel.measuring import check, executed, expectation, expecting

VALUE = check(expecting(3), name="result is the value")
TABLE = check(expecting(pd.DataFrame({"a": [1.0, 2.0]})), name="result is the table")
UNCHANGED = check(
    UnchangedExpected(name="df"), NamedVariable(name="df"), "df unchanged", declared=False
)


def facts(*differences: Any, name: str = "c", near: tuple[str, ...] = ()) -> CheckFacts:
    return CheckFacts(check=name, differences=differences, near=near, expected=None, actual=None)


def judged(
    *found: tuple[Check, CheckFacts], policy: ComparePolicy = ANALYST, **changes: Any
) -> Verdict:
    checks = [one for one, _ in found]
    execution = executed(tuple(one for _, one in found), **changes)
    return judge(execution, expectation(*checks, policy=policy))


WRONG = ValueDifference(path="", expected="3", actual="4", abs_error=1.0, rel_error=0.3)
CHANGED = ChangedDifference(name="df", how="1 column added")
UNPROVEN = IncomparableDifference(expected="unchanged", actual="not known", why="a generator")


def test_a_verdict_holds_all_that_was_measured() -> None:
    dtype = DtypeDifference(column="", expected="int", actual="int64", same_kind=True)
    found = facts(WRONG, dtype)

    assert judged((VALUE, found)) == Verdict(
        status="failed",
        passed=0,
        total=1,
        failure=FailureKind.WRONG_VALUE,
        headline="Wrong value: 4 instead of 3",
        accept=None,
        results=(
            CheckResult(
                check="result is the value",
                passed=False,
                counted=(WRONG,),
                tolerated=(dtype,),
                facts=found,
            ),
        ),
        policy=ANALYST,
        judge_version=JUDGE_VERSION,
    )


@pytest.mark.parametrize(
    ("found", "status", "share", "failure", "headline"),
    [
        ([(VALUE, facts())], "passed", (1, 1), None, "Passed"),
        ([(VALUE, facts()), (TABLE, facts())], "passed", (2, 2), None, "Passed all 2 checks"),
        (
            [(VALUE, facts()), (TABLE, facts(WRONG))],
            "partial",
            (1, 2),
            FailureKind.WRONG_VALUE,
            "1 of 2 checks hold. Wrong value: 4 instead of 3",
        ),
        ([], "unchecked", (0, 0), None, "Ran, unchecked: nothing was declared"),
        ([(UNCHANGED, facts())], "unchecked", (0, 0), None, "Ran, unchecked: nothing was declared"),
        (
            [(UNCHANGED, facts(UNPROVEN))],
            "unchecked",
            (0, 0),
            None,
            "Ran, unchecked: nothing was declared",
        ),
        (
            [(UNCHANGED, facts(CHANGED))],
            "failed",
            (0, 1),
            FailureKind.UNWANTED_CHANGE,
            "Changed df, which must stay as it is: 1 column added",
        ),
        (
            [(VALUE, facts()), (UNCHANGED, facts(CHANGED))],
            "partial",
            (1, 2),
            FailureKind.UNWANTED_CHANGE,
            "1 of 2 checks hold. Changed df, which must stay as it is: 1 column added",
        ),
        ([(VALUE, facts()), (UNCHANGED, facts())], "passed", (1, 1), None, "Passed"),
        (
            [(VALUE, facts()), (UNCHANGED, facts(UNPROVEN))],
            "passed",
            (1, 1),
            None,
            "Passed; not known: df unchanged",
        ),
        (
            [(VALUE, facts(IncomparableDifference(expected="", actual="", why="it is too large")))],
            "failed",
            (0, 1),
            FailureKind.CANNOT_COMPARE,
            "Cannot compare: it is too large",
        ),
    ],
)
def test_statuses_follow_from_the_checks_that_hold(
    found: Any, status: str, share: Any, failure: Any, headline: str
) -> None:
    result = judged(*found)

    assert (result.status, (result.passed, result.total)) == (status, share)
    assert (result.failure, result.headline) == (failure, headline)


RAISED = Raised(ename="KeyError", evalue="'Revenue'\nmore", traceback=(), line=1)


@pytest.mark.parametrize(
    ("outcome", "status", "failure", "headline"),
    [
        (RAISED, "failed", FailureKind.ERROR, "KeyError: 'Revenue'"),
        (
            TimedOut(limit_s=20.0, line=None),
            "failed",
            FailureKind.TIMED_OUT,
            "Timed out after 20 s",
        ),
        (
            Killed(signal="SIGSEGV", exit_code=None, why="a segmentation fault"),
            "failed",
            FailureKind.KILLED,
            "Killed: a segmentation fault",
        ),
        (NotRun(why="There is no kernel."), "not_run", None, "Not run: There is no kernel."),
    ],
)
def test_what_did_not_run_to_its_end_never_passes(
    outcome: Any, status: str, failure: Any, headline: str
) -> None:
    for measured in ((facts(),), ()):
        result = judge(executed(measured, outcome=outcome), expectation(VALUE))

        assert (result.status, result.failure, result.headline) == (status, failure, headline)
        assert (result.passed, result.total, result.accept) == (0, 1, None)


def test_it_is_an_error_also_when_nothing_was_declared() -> None:
    assert judged(outcome=RAISED).status == "failed"


def test_what_was_not_measured_never_passes() -> None:
    result = judge(executed(()), expectation(VALUE))

    assert (result.status, result.failure) == ("failed", FailureKind.CANNOT_COMPARE)


def test_a_reply_without_code_is_told_apart() -> None:
    result = judge(executed((), outcome=NotRun(why="It refused.")), expectation(), has_code=False)

    assert (result.status, result.failure, result.headline) == (
        "not_run",
        FailureKind.NO_CODE,
        "No code: It refused.",
    )


RAISES = check(ExceptionExpected(type="KeyError", pattern=None), name="raises KeyError")


def test_the_expected_exception_passes_and_its_absence_fails() -> None:
    nothing = ExceptionDifference(expected="KeyError", actual="nothing was raised")

    assert judged((RAISES, facts()), outcome=RAISED).status == "passed"
    assert judged((RAISES, facts()), (UNCHANGED, facts()), outcome=RAISED).status == "passed"
    assert judged((RAISES, facts()), (UNCHANGED, facts(CHANGED)), outcome=RAISED).status == (
        "partial"
    )
    missed = judged((RAISES, facts(nothing)))
    assert (missed.status, missed.headline) == (
        "failed",
        "KeyError expected, but nothing was raised",
    )


def cells(rows: Any, columns: Any, total: int = 1, error: float | None = 0.5) -> CellsDifference:
    one = CellDiff(row=0, row_label="0", column="a", expected="1.0", actual="1.5", abs_error=error)
    return CellsDifference(rows=rows, columns=columns, cells=(one,), total=total)


ROW_ORDER = OrderDifference(axis="rows", moved=2, expected=(), actual=())
COLUMN_ORDER = OrderDifference(axis="columns", moved=2, expected=(), actual=())
RENAMED = ColumnsDifference(missing=("a",), extra=("A",))
FEWER = ColumnsDifference(missing=("a", "b"), extra=("A",))
INT_FLOAT = DtypeDifference(column="a", expected="int64", actual="float64", same_kind=False)
INT_INT = DtypeDifference(column="a", expected="int64", actual="int32", same_kind=True)
DECLARED = IndexDifference(expected="a", actual="b", declared=True)
DEFAULT = IndexDifference(expected="0", actual="b", declared=False)
NAME = NameDifference(what="series", expected="a", actual="b")
FORM = FormDifference(expected="list", actual="tuple", conversion="a tuple, not a list")
MISSING = MissingKindDifference(path="", expected="nan", actual="None")
CASE = TextDifference(expected="a", actual="A", only="case")
BLANKS = TextDifference(expected="a", actual="a ", only="whitespace")
BOTH = TextDifference(expected="a", actual="A ", only="case and whitespace")
WORDS = TextDifference(expected="a", actual="b", only="words")


@pytest.mark.parametrize(
    ("differences", "counts", "tolerates"),
    [
        ([ROW_ORDER], {}, {"check_row_order": False}),
        ([COLUMN_ORDER], {}, {"check_column_order": False}),
        ([RENAMED], {}, {"check_column_names": False}),
        ([INT_FLOAT], {}, {"check_dtypes": "ignored"}),
        ([INT_INT], {"check_dtypes": "exact"}, {}),
        ([DECLARED], {}, {"check_index": "ignored"}),
        ([DEFAULT], {"check_index": "exact"}, {}),
        ([NAME], {"check_names": True}, {}),
        ([FORM], {}, {"check_container": False}),
        ([MISSING], {"check_missing_kind": True}, {}),
        ([CASE], {}, {"check_case": False}),
        ([BLANKS], {"check_whitespace": True}, {}),
        ([BOTH], {"check_whitespace": True}, {"check_case": False}),
        ([cells("position", "name")], {}, {"check_row_order": False}),
        ([cells("position", "name")], {}, {"abs_tol": 0.5}),
        ([cells("position", "name")], {}, {"rel_tol": 0.5}),
        ([cells("sorted", "name")], {"check_row_order": False}, {}),
        (
            [COLUMN_ORDER, cells("position", "position")],
            {"check_column_names": False},
            {"check_column_order": False},
        ),
        ([RENAMED, cells("position", "name")], {}, {"check_column_names": False}),
        ([ValueDifference(path="", expected="0.5", actual="0.6", abs_error=0.1, rel_error=0.2)],
         {}, {"abs_tol": 0.2}),
    ],
    ids=repr,
)  # fmt: skip
def test_a_policy_field_decides_whether_a_difference_counts(
    differences: Any, counts: dict[str, Any], tolerates: dict[str, Any]
) -> None:
    counting = judged((TABLE, facts(*differences)), policy=ANALYST.model_copy(update=counts))
    tolerating = judged((TABLE, facts(*differences)), policy=ANALYST.model_copy(update=tolerates))

    assert (counting.status, tolerating.status) == ("failed", "passed")
    assert len(tolerating.results[0].tolerated) == len(differences)


LOOSEST = ANALYST.model_copy(
    update={
        "check_row_order": False,
        "check_column_order": False,
        "check_column_names": False,
        "check_dtypes": "ignored",
        "check_index": "ignored",
        "check_container": False,
        "check_case": False,
        "rel_tol": 1.0,
        "abs_tol": 1.0,
    }
)


@pytest.mark.parametrize(
    "difference",
    [
        ValueDifference(path="", expected="3", actual="4", abs_error=1.0, rel_error=0.3),
        ValueDifference(path="", expected="a", actual="b", abs_error=None, rel_error=None),
        ValueDifference(path="", expected="9", actual="9.0", abs_error=0.0, rel_error=0.0),
        cells("sorted", "name", error=None),
        cells("sorted", "name", total=2),
        RowsDifference(missing=(), extra=(), expected_rows=2, actual_rows=3),
        FEWER,
        ShapeDifference(expected="2", actual="3"),
        TypeDifference(expected="int", actual="str"),
        WORDS,
        CHANGED,
        AbsentDifference(what="there is no last value", hint=None),
        UNPROVEN,
        ExceptionDifference(expected="KeyError", actual="nothing was raised"),
    ],
    ids=repr,
)
def test_no_policy_lets_a_difference_of_content_pass(difference: Any) -> None:
    assert judged((TABLE, facts(difference)), policy=LOOSEST).status == "failed"


@pytest.mark.parametrize(
    ("differences", "accept"),
    [
        ([ROW_ORDER], "check_row_order"),
        ([COLUMN_ORDER], "check_column_order"),
        ([DECLARED], "check_index"),
        ([INT_FLOAT], "check_dtypes"),
        ([FORM], "check_container"),
        ([FORM, INT_INT, DEFAULT], "check_container"),
        ([CASE], "check_case"),
        ([RENAMED], "check_column_names"),
        ([RENAMED, cells("position", "position")], None),
        ([ROW_ORDER, INT_FLOAT], None),
        ([WORDS], None),
        ([cells("position", "name"), cells("sorted", "name")], None),
        ([cells("position", "name", error=0.005)], "check_row_order"),
        ([cells("position", "name", error=0.005), cells("sorted", "name")], "rel_tol"),
    ],
    ids=repr,
)
def test_the_one_field_that_would_make_it_pass_is_named(differences: Any, accept: Any) -> None:
    assert judged((TABLE, facts(*differences))).accept == accept


def test_a_narrower_tolerance_than_measured_cannot_be_judged() -> None:
    execution = executed((facts(),))
    strict = expectation(TABLE, policy=STRICT)

    result = judge(execution, strict, measured=ANALYST)
    assert (result.status, result.failure) == ("failed", FailureKind.CANNOT_COMPARE)
    assert judge(execution, strict, measured=STRICT).status == "passed"
