from pathlib import Path

import pytest

from hippograph.memory.formats import load
from hippograph.state import BadInput

CHINESE = "我们在三月搬到了杭州的滨江区，新的办公室在江南大道八十八号。会议改到星期四下午三点。"


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "gbk", "gb2312", "utf-16", "utf-32"])
@pytest.mark.parametrize("text", [CHINESE, CHINESE * 50, "Moved to 杭州 in March; the budget stays."])
def test_chinese_is_read_in_every_usual_encoding(tmp_path: Path, encoding: str, text: str) -> None:
    assert load(written(tmp_path / "a.txt", text.encode(encoding))).text == text


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("Plain English, nothing else.", "utf-16-le"), ("Plain English, nothing else.", "utf-16-be")],
)
def test_latin_in_utf_16_without_a_mark_is_read(tmp_path: Path, text: str, encoding: str) -> None:
    loaded = load(written(tmp_path / "a.txt", text.encode(encoding)))
    assert (loaded.text, loaded.notes) == (text, [f"read as {encoding.upper()}"])


def test_other_encodings_are_guessed_and_the_guess_is_told(tmp_path: Path) -> None:
    text = "Le café est fermé à Noël; la réunion aura lieu après l'été, près de la fenêtre où l'on déjeune. " * 5
    loaded = load(written(tmp_path / "a.txt", text.encode("cp1252")))
    assert "réunion" in loaded.text
    assert loaded.notes
    traditional = "我們在三月搬到了臺北的信義區，會議改到星期四下午三點，請大家準時參加這個重要的會議。" * 5
    assert load(written(tmp_path / "b.txt", traditional.encode("big5"))).text == traditional


@pytest.mark.parametrize(
    "junk", [bytes(range(256)) * 20, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(500), b"\x7fELF\2\1\1" + bytes(64)]
)
def test_binary_junk_is_refused_in_words(tmp_path: Path, junk: bytes) -> None:
    with pytest.raises(BadInput, match="no text"):
        load(written(tmp_path / "a.txt", junk))


@pytest.mark.parametrize("content", [b"", b" \n\n\t", "\ufeff \u3000\n".encode()])
@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
def test_an_empty_file_is_refused_in_words(tmp_path: Path, name: str, content: bytes) -> None:
    with pytest.raises(BadInput, match=r"is empty|holds no text"):
        load(written(tmp_path / name, content))


def test_a_missing_file_and_an_unknown_format_are_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        load(tmp_path / "none.txt")
    with pytest.raises(BadInput, match="say which with --format"):
        load(written(tmp_path / "a.xyz", "text"))
    assert load(tmp_path / "a.xyz", "txt").text == "text"


def test_markdown_headings_are_found_but_not_in_code_or_front_matter(tmp_path: Path) -> None:
    text = (
        "---\ntitle: x\n---\n# 手册 #\n\n```sh\n# no heading\n```\n\n## Install\ntext\n\nOld style\n=========\nx\n\n"
        "Second\n---\n\n- list\n---\n\n    code\n    ---\n#no heading\n~~~\n# none\n```\n# none\n~~~\n### Last"
    )
    loaded = load(written(tmp_path / "a.md", text))
    assert loaded.text == text
    assert [(each.level, each.title) for each in loaded.headings] == [
        (1, "手册"),
        (2, "Install"),
        (1, "Old style"),
        (2, "Second"),
        (3, "Last"),
    ]
    assert all(text[each.start : each.end].strip("# =-\n").startswith(each.title) for each in loaded.headings)


def test_chapters_of_a_plain_text_are_headings(tmp_path: Path) -> None:
    text = "第一章 初见\n他来了。第二章说的是别的。\n\n第十二回 风雪\n下雪了。\r\nChapter IV: Home\nHe left.\n"
    loaded = load(written(tmp_path / "a.txt", text))
    assert [each.title for each in loaded.headings] == ["第一章 初见", "第十二回 风雪", "Chapter IV: Home"]
