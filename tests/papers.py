"""Documents made by code: tests need no binary files in the repository."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import docx
from pypdf import PdfReader, PdfWriter


def pdf(pages: Sequence[str], *, password: str = "", bookmarks: Sequence[tuple[str, int]] = ()) -> bytes:
    """A PDF with a line of text for each line of a page; an empty page is as a scanned one, without text."""
    letters = "".join(sorted({letter for page in pages for letter in page if letter != "\n"}))
    codes = {letter: number for number, letter in enumerate(letters, 1)}
    mapped = "\n".join(f"<{codes[each]:04x}> <{each.encode('utf-16-be').hex()}>" for each in letters)
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def "
        f"1 begincodespacerange <0000> <ffff> endcodespacerange {len(letters)} beginbfchar\n{mapped}\nendbfchar "
        "endcmap CMapName currentdict /CMap defineresource pop end end"
    )
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{6 + 2 * n} 0 R' for n in range(len(pages)))}] >>",
        "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H "
        "/DescendantFonts [4 0 R] /ToUnicode 5 0 R >>",
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 500 "
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
        f"<< /Length {len(cmap)} >> stream\n{cmap}\nendstream",
    ]
    for page in pages:
        lines = ["".join(f"{codes[each]:04x}" for each in line) for line in page.split("\n") if line]
        drawn = "BT /F1 12 Tf 14 TL 50 780 Td " + " ".join(f"<{line}> Tj T*" for line in lines) + " ET"
        parent = "/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >>"
        objects.append(f"<< {parent} /Contents {len(objects) + 2} 0 R >>")
        objects.append(f"<< /Length {len(drawn)} >> stream\n{drawn}\nendstream")
    made, places = "%PDF-1.4\n", list[int]()
    for number, each in enumerate(objects, 1):
        places.append(len(made))
        made += f"{number} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    made += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    made += f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{made.index('xref')}\n%%EOF"
    return _finished(made.encode("ascii"), password, bookmarks) if password or bookmarks else made.encode("ascii")


def _finished(made: bytes, password: str, bookmarks: Sequence[tuple[str, int]]) -> bytes:
    writer = PdfWriter(clone_from=PdfReader(BytesIO(made)))
    for title, page in bookmarks:
        writer.add_outline_item(title=title, page_number=page)
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    written = BytesIO()
    writer.write(written)
    return written.getvalue()


def word(path: Path, paragraphs: Sequence[tuple[str, str]], rows: Sequence[Sequence[str]] = ()) -> Path:
    """A Word file of (style, text) paragraphs and a table."""
    document = docx.Document()
    for style, text in paragraphs:
        document.add_paragraph(text, style)
    if rows:
        table = document.add_table(len(rows), len(rows[0]))
        for row, cells in zip(table.rows, rows, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
    document.save(str(path))
    return path
