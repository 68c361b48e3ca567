"""`hippograph import` of documents, and of what `hippograph export` wrote."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from papers import pdf, word

if TYPE_CHECKING:
    from tests.cli.conftest import Command


def notes(folder: Path) -> Path:
    """A folder of good documents, bad ones, and others."""
    folder.mkdir()
    (folder / "safe.md").write_text("# Keys\nThe safe opens with 7-19-44.\n", encoding="utf-8")
    (folder / "会议.txt").write_bytes("会议改到星期四下午三点，在杭州的滨江办公室。请大家准时参加。".encode("gb18030"))
    (folder / "page.html").write_text("<h1>Trains</h1><p>Ann books the trains.</p>")
    word(folder / "lease.docx", [("Heading 1", "Rent"), ("Normal", "The rent is 900 a month.")])
    (folder / "paper.pdf").write_bytes(pdf(["Figure 3 shows the yield of lychee trees."]))
    (folder / "empty.txt").write_bytes(b"")
    (folder / "scan.pdf").write_bytes(pdf([""]))
    (folder / "locked.pdf").write_bytes(pdf(["secret"], password="x"))
    (folder / "photo.png").write_bytes(b"\x89PNG")
    return folder


def test_a_folder_of_documents_is_stored_but_for_the_bad_ones_which_are_named(
    command: "Command", new_home: Callable[[], Path], tmp_path: Path
) -> None:
    home, folder = new_home(), notes(tmp_path / "notes")
    done = command("import", folder, "--home", home)
    assert done.returncode == 1
    assert "5 stored, 0 already there" in done.stdout
    assert "read as GB18030" in done.stderr
    assert "3 of 8 files could not be imported" in done.stderr
    for name, said in (("empty.txt", "is empty"), ("scan.pdf", "scanned"), ("locked.pdf", "protected by a password")):
        assert any(name in line and said in line for line in done.stderr.splitlines())
    best = command.json("recall", "会议在星期几？", "--home", home)[0]
    assert ("星期四" in best["text"], best["kind"]) == (True, "document")


def test_what_is_exported_is_imported_in_another_home_and_a_bad_file_is_told_plainly(
    command: "Command", new_home: Callable[[], Path], tmp_path: Path
) -> None:
    home, file = new_home(), tmp_path / "ann.jsonl"
    command("remember", "My locker number is 731.", "--user", "ann", "--home", home)
    assert command.json("export", file, "--user", "ann", "--home", home) == {
        "file": str(file),
        "memories": 1,
        "tombstones": 0,
    }
    other = new_home()
    counts = command.json("import", file, "--user", "ann", "--home", other)
    assert (counts["stored"], counts["known"], counts["forgotten"]) == (1, 0, 0)
    file.write_text(file.read_text().replace('"hippograph":1', '"hippograph":9'))
    assert "newer Hippograph" in command.fails("import", file, "--user", "ann", "--home", other)
