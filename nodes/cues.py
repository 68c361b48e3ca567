"""The signs by which a turn shows that it needs memory, or that it does not; Chinese and English.

Regular expressions over the turn's text: no model, well under a millisecond. English ones are whole words, written with
"_" for white space; Chinese ones stand anywhere.
"""

import re
from collections.abc import Mapping
from functools import cached_property


class Cue:
    """A pattern that is compiled when it is first asked: all of them together would cost a tenth of a second."""

    def __init__(self, source: str, flags: int = re.IGNORECASE) -> None:
        self.source = source
        self._flags = flags

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self.source, self._flags)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first place where the sign stands."""
        return self._pattern.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the sign if the text begins with it."""
        return self._pattern.match(text)

    def taken_out(self, text: str) -> str:
        """Return the text with a blank in place of each sign."""
        return self._pattern.sub(" ", text)


def _cue(en: str = "", zh: str = "", *more: str, case: bool = False) -> Cue:
    """Join alternatives, separated by white space, and further patterns taken as they are."""
    english = "|".join(en.split()).replace("_", r"\s+")
    parts = [rf"\b(?:{english})\b" if english else "", "|".join(zh.split()), *more]
    return Cue("|".join(f"(?:{part})" for part in parts if part), 0 if case else re.IGNORECASE)


def _whole(pattern: str) -> Cue:
    """Match a text that is nothing but repetitions of a pattern."""
    return Cue(rf"^[\W_]*(?:(?:{'|'.join(pattern.split())})[\W_]*)+$".replace("~", r"\s+"))


POLITE = _cue(
    "(?:can|could|would|will)_you(?:_please)?(?:_help_me)? for_me please thank_you excuse_me i_wonder "
    "(?:help|tell|show|give|teach|let|make|write|draw|get|find|send|name|list)_me (?:can|could|may)_i_(?:ask|get|have) "
    "i_(?:want|need|would_like)(?:_you)?_to_(?:know|ask|understand|learn) i(?:_am|'m)_(?:curious|wondering) "
    "i'd_like(?:_you)?_to_(?:know|ask|understand|learn)",
    "告诉我(?!的|过) 我想(?:知道|问|了解)(?:一下)? 请问 麻烦你? 能不能 可不可以 可以吗 谢谢你?",
    r"请?你?[帮给教跟和替]我们?(?=[^的])(?:讲|说|写|画|做|看|翻译|解释|介绍|列|算|查|起|想|推荐|总结)?(?:一下|下)?",
)
"""Courtesy that names me and you without being about either; taken out before the signs are looked for."""

QUOTED = Cue(
    r"```.*?(?:```|$)|`[^`]*`|\"[^\"]{3,}\"|“[^”]{3,}”|「[^」]{3,}」|(?<!\w)'[^']{3,}'(?!\w)",
    re.DOTALL,
)
"""Pasted code and quoted text: what is in it is not about the one who asks."""

RECALL = _cue(
    r"remember\w* recall\w* remind\w* forg[eo]t\w* memor(?:y|ies|ize) as_i_said still any_?more as_usual same_as "
    r"(?:i|we|you|he|she|they)(?:'ve|_have|_had)?(?:_already|_once|_just|_previously|_earlier)?_(?:told|said|mentioned|talked"
    r"|spoke|discussed|agreed|decided|planned|promised|asked|suggest\w*|advis\w*|recommend\w*) "
    r"did_(?:i|we|you|he|she|they) last_(?:time|conversation|chat|session|discussion) what(?:'s|_is)_(?:new|up_with)",
    "记得 记不记得 还记 记住 记一下 记录 忘了 忘记 回忆 想起 提醒 提到 提过 说过 讲过 聊过 谈过 问过 告诉过 "
    "答应 约好 商量 讨论过 建议过 [我你您].{0,6}[说讲提写]的 "
    "上次 上回 之前 以前 先前 前面 刚才 刚刚 那次 那天 当时 曾经 过去 历史 从前 原来 老样子 照旧 还是那",
    r"\b(?:previous|earlier|past|before)\b.{0,20}\b(?:conversation|chat|session|discussion|talk|said|told|mentioned)\b",
    r"\bagain\?|(?-i:\b[Dd]id [A-Z]\w+)",
)
"""Someone asks for what was said, or for it to be kept."""

TIME = _cue(
    r"yesterday today tomorrow tonight ago recently lately earlier already since (?:19|20)\d\d deadline milestone "
    r"birthday anniversary appointment schedule plans? reminder due_date (?:on|in|since|until|by)_may "
    r"(?:on|in|since|until|by)_(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\w* "
    r"(?:last|past|previous|next|this|coming)_(?:\w+_)?(?:night|days?|week|"
    r"weekend|month|year|summer|winter|spring|fall|autumn|\w+day|january|february|march|april|may|june|july|august|"
    r"september|october|november|december)",
    r"昨[天晚日] 今[天晚早] 明[天晚早] 大?前[天晚] 后天 [上下]个?(?:周|月|星期|礼拜|季度|学期) 本周 这周 这个月 "
    r"[去前今明]年 最近 近来 近期 前几天 前阵子 那段时间 多久 (?:周|星期)[一二三四五六日天末] "
    r"[一二两三四五六七八九十几\d]+(?:天|周|个月|年)(?:前|后|以前|之前) "
    r"\d{1,2}\s*[月日号] 截止 里程碑 生日 纪念日 预约 日程 计划 安排 进度",
)
"""It names a time, or a thing that has one."""

PERSONAL = _cue(
    r"i i'm i've i'd i'll me my mine myself we we're we've us our ours ourselves your_(?:advice|suggestion|"
    r"recommendation|opinion|answer|idea) you_(?:think|know|like).*_me",
    "[我咱俺] 本人 自己 [你您]的?建议 你的?推荐 你(?:觉得|认识|知道)",
)
"""It is about the one who speaks."""

ABOUT_YOU = _cue(r"you your yours we our advice advised? suggest\w* recommend\w*", "[你您] 咱们 我们 建议 推荐")
"""It asks for what the assistant said."""

ADVICE = _cue(
    r"recommend\w* suggest\w* advice advise should gift ideas?_for which_(?:one_)?(?:is|would_be)_(?:best|better)",
    "推荐 建议 适合 送什么 吃什么 喝什么 玩什么 穿什么 看什么 买什么 怎么办 该不该 要不要 好不好 选哪",
)
"""Advice is better when it knows the one it is for."""

_POINTING = (
    r"^(?:and|but|so|then|also|or)\b|^(?:what|how)\s+about\b|\bthe\s+(?:same|other|former|latter)\b",
    r"^(?:那|那么|还有|然后|所以|但是|而且|另外)|[它他她]|[这那][个件些里边位种家本部次项样时]|呢[？?。！!]*$",
)
FOLLOW_UP = _cue(
    "it that this those these they them their he him his she her hers there",
    "",
    r"^(?:why|when|where|who|how\s+come|which\s+one)\W*$",
    r"^(?:为什么|为啥|什么时候|哪里|谁|多少|几点|在哪)\W*$",
    *_POINTING,
)
"""It points at something that stands in the turn before."""

REFERENCE = _cue("its theirs then", "", r"^(?:为什么|什么时候|哪里|谁)", FOLLOW_UP.source)
"""It points at something that is not in it."""

EMOTION = _cue(
    r"happy sad angry upset lonely tired exhausted stress\w* anxious anxiety worried afraid scared excited depress\w* "
    r"miss(?:ing)? cry\w* hate love proud ashamed frustrat\w* overwhelmed nervous disappoint\w* heartbroken grateful "
    r"bored hurts?",
    "开心 高兴 难过 伤心 生气 烦 累 压力 焦虑 担心 害怕 孤独 寂寞 激动 兴奋 郁闷 沮丧 失望 委屈 想念 想哭 难受 "
    "崩溃 后悔 紧张 失眠 喜欢 讨厌 爱 恨 怕 疼 无聊",
)
"""It carries a feeling; what is known of the one who has it helps."""

PAST = _cue(
    r"did was were had has have been used_to \w{3,}ed",
    r"过[了的吗？?] 过(?=\S{0,12}[吗？?]) 了[吗没？?] 是(?:哪|谁|什么时候|几|怎么).{0,12}的 有没有",
)
"""It asks about the past."""

NAME = _cue(
    "",
    r"[小老阿][\u4e00-\u9fff](?![\u4e00-\u9fff]?[的时候]) 《[^》]+》 "
    r"[\u4e00-\u9fff]{1,3}(?:先生|女士|老师|医生|经理|总监|同学|师傅|阿姨|叔叔|哥|姐|项目|计划)",
    r"(?<=[\w,;])\s+(?!I\b)[A-Z][\w'-]+|\b[A-Z][a-z]+['’]s\b|\b[A-Z]{2,}\d*-\d+\b|\b\w+[-_]\w*\d\w*\b|@\w+",
    case=True,
)
"""A name: a capital inside the sentence, a ticket or product number, a Chinese form of address."""

QUESTION = _cue(
    "",
    "什么 哪 谁 吗 几 多少 怎么 何时 是否 有没有 提醒我 告诉我",
    r"[?？]|^\W*(?:what|which|who|whom|whose|when|where|why|how|do|does|did|is|are|was|were|am|has|have|had|can|could|"
    r"should|would|will|remind\s+me|tell\s+me)\b",
)
"""It asks."""

ASKING = _cue("", "什么 哪[里个些]? 多少 怎么样? 为什么 几 吗 呢 是 的 用 请 一下 可以 知道 时候 这 那")
"""Chinese words of asking, which are in everybody's memories; no word of the one who asks."""

REQUEST = _cue(
    "",
    "",
    r"^\W*(?:write|draft|make|create|plan|recommend|suggest|translate|compare|list|give|show|tell|explain|help|find|fix|"
    r"summari[sz]e|calculate|count|describe|name|read|draw|pick|choose|think|play|stop|go|use|add|check|remind)\b",
    r"^\W*(?:帮|请|写|给|推荐|列|翻译|解释|总结|比较|对比|把|用|介绍|说说|讲|画|找|查|算|选|描述|来|再)",
)
"""It wants something done."""

HOW_TO = _cue(
    r"(?:how|what|where|which|when)_(?:do|can|could|should|would)_(?:i|we|you) how_to should_(?:i|we) can_(?:i|we)",
    "怎么(?:才能|做|办|写|用|煮|学|去|装|修) 如何 该不该 该.{1,12}(?:吗|还是) 要不要 能不能 可以.{0,12}吗",
)
"""It asks for advice or a way, not for what was said."""

GREETING = _whole(
    r"hi hello hey hiya yo howdy greetings good~(?:morning|afternoon|evening|night|day) (?:good)?bye bye~bye cheers "
    r"see~you(?:~later|~soon)? there all everyone again how~are~you(?:~doing)?(?:~today)? what's~up how's~it~going "
    r"[你您]好 你们好 大家好 早上好 早安 上午好 中午好 下午好 晚上好 晚安 早 嗨 哈[喽啰罗] 嘿 喂 再见 拜拜 在吗 "
    r"在不在 你好吗 最近好吗 [呀啊哦]"
)
"""Nothing but a greeting or a farewell."""

THANKS = _whole(
    r"ok okay k thanks?(?:~you)?(?:~so~much|~very~much|~a~lot)? thx ty great good nice cool perfect awesome got~it "
    r"i~see sure yes yeah yep no nope alright fine wow lol haha\w* hm+ right understood that~helps no~problem "
    r"you're~welcome never~?mind 好的? 好吧 好嘞 行 可以 嗯+ 哦+ 噢 明白了? 收到 知道了 了解 谢谢[你您啦]? 多谢 感谢 "
    r"辛苦了? 太好了 不错 哈+ 呵+ 是的? 对的? 不是 不用了? 没事 没关系 懂了"
)
"""Nothing but thanks or a nod."""

_OPERATION = (
    r"plus|minus|times|divided\s+by|multiplied\s+by|to\s+the\s+power\s+of|mod|percent\s+of|%\s*of|"
    r"加上?|减去?|乘以?|除以?|的平方|的\d+次方"
)
ARITHMETIC = Cue(
    r"^\W*(?:what(?:'s|\s+is)|how\s+much\s+is|calculate|compute|solve|evaluate|计算|算一下|算算|请问)?\s*"
    r"[-+]?[\d(][\d\s.,()+*/^%×÷xX=-]*"
    rf"(?:\s*(?:{_OPERATION})\s*[\d.,()]*)*"
    r"\s*(?:=|等于|是)?\s*(?:多少|几|what)?[\s?？=。.!]*$",
)
"""Pure arithmetic."""

_LANGUAGE = "french|english|german|spanish|chinese|japanese|italian|korean|russian"
_PROGRAM = (
    r"function|script|program|code|class|regex\w*|regular\s+expression|sql|query|html|css|python|javascript|"
    r"typescript|java|rust|golang|c\+\+|bash|dockerfile|unit\s+tests?|algorithm|api|component|loop"
)
_TOOL = r"python|javascript|typescript|java|rust|go|c\+\+|bash|sql|git|css|html|docker|linux|pandas|react"
_PIECE = r"poem|haiku|story|joke|limerick|song|sonnet|riddle|fairy\s+tale|essay|slogan|tongue\s+twister"
_PROPERTY = (
    r"capital|population|currency|boiling\s+point|melting\s+point|square\s+root|formula|definition|meaning|plural|"
    r"past\s+tense|synonym|antonym|opposite|chemical\s+symbol|speed\s+of\s+(?:light|sound)|"
    r"difference\s+between|distance\s+(?:from|between|to)|(?:largest|smallest|highest|tallest|longest|deepest|fastest)(?!\s+number)|first\s+(?:president|man\s+on|woman\s+in)|"
    r"national\s+(?:anthem|animal|flower)"
)
_MEASURE = (
    r"days|hours|minutes|seconds|weeks|months|legs|planets|continents|countries|states|sides|bones|grams|meters|metres|feet|"
    r"inches|ounces|cm|km"
)
_SMALL = r"(?-i:[a-z][\w-]*)"  # A word without a capital: no name.
_OTHERS = "[^我你他她它这那]"  # In a Chinese sentence that points at nobody.

TASKS: Mapping[str, Cue] = {
    "translation": _cue(
        "",
        "(?:翻译|译)成[中英日法德韩俄西] 用(?:英语|法语|日语|德语|英文|日文)怎么说",
        rf"^\W*translat\w+\b|^\W*how\s+(?:do|would)\s+you\s+say\b|\b(?:in|into|to)\s+(?:{_LANGUAGE})\W*$",
        r"^\W*(?:请|把|将|帮忙)?.{0,6}翻译",
    ),
    "code": _cue(
        "",
        "写一?[个段份条]?.{0,16}(?:函数|脚本|程序|代码|正则|SQL|算法|单元测试|接口|爬虫|查询语句)",
        rf"^\W*(?:write|create|implement|generate|code|build|debug|refactor|optimi[sz]e)\b.{{0,60}}\b(?:{_PROGRAM})\b",
        rf"^\W*how\s+(?:do|can|to)\s+(?:you\s+|one\s+)?.{{0,50}}\b(?:in|with|using)\s+(?:{_TOOL})\W*$",
        r"(?:python|java|sql|git|linux|docker).{0,10}(?:怎么|如何)",
    ),
    "writing": _cue(
        "",
        "",
        rf"^\W*(?:write|compose|tell|make\s+up|draft|create)\b.{{0,12}}\b(?:{_PIECE})\b",
        r"^\W*(?:写|来|作|编|讲|说|创作)一?[首个篇段则副句]?.{0,10}"
        r"(?:诗|故事|笑话|作文|对联|歌词|童话|谜语|散文|标语|绕口令)",
    ),
    "knowledge": _cue(
        "",
        r"的(?:首都|人口|货币|面积|沸点|熔点|化学式|定义|平方根|近义词|反义词|区别)[是在有]?"
        r"(?:什么|哪里?|多少|哪个|哪座城市)?\W*$ 什么意思\W*$ ^\W*《[^》]+》是?谁(?:写|画|创作|导演)的\W*$ "
        rf"^\W*什么是{_OTHERS}{{1,20}}$ ^\W*谁(?:发明|发现|写|画|创作|创立)了?{_OTHERS}{{1,20}}$ "
        rf"^\W*请?(?:简单|用一句话|详细)?地?(?:解释|说明|介绍|定义)(?:一下)?{_OTHERS}{{1,24}}$ "
        rf"^\W*为什么(?:天空|大海|海水|草|叶子|太阳|月亮|冰|水|鸟|猫|狗|人){_OTHERS}{{1,16}}$ "
        r"^\W*一(?:年|天|小时|个小时|分钟|公里|斤|米)(?:有|等于|是)(?:几|多少).{1,8}$ "
        r"世界上?最.{1,10}[是在](?:什么|哪|谁).{0,8}$",
        rf"^\W*(?:what|which)(?:'s|\s+is|\s+are|\s+was|\s+were)\s+the\s+(?:\w+\s+){{0,3}}(?:{_PROPERTY})\b",
        rf"^\W*(?:what|who)(?:'s|\s+is|\s+are)\s+(?:an?\s+)?(?:{_SMALL}\s?){{1,4}}\W*$",
        r"^\W*what\s+does\s+(?:the\s+word\s+)?.{1,30}\s+mean\W*$|^\W*define\b",
        rf"^\W*explain\s+(?:what|how|why|the\s+{_SMALL}|{_SMALL})\b",
        rf"^\W*how\s+(?:does|do)\s+(?:an?\s+|the\s+)?(?:{_SMALL}\s){{1,4}}(?:work|works|form|happen|fly|grow)\W*$",
        rf"^\W*how\s+many\s+(?:\w+\s+)?(?:{_MEASURE})\b.{{0,20}}\b(?:in|are|does|has|have|make)\s+(?:there|an?|the|one)\b",
        r"^\W*why\s+(?:is|are|do|does)\s+(?:the\s+)?"
        r"(?:sky|sea|ocean|grass|leaves|sun|moon|ice|water|birds|cats|dogs|onions|people)\b",
        r"^\W*who\s+(?:wrote|invented|discovered|painted|composed|founded)\s+(?-i:[A-Z\"'‘“]|the\s+(?:[A-Z]|telephone|radio))",
        r"^\W*when\s+(?:did|was|were)\s+(?:the\s+)?(?-i:World War|Roman|Berlin Wall|Titanic|Cold War)",
    ),
}
"""Requests that general knowledge answers; they count only where nothing personal stands in them."""
