"""Text can be read: WCAG AA contrast of the style sheet's colours, in light and dark."""

import re
from itertools import product

import pytest

from hippograph.web.app import STATIC

SHEET = (STATIC / "style.css").read_text()
AA, AA_EDGE = 4.5, 3.0
TEXTS = ("ink", "soft", "faint")
GROUNDS = ("paper", "surface", "sunk")
PAIRS = [
    *product(TEXTS, GROUNDS),
    *product(("accent", "good", "warn", "bad"), ("paper", "surface")),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("accent-strong", "accent-soft"),
    ("ink", "accent-soft"),
    ("good", "good-soft"),
    ("warn", "warn-soft"),
    ("bad", "bad-soft"),
]


def palette(selector: str) -> dict[str, str]:
    block = SHEET[SHEET.index(selector) :].partition("}")[0]
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", block))


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """As WCAG 2.2 defines it: 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("selector", [":root {", ':root[data-theme="dark"]'], ids=["light", "dark"])
def test_text_stands_out_from_what_it_stands_on(selector: str) -> None:
    colours = palette(selector)
    weak = {pair: round(contrast(*(colours[each] for each in pair)), 2) for pair in PAIRS}
    assert {pair: ratio for pair, ratio in weak.items() if ratio < AA} == {}
    assert contrast(colours["edge"], colours["surface"]) >= AA_EDGE, "fields have an edge that is seen"


def test_night_is_the_same_whether_chosen_or_the_system_s() -> None:
    assert palette(':root[data-theme="auto"]') == palette(':root[data-theme="dark"]')
