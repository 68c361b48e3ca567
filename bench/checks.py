"""Checks of a page by others' rules: axe-core for accessibility, Lighthouse; neither comes with this project.

`npm pack axe-core` gives axe.min.js (MPL-2.0), `npm install lighthouse` node_modules/.bin/lighthouse (Apache-2.0).
"""

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from hippograph.state import BadInput

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

GRADED = ("chat", "memories", "stats")
"""Sections that Lighthouse grades: it takes half a minute for each."""
CATEGORIES = ("performance", "accessibility", "best-practices")
SECONDS = 300


def playwright() -> "Callable[[], AbstractContextManager[Playwright]]":
    """Return what drives a browser.

    Raises:
        BadInput: It is not installed.
    """
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise BadInput("A browser is driven by Playwright, which is not installed: pip install playwright") from None
    return sync_playwright


def axe(page: "Page", url: str, source: Path) -> list[str]:
    """Return the rules that a page breaks by axe-core, light and dark, each with its weight and how often.

    Raises:
        BadInput: The file cannot be read.
    """
    try:
        script = source.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{source} cannot be read ({error.strerror}): give axe-core's axe.min.js.") from error
    broken = dict[str, None]()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(url)
        page.evaluate(script)
        for rule in page.evaluate("axe.run().then(found => found.violations)"):
            broken[f"{rule['id']} ({rule['impact']}, {len(rule['nodes'])} places, {scheme})"] = None
    return [*broken]


def lighthouse(program: Path, url: str, chromium: str) -> Mapping[str, int]:
    """Return Lighthouse's grades of a page, 0 to 100, by category.

    Raises:
        BadInput: It cannot be run.
    """
    flags = "--headless=new --no-sandbox --disable-gpu"
    command = [str(program), url, "--output=json", "--quiet", "--preset=desktop", f"--chrome-flags={flags}"]
    command.append(f"--only-categories={','.join(CATEGORIES)}")
    try:
        ran = subprocess.run(
            command, env={**os.environ, "CHROME_PATH": chromium}, capture_output=True, timeout=SECONDS, check=True
        )
        found = json.loads(ran.stdout)["categories"]
    except (OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
        raise BadInput(f"Lighthouse could not be run ({error}): give node_modules/.bin/lighthouse.") from error
    return {name.replace("-", "_"): round(100 * (found[name]["score"] or 0)) for name in CATEGORIES}
