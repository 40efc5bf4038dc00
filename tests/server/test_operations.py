"""The routes that answer once, with a real kernel."""

from __future__ import annotations

import os
from typing import Any

import pytest

from exeds_lab.generate.scripted import ScriptedGenerator
from exeds_lab.model.candidate import Prompt
from exeds_lab.model.spec import ANALYST, STRICT, TableExpected, ValueExpected
from exeds_lab.model.wire import (
    ExpectationReply,
    ExpectationRequest,
    JudgeReply,
    JudgeRequest,
    StatusReply,
    VariablesReply,
    VariablesRequest,
)
from exeds_lab.server.routes import NAMESPACE
from exeds_lab.server.settings import ExedsLab
from tests.server.scenario import Kernel, asked, decoded, events_of, result


def declared(kind: Any, text: str, kernel_id: str | None, **changes: Any) -> ExpectationRequest:
    request = ExpectationRequest(
        kind=kind,
        text=text,
        target="last",
        kernel_id=kernel_id,
        execution_count=None,
        unchanged=(),
        only_rows=False,
        only_columns=False,
        policy=ANALYST,
    )
    return request.model_copy(update=changes)


async def test_status_says_what_serves_and_never_the_key(jp_fetch: Any, serve: Any) -> None:
    serve(ScriptedGenerator())
    body = (await jp_fetch(*NAMESPACE, "status")).body.decode()
    status = StatusReply.model_validate_json(body)

    assert status.generator == ScriptedGenerator().info
    assert (status.has_key, status.candidates) == (False, 3)
    assert status.presets == {"analyst": ANALYST, "strict": STRICT}


async def test_the_variables_of_a_kernel_are_described(
    kernel: Kernel, serve: Any, post: Any
) -> None:
    serve(ScriptedGenerator())
    _, body = await post("variables", VariablesRequest(kernel_id=kernel.id))
    found = VariablesReply.model_validate_json(body).variables

    assert {v.name: (v.description.type, v.description.preview) for v in found} == {
        "a": ("int", "40"),
        "b": ("int", "2"),
    }


async def test_the_exact_prompt_is_shown_before_anything_is_sent(
    kernel: Kernel, serve: Any, post: Any
) -> None:
    generator = ScriptedGenerator(["```python\na\n```"])
    serve(generator)
    shown = Prompt.model_validate_json((await post("prompt", asked(kernel.id)))[1])
    assert generator.jobs == []

    sent = result(events_of((await post("attempt", asked(kernel.id)))[1])).prompt
    assert sent == shown


async def test_a_variable_becomes_the_expectation(kernel: Kernel, serve: Any, post: Any) -> None:
    serve(ScriptedGenerator())
    reply = await post("expectation", declared("variable", "a", kernel.id))
    found = ExpectationReply.model_validate_json(reply[1])

    assert found.problem is None
    assert found.expectation is not None
    assert [check.expected for check in found.expectation.checks] == [ValueExpected(value=40)]
    assert found.expectation.origin == "variable"


async def test_a_variable_that_is_not_there_is_part_of_the_reply(
    kernel: Kernel, serve: Any, post: Any
) -> None:
    serve(ScriptedGenerator())
    status, body = await post("expectation", declared("variable", "gone", kernel.id))
    found = ExpectationReply.model_validate_json(body)

    assert (status, found.expectation) == (200, None)
    assert found.problem is not None
    assert found.problem.name == "ExpectationError"


async def test_an_output_is_read_from_the_kernel_while_it_has_it(
    kernel: Kernel, serve: Any, post: Any
) -> None:
    serve(ScriptedGenerator())
    await kernel.execute_async("a * b")
    count = int(await kernel.value("max(Out)"))
    from_kernel = declared("output", "80", kernel.id, execution_count=count)
    from_text = declared("output", "80", kernel.id, execution_count=count + 7)
    replies = [
        ExpectationReply.model_validate_json((await post("expectation", request))[1])
        for request in (from_kernel, from_text)
    ]

    for reply in replies:
        assert reply.expectation is not None
        assert [check.expected for check in reply.expectation.checks] == [ValueExpected(value=80)]


async def test_a_pasted_table_that_cannot_be_read_says_where(serve: Any, post: Any) -> None:
    serve(ScriptedGenerator())
    table = "region,revenue\nNorth,1\nSouth,2,3\n"
    _, body = await post("expectation", declared("table", table, None))
    problem = ExpectationReply.model_validate_json(body).problem

    assert problem is not None
    assert problem.line == 3


async def test_a_trial_is_judged_again_under_another_policy(
    kernel: Kernel, serve: Any, post: Any
) -> None:
    serve(ScriptedGenerator())
    await kernel.execute_async("import pandas as pd\ndf = pd.DataFrame({'n': [1, 2]})")
    reply = await post("expectation", declared("table", "n\n2\n1\n", kernel.id))
    expectation = ExpectationReply.model_validate_json(reply[1]).expectation
    assert expectation is not None
    assert isinstance(expectation.checks[0].expected, TableExpected)
    request = asked(kernel.id, code="df", expectation=expectation)
    trial = result(events_of((await post("attempt", request))[1])).trials[0]
    loose = expectation.model_copy(
        update={"policy": ANALYST.model_copy(update={"check_row_order": False})}
    )
    again = await post("judge", JudgeRequest(trial=trial, expectation=loose))

    assert trial.verdict.status == "failed"
    assert trial.verdict.accept == "check_row_order"
    assert JudgeReply.model_validate_json(again[1]).verdict.status == "passed"


async def test_an_unusable_setting_is_a_400_that_names_it(jp_serverapp: Any, jp_fetch: Any) -> None:
    jp_serverapp.web_app.settings["exeds_lab_settings"].parallel = 0
    response = await jp_fetch(*NAMESPACE, "status", raise_error=False)

    assert response.code == 400
    assert decoded(response.body)["reason"] == "The setting 'parallel' must be above zero."


def test_the_key_is_taken_out_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXEDS_LAB_API_KEY", "secret")
    monkeypatch.setenv("EXEDS_LAB_MODEL", "from-environment")
    settings = ExedsLab()
    settings.take_environment()

    assert "EXEDS_LAB_API_KEY" not in os.environ
    assert settings.values()["api_key"] == "secret"
    assert settings.values()["model"] == "from-environment"


def test_traits_come_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXEDS_LAB_MODEL", "from-environment")
    settings = ExedsLab(model="from-traits", candidates=5)
    settings.take_environment()

    values = settings.values()
    assert (values["model"], values["candidates"], values["parallel"]) == ("from-traits", 5, None)


@pytest.mark.parametrize(
    ("base_url", "key"), [("http://127.0.0.1:9/v1", None), (None, "the user's own")]
)
def test_the_openai_key_goes_to_openai_alone(
    base_url: str | None, key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "the user's own")
    monkeypatch.delenv("EXEDS_LAB_API_KEY", raising=False)
    settings = ExedsLab(model="m", base_url=base_url)
    settings.take_environment()

    assert settings.values()["api_key"] == key
    assert os.environ["OPENAI_API_KEY"] == "the user's own"
