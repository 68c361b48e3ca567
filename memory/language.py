"""Tell Chinese from English."""

import re
from typing import Literal

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_PARTICLE = re.compile(r"[的了是在吗呢吧么这那我你他她们]")
_LATIN = re.compile(r"[A-Za-zÀ-ÿ]+")


def language(text: str) -> Literal["zh", "en"]:
    """Return the language a text is mostly written in.

    A Chinese character weighs as much as a Latin word, twice that where the text has Chinese grammar: "用 FastAPI 写的
    billing-svc" is Chinese, "call 李雷 back please" is English. A text without letters is English.
    """
    han, latin = len(_HAN.findall(text)), len(_LATIN.findall(text))
    return "zh" if han and (2 * han > latin if _PARTICLE.search(text) else han >= latin) else "en"
