"""Whether an answer says that it does not know, Chinese and English.

An answer abstains if it is empty, or if its first sentence says so and nothing after that goes on to answer: "I don't
know, but it may have been Oslo" is an answer, "I don't know, but you can tell me" is none.
"""

import re
import unicodedata

_KNOW = r"know|have|see|find|recall|remember|possess|contain|include"
_ENGLISH = re.compile(
    r"\b(?:do not|does not|did not|don't|doesn't|didn't) (?:actually |really |currently |explicitly |specifically )?"
    r"(?:know\b|recall\b|remember\b|have (?:any |enough |that |the |this |such |specific |sufficient |a )*"
    r"(?:information|details?|record|memory|knowledge|data|context|answer|mention|access)"
    r"|(?:mention|say|specify|state|provide|contain|include|indicate|tell|give|reveal|describe|answer)\b)"
    r"|\b(?:not|isn't|aren't|wasn't|never|neither) (?:\w+ ){0,2}?"
    r"(?:mentioned|provided|specified|stated|given|known|available|indicated|recorded|said|told|found|described|"
    r"contained|included|shown|enough information|in the (?:context|notes|conversation|text))\b"
    r"|\b(?:there is|there's|there are|has|have|with|contains?|provides?) no (?:\w+ ){0,2}?"
    r"(?:information|mention|record|details?|evidence|indication|data|answer|notes?|memory)\b"
    r"|^no (?:information|mention|record|details?|data)\b"
    r"|\b(?:cannot|can't|can not|could not|couldn't|unable to|not able to|impossible to) "
    r"(?:be )?(?:determined?|answer(?:ed)?|find|found|tell|say|know|confirm|provide|infer(?:red)?|recall|remember)\b"
    r"|\b(?:haven't|have not|hasn't|has not|never) (?:yet )?(?:told|mentioned|said|shared|provided|specified)\b"
    r"|\b(?:lacks?|lacking|insufficient|not enough) (?:\w+ ){0,2}?(?:information|details?|context|data)\b"
    r"|\b(?:i'm|i am|it's|it is) not (?:sure|certain|clear)\b"
    r"|\b(?:is|are|remains?) unknown\b|^unknown\b|\bno idea\b|\bunclear\b|\bunsure\b|\bunanswerable\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?:不知道|不清楚|不确定|不了解|不记得|无法(?:回答|确定|得知|确认|判断|提供|知道|获知|找到|给出|从)"
    r"|不能(?:回答|确定)|没法(?:回答|确定)|没有?(?:任何|明确|具体|直接)*(?:提到|提及|提供|说明|说过|告诉|记录|记载|相关|找到|这方面|信息|资料|答案)"
    r"|未(?:曾|能)?(?:提到|提及|提供|说明|知|记录|记载|找到|明确)|并未|不详|找不到|查不到|尚不明确)"
)
_TURNS = re.compile(
    r"(?:\b(?:but|however|although|though|yet|nevertheless|still)\b|[，,。;；\s](?:但是?|不过|然而|可能))(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_OFFER = re.compile(
    r"\b(?:if you|you (?:can|could|may|might)|please|let me know|feel free|happy to|help you|can help|could you|"
    r"would you|based on)\b|如果|请|可以告诉|能帮|帮您|帮你|需要我",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s*|\n+")
LEAST_WORDS = 3
"""What follows "but" is an answer from so many words, or Chinese characters, on."""


def abstains(answer: str) -> bool:
    """Tell whether an answer says that it does not know."""
    text = unicodedata.normalize("NFKC", answer).replace("’", "'").strip()
    if not text:
        return True
    first, *others = [each for each in _SENTENCE.split(text) if each.strip()]
    said = _ENGLISH.search(first) or _CHINESE.search(first)
    if said is None:
        return False
    return not any(_answers(rest) for rest in (first[said.end() :], *others))


def _answers(text: str) -> bool:
    """Tell whether what follows an "I don't know" answers all the same."""
    turn = _TURNS.search(f" {text}")
    if turn is None or _OFFER.search(turn["rest"]):
        return False
    rest = turn["rest"]
    silent = _ENGLISH.search(rest) or _CHINESE.search(rest)
    return silent is None and len(re.findall(r"[a-z0-9']+|[\u4e00-\u9fff]", rest, re.IGNORECASE)) >= LEAST_WORDS
