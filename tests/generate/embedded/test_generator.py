"""The embedded generator: what it gives, and what it says when it can give nothing."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from forks import forks
from jobs import job, table_check, value_check

from exeds_lab.config import DEFAULT
from exeds_lab.errors import GeneratorError
from exeds_lab.generate.embedded import labels
from exeds_lab.generate.embedded.generator import EmbeddedGenerator, _Given
from exeds_lab.model.candidate import Candidate

SALES = """
import pandas as pd
df = pd.DataFrame({
    "region": ["North", "South", "North", "East"],
    "units": [10, 3, 7, 2],
    "price": [1.5, 12.0, 1.5, 30.0],
})
"""
SETTINGS = DEFAULT.embedded.model_copy(update={"model": "none"})


def candidates(wanted, settings=SETTINGS):
    async def collect():
        generator = EmbeddedGenerator(settings)
        try:
            async with contextlib.aclosing(generator.generate(wanted)) as events:
                return [event async for event in events if isinstance(event, Candidate)]
        finally:
            await generator.close()

    return asyncio.run(collect())


class TestTheSearchAlone:
    def test_gives_the_program_a_person_would_write_first(self):
        check = value_check(121.5)

        first = candidates(job("Compute the total of units times price.", check, forks(SALES)))[0]

        assert first.code == '(df["price"] * df["units"]).sum()'
        assert first.generator == labels.SEARCH
        assert first.problem is None
        assert first.note.endswith(("also fit.", "also fits.", "that was tried fits."))

    def test_gives_exactly_the_declared_columns(self):
        check = table_check(["region", "revenue"], [["East", 2], ["North", 17], ["South", 3]])
        wanted = job("Total units of each region, called revenue", check, forks(SALES))

        first = candidates(wanted)[0]

        assert first.code == 'df.groupby("region").agg(revenue=("units", "sum")).reset_index()'

    def test_stores_the_value_in_the_declared_variable(self):
        check = value_check(22, variable="total")

        first = candidates(job("Total units", check, forks(SALES)))[0]

        assert first.code == 'total = df["units"].sum()'

    def test_never_gives_more_than_asked_for_and_never_the_same_twice(self):
        wanted = job("Units of the smallest order", value_check(2), forks(SALES), count=2)

        found = candidates(wanted)

        assert [one.index for one in found] == [0, 1]
        assert found[0].code != found[1].code


class TestNothingToGive:
    def test_without_a_declared_value_it_says_what_is_missing(self):
        with pytest.raises(GeneratorError) as caught:
            candidates(job("Plot the units", None, forks(SALES)))

        assert caught.value.layer == "local"
        assert "needs a whole expected value" in caught.value.reason
        assert "exeds-lab model get" in caught.value.next_step

    def test_a_value_that_nothing_gives_is_said_with_the_number_of_tries(self):
        with pytest.raises(GeneratorError) as caught:
            settings = SETTINGS.model_copy(update={"search_s": 0.2})
            candidates(job("The answer", value_check("no such text"), forks(SALES)), settings)

        assert "expressions and none gave the expected result" in caught.value.reason

    def test_a_kernel_that_fails_is_said(self):
        with pytest.raises(GeneratorError) as caught:
            candidates(job("Total units", value_check(22), forks("raise ValueError('no')")))

        assert caught.value.reason.startswith("The search did not come to its end (raised).")


def test_cells_with_magics_are_told_apart_by_their_text():
    given = _Given()

    codes = ["1 + 1", "1+1", "%time 1", "%time 1", "%time 2"]

    assert [given.is_new(code) for code in codes] == [True, False, True, False, True]
