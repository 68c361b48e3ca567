"""Cut a turn into the clauses that state something, Chinese and English; leave out what only seems to.

Questions, suppositions, other people's words, texts handed over to be worked on and code state nothing about anyone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hippograph.memory.extraction.english_changing import is_found_out
from hippograph.memory.language import language

_SAME = str.maketrans("‘’“”＇＂，；：（）！？０１２３４５６７８９％．", "''\"\"'\",;:()!?0123456789%.")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*[>|].*$|https?://\S+", re.DOTALL | re.MULTILINE)
_SHORT = "".join(rf"(?<!\b{each}\.)" for each in ("Dr", "Mr", "Ms", "Mrs", "St", "Prof", "e.g", "i.e", "vs", "No"))
_END = re.compile(rf"(?<=[。！？!?…])[\"')」』]*|{_SHORT}(?<=[.;；])[\"')]*\s+|\n+")
_HAN = re.compile(r"[\u4e00-\u9fff]")
LONGEST = 4000
"""Characters of a turn that are read: what is longer is a document, and stored as one."""

_GIVEN = re.compile(
    r"\b(?:translate|summari[sz]e|rewrite|rephrase|proofread|shorten|paraphrase|correct|improve|polish|edit|explain|"
    r"anal[iy][sz]e|classify|extract|reply|respond|write|draft|compose|continue|complete|convert|check|review)\b"
    r"[^.?!\n]{0,80}:|(?:翻译|译成|总结|概括|润色|改写|改成|修改|续写|缩写|扩写|解释|分析|写|回复|改错|校对|"
    r"检查|提取)[^。！？\n]{0,30}:",
    re.IGNORECASE,
)
_PRETEND = re.compile(
    r"\b(?:pretend|role-?play|act as|imagine (?:that )?(?:i|you|we)|just kidding|(?:i'?m|only|was) (?:just )?"
    r"(?:kidding|joking)|jk|april fools?|let's say|in (?:the|this|my) (?:story|novel|game|dream)|"
    r"my character)\b|\((?:from|quoting|a line from) (?:the|a|my)\b|"
    r"开玩笑|逗你|骗你的|角色扮演|假装|扮演|愚人节|小说里|剧本里|梦里|梦见|写(?:一?[个篇段首])",
    re.IGNORECASE,
)
_ASKED_EN = re.compile(
    r"\?[\s\"')]*$|^\W*(?:(?:and|so|ok|well|hey|but)\W+)?(?:what|which|who|whom|whose|where|why|how|do|does|"
    r"did|is|are|was|"
    r"were|am|has|have|had|can|could|should|would|will|shall|may|isn't|aren't|don't|doesn't|didn't|won't|can't)\s+"
    r"(?!(?:we|i) (?:use|call|do|have)\b)|\b(?:i wonder|wondering|do you know|tell me|not sure|no idea|don't know|"
    r"can you|could you|would you)\b",
    re.IGNORECASE,
)
_SUPPOSED_EN = re.compile(
    r"\b(?:if|unless|suppose|supposing|what if|wish|hypothetically|as if|as though|in case|"
    r"would(?:n't)?(?! like to)|could(?!n't)|might|maybe|"
    r"perhaps|possibly|almost|nearly|rumou?rs?|rumou?red|supposedly|allegedly|apparently|seems?|should)\b",
    re.IGNORECASE,
)
_SAYING = re.compile(
    r"\b(?:said|says?|saying|told|tells|claim(?:s|ed)|thinks?|thought|believes?|believed|mentioned|asked|asks|"
    r"wrote|writes|joked|argues|insists|insisted|suggested|"
    r"recommends|recommended|announced|replied)\b(?! (?:hi|hello|yes|no)\b)|\b(?:i (?:heard|read)|"
    r"according to|the article|quote)\b",
    re.IGNORECASE,
)
_I_SAY = re.compile(r"\b(?:i|we|to|i'd|i've|just|you)\s+(?:\w+ly\s+|just\s+|also\s+|always\s+)?$", re.IGNORECASE)
_ASKED_ZH = re.compile(
    r"\?[\s\"')」』]*$|[吗么]\W*$|什么(?!都)|谁|哪[里儿个些家种天年位]?|怎[么样]|为何|几[个点月岁号天次]|多少|"
    r"多[大高重久远]|是不是|"
    r"有没有|能不能|会不会|要不要|可不可以|好不好|不知道|想知道|请问|帮我(?!记|存|备忘)|麻烦你(?!记)|给我(?:写|"
    r"讲|推荐|列|介绍)|呢\W*$"
)
_SUPPOSED_ZH = re.compile(
    r"如果|要是|假如|假设|倘若|万一|的话|但愿|恨不得|要不是|好像|似乎|可能|也许|或许|大概|说不定|差点|差一点|"
    r"本来|想象|据说|听说|"
    r"应该(?!是)|仿佛|就像|好比|估计|建议|不如"
)
_REPORTED_ZH = re.compile(
    r"(?:[他她它]们?|有人|人家|别人|网上|大家|老师|医生|专家|新闻|文章|书上|"
    r"(?<!跟)(?<!对)(?<!和)(?<!给)(?<!向)我?(?:妈|爸|哥|弟|姐|妹|老婆|老公|同事|朋友|老板|领导)\S{0,3}|"
    r"(?:(?![我会能想要来])[\u4e00-\u9fff]){2,3}?)"
    r"(?:跟我|对我|和我|告诉我|也|就|还|总|总是|经常|一直|之前|昨天|今天){0,2}(?:(?<![会能小解])说(?!好|服|明)|"
    r"告诉|认为|觉得|以为|表示|写道|提到|建议|问|透露|声称|宣布)"
)
_I_SAY_ZH = re.compile(
    r"(?:^|[,。!])\s*(?:我|我们)(?:跟\S{1,4}|对\S{1,4}|之前|刚才|刚刚)?(?:说(?:过|错)?|告诉|认为|觉得|以为)|"
    r"^(?:我的?)?(?:医生|大夫|牙医|检查结果|化验结果|体检报告)(?:跟我|对我|刚|今天|昨天|已经)*(?:说|告诉我|确认|"
    r"显示|表明)(?=我[对没不的有是])"
)

_SPLIT_EN = re.compile(
    r"\s*[;—–]\s*|\s?-\s|:\s+(?=(?:i|i'\w+|we|my|our|the)\s)|,\s*(?=(?:and|but|so|or|yet|because|though|"
    r"although|which|who|while|when|where|then|"
    r"call\s+me|"
    r"i|i'\w+|we|we'\w+|he|"
    r"she|they|it|it's|my|our|his|her|their|not|no|now|just|also)\b)|"
    r"\s+(?=(?:but|because|although|though|while|whereas)\s)|\s+(?:and|&)\s+(?=(?:(?:i|we|my|our|he|she|they|"
    r"it|also|now|then|just|"
    r"really|don't|can't|hate|hates|love|loves|like|likes|prefer|prefers|live|lives|lived|work|works|worked|"
    r"study|studies|studied|"
    r"speak|speaks|have|has|had|own|owns|drive|drives|moved|bought|sold|got|joined|started|quit|am|is|play|"
    r"plays|use|uses|"
    r"am|was|graduated|adopted|switched|can)\b|(?:i|we)'|(?-i:[A-Z])\w+\s+\w+s\s))|\)\s*|\s*\(",
    re.IGNORECASE,
)
_SPLIT_ZH = re.compile(
    r"[;()—\s]+|,(?!(?<=\d,)\d{3}(?!\d))|:(?!(?<=\d:)\d\d(?!\d))|(?<=[\u4e00-\u9fff])(?:但是|不过(?!敏|期|分|关|"
    r"瘾|时)|而且|所以|因为|然后|并且|可是|但)(?=[\u4e00-\u9fff])"
)
_JOIN_ZH = re.compile(r"(?<=[\u4e00-\u9fff])\s+(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])\s+(?=[A-Za-z0-9\u4e00-\u9fff])")


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of a turn that states something."""

    text: str
    """As `plain` has it; as long as the turn's own words at `start`."""
    start: int
    sentence: int
    """Number of its sentence in the turn."""
    language: str


def plain(text: str) -> str:
    """Return a text with plain quotes, digits and punctuation, each character in its place."""
    return text.translate(_SAME)


def clauses(text: str) -> Iterator[Clause]:
    """Yield the clauses of a turn that state something, in order."""
    text = _CODE.sub(lambda found: " " * len(found[0]), plain(text[:LONGEST]))
    if given := _GIVEN.search(text):
        text = text[: given.start()]
    if _PRETEND.search(text):
        return
    for number, (start, end) in enumerate(sentences(text)):
        sentence = text[start:end]
        spoken = language(sentence)
        if states(sentence, spoken):
            for at, to in _pieces(sentence, spoken):
                yield Clause(sentence[at:to], start + at, number, spoken)


def states(sentence: str, spoken: str) -> bool:
    """Whether a sentence states something, as opposed to asking, supposing or telling what others say."""
    if spoken == "zh":
        if _ASKED_ZH.search(sentence) or _SUPPOSED_ZH.search(sentence):
            return False
        return not _REPORTED_ZH.search(_I_SAY_ZH.sub(",我", sentence))
    if _ASKED_EN.search(sentence) or _SUPPOSED_EN.search(sentence):
        return False
    return is_found_out(sentence) or all(_I_SAY.search(sentence[: each.start()]) for each in _SAYING.finditer(sentence))


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence of a text stands, without the white space and stops around it."""
    start = 0
    for cut in [*(found.end() for found in _END.finditer(text)), len(text)]:
        if cut > start:
            yield _stripped(text, start, cut)
            start = cut


def _pieces(sentence: str, spoken: str) -> Iterator[tuple[int, int]]:
    pattern = _SPLIT_ZH if spoken == "zh" else _SPLIT_EN
    kept = {found.span() for found in _JOIN_ZH.finditer(sentence)} if spoken == "zh" else set[tuple[int, int]]()
    start = 0
    for found in pattern.finditer(sentence):
        if found.span() in kept:
            continue
        if found.start() > start:
            yield _trimmed(sentence, start, found.start())
        start = found.end()
    if start < len(sentence):
        yield _trimmed(sentence, start, len(sentence))


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the stretch without white space at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the stretch without white space and closing punctuation at its ends."""
    while start < end and (text[start].isspace() or text[start] in ",.;:!?。…、\"'-~"):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",.;:!?。…、~"):
        end -= 1
    return start, end
