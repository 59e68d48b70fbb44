"""Files are read with good errors and written whole."""

import io
import os
import stat
import sys
import tempfile
from pathlib import Path

import pytest

from coarsest.errors import FileProblem
from coarsest.files import read_text, scratch_file, write_whole


def test_reads_utf8_and_skips_a_byte_order_mark(tmp_path):
    path = tmp_path / "m.smv"
    path.write_bytes("\ufeffVAR x : {é};\r\n".encode())
    source = read_text(path)
    assert source.text == "VAR x : {é};\r\n"
    assert source.name == str(path)


def test_dash_is_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"MODULE main")))
    assert read_text("-").text == "MODULE main"


def test_missing_file_names_the_path(tmp_path):
    with pytest.raises(FileProblem, match="no such file"):
        read_text(tmp_path / "absent.smv")
    with pytest.raises(FileProblem, match="there is no directory"):
        read_text(tmp_path / "nowhere" / "absent.smv")


def test_directory_and_strange_paths(tmp_path):
    with pytest.raises(FileProblem, match="not a directory"):
        read_text(tmp_path)
    with pytest.raises(FileProblem):
        read_text("zero\0byte")
    with pytest.raises(FileProblem):
        write_whole(tmp_path, "text")


def test_undecodable_text_points_at_the_byte(tmp_path):
    path = tmp_path / "m.smv"
    path.write_bytes(b"MODULE main\nVAR \xe9 : boolean;")
    with pytest.raises(FileProblem) as caught:
        read_text(path)
    assert ":2:5: error: not a text in UTF-8: found byte 0xe9" in str(caught.value)


def test_write_keeps_the_mode_and_leaves_nothing_behind(tmp_path):
    path = tmp_path / "order.ord"
    write_whole(path, "a\n")
    path.chmod(0o640)
    write_whole(path, b"b\n")
    assert path.read_text() == "b\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["order.ord"]


def test_write_through_a_link_keeps_the_link(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_links_in_a_circle_lead_nowhere(tmp_path):
    link = tmp_path / "link.txt"
    link.symlink_to(link)
    with pytest.raises(FileProblem, match="too many levels of symbolic links"):
        write_whole(link, "text")
    with pytest.raises(FileProblem, match="too many levels of symbolic links"):
        read_text(link)
    assert link.is_symlink()


def test_a_failed_write_leaves_the_old_content(tmp_path, monkeypatch):
    path = tmp_path / "order.ord"
    path.write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(FileProblem, match="no space left"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["order.ord"]


def test_write_to_a_device():
    write_whole(os.devnull, "gone")


def test_write_into_a_missing_directory(tmp_path):
    with pytest.raises(FileProblem, match="there is no directory"):
        write_whole(tmp_path / "nowhere" / "f", "text")


def test_comments_may_be_in_any_encoding(tmp_path):
    path = tmp_path / "old.smv"
    path.write_bytes(b"MODULE main -- caf\xe9\nVAR x : boolean; -- \xfc\n")
    assert read_text(path).text.split() == ["MODULE", "main", "--", "caf\ufffd", "VAR", "x", ":", "boolean;", "--", "\ufffd"]
    path.write_bytes(b"MODULE main -- caf\xe9\nVAR \xfc : boolean;\n")
    with pytest.raises(FileProblem, match="not a text in UTF-8"):
        read_text(path)


def test_a_scratch_file_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with scratch_file() as name:
        Path(name).write_bytes(b"some")
        assert Path(name).read_bytes() == b"some"
        if name.startswith("/proc"):
            assert list(tmp_path.iterdir()) == []  # nor would there be anything if the process were killed here
    assert list(tmp_path.iterdir()) == []


def test_a_scratch_file_has_a_name_where_it_needs_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(os.path, "exists", lambda _: False)
    with scratch_file() as name:
        Path(name).write_bytes(b"some")
        assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"some"]
    assert list(tmp_path.iterdir()) == []
