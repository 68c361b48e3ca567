"""Web pages, Word files and PDFs."""

import contextlib
import zipfile
from pathlib import Path

import pytest
from papers import pdf, word

from hippograph.memory.formats import load
from hippograph.memory.formats.pdf import unwrapped
from hippograph.state import BadInput

PAGE = """<html><head><title>旅行手册</title><style>p {color: red}</style></head><body>
<script>alert("no")</script><!-- no --><h1>杭州</h1><p>西湖在<b>杭州</b>，<br>很美。
<ul><li>Tea</li><li>Silk</li></ul><table><tr><th>City</th><th>Days</th></tr><tr><td>Oslo</td><td>3</td></tr></table>
<pre>a
  b</pre><h2>Sub &amp; more</h2><div>Bare<p>nested</p>tail</div><template>no</template></body></html>"""
INNER = """<w:r><w:t>kept </w:t></w:r><w:ins><w:r><w:t>new </w:t></w:r></w:ins>
<w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:hyperlink><w:r><w:t>link</w:t></w:r></w:hyperlink>
<w:r><w:pict><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></w:pict></w:r></w:p>
<w:sdt><w:sdtContent><w:p><w:r><w:t>control</w:t></w:r></w:p></w:sdtContent></w:sdt>
<w:p><w:r><w:t>end</w:t></w:r>"""


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_a_page_is_read_as_it_is_read_by_eye(tmp_path: Path) -> None:
    loaded = load(written(tmp_path / "a.html", PAGE))
    paragraphs = loaded.text.split("\n\n")
    assert paragraphs[:5] == ["旅行手册", "杭州", "西湖在杭州，\n很美。", "- Tea", "- Silk"]
    assert paragraphs[5:] == ["City | Days", "Oslo | 3", "a\n  b", "Sub & more", "Bare", "nested", "tail"]
    assert [(each.level, each.title) for each in loaded.headings] == [(1, "旅行手册"), (1, "杭州"), (2, "Sub & more")]
    assert all(loaded.text[each.start : each.end] == each.title for each in loaded.headings)


def test_a_page_in_its_own_encoding_and_one_nested_without_end_are_read(tmp_path: Path) -> None:
    page = '<meta http-equiv="Content-Type" content="text/html; charset=gb2312"><p>镕基去了㐂园</p>'
    assert load(written(tmp_path / "a.htm", page.encode("gb18030"))).text == "镕基去了㐂园"
    deep = "<div>" * 5000 + "deep inside" + "</div>" * 5000
    assert load(written(tmp_path / "b.html", deep)).text == "deep inside"


def test_a_word_file_is_read_with_headings_lists_and_tables(tmp_path: Path) -> None:
    paragraphs = [("Title", "合同"), ("Heading 1", "一、租金"), ("Normal", "每月五千元。"), ("Heading 2", "Deposit")]
    rows = [["Name", "Room"], ["Ann", "731"]]
    loaded = load(word(tmp_path / "a.docx", [*paragraphs, ("List Bullet", "Two months")], rows))
    assert loaded.text == "合同\n\n一、租金\n\n每月五千元。\n\nDeposit\n\nTwo months\n\nName | Room\n\nAnn | 731"
    assert [(each.level, each.title) for each in loaded.headings] == [(1, "合同"), (1, "一、租金"), (2, "Deposit")]


def test_what_a_word_file_hides_in_boxes_links_and_revisions_is_read(tmp_path: Path) -> None:
    path = word(tmp_path / "a.docx", [("Normal", "HERE")])
    with zipfile.ZipFile(path) as parts:
        held = {name: parts.read(name) for name in parts.namelist()}
    body = held["word/document.xml"].decode().replace("<w:r><w:t>HERE</w:t></w:r>", INNER)
    with zipfile.ZipFile(path, "w") as parts:
        for name, content in {**held, "word/document.xml": body.encode()}.items():
            parts.writestr(name, content)
    assert load(path).text == "kept new link\n\nboxed\n\ncontrol\n\nend"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (bytes.fromhex("d0cf11e0a1b11ae1") + bytes(512), "password"),
        (b"PK\x03\x04 but no more", "no Word file"),
        (b"plain text", "no Word file"),
    ],
)
def test_what_is_no_word_file_is_refused_in_words(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        load(written(tmp_path / "a.docx", content))


def test_a_pdf_is_read_in_chinese_and_english_with_its_pages_and_bookmarks(tmp_path: Path) -> None:
    pages = ["The safe opens with 7-19-44.", "第二章\n新地址是滨江区江南大道。"]
    loaded = load(written(tmp_path / "a.pdf", pdf(pages, bookmarks=[("Codes", 0), ("第二章", 1)])))
    assert loaded.text == "\n\n".join(pages)
    assert loaded.pages == [0, 30]
    assert [(each.start, each.title) for each in loaded.headings] == [(0, "Codes"), (30, "第二章")]


def test_lines_that_a_page_broke_are_joined() -> None:
    english = (
        "This is a long line that goes on in the next exam-\nple, as lines do in every one until the\nend.\n- item"
    )
    joined = "This is a long line that goes on in the next example, as lines do in every one until the end.\n- item"
    assert unwrapped(english) == joined
    assert unwrapped("这是一行很长的文字，它在下一行继\n续，然后结束。\n第二段。") == (
        "这是一行很长的文字，它在下一行继续，然后结束。\n第二段。"
    )


def test_a_page_without_text_is_told_and_a_scanned_file_refused(tmp_path: Path) -> None:
    loaded = load(written(tmp_path / "a.pdf", pdf(["words", "", ""])))
    assert loaded.notes == ["no text on page 2, 3"]
    with pytest.raises(BadInput, match=r"has 2 pages and no text: it is scanned.*ocrmypdf"):
        load(written(tmp_path / "b.pdf", pdf(["", ""])))


def test_a_locked_a_damaged_and_no_pdf_are_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="protected by a password"):
        load(written(tmp_path / "a.pdf", pdf(["secret"], password="x")))
    with pytest.raises(BadInput, match="is no PDF"):
        load(written(tmp_path / "b.pdf", "just text"))
    with pytest.raises(BadInput, match=r"c\.pdf is damaged"):
        load(written(tmp_path / "c.pdf", b"%PDF-1.4\n" + pdf(["one"])[200:500]))


@pytest.mark.parametrize("end", range(100, 1300, 200))
def test_a_pdf_that_was_cut_short_gives_its_text_or_a_reason(tmp_path: Path, end: int) -> None:
    path = written(tmp_path / "a.pdf", pdf(["one", "two"])[:end])
    with contextlib.suppress(BadInput):
        assert load(path).text.strip()
