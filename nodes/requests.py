"""Requests that general knowledge answers: no memory of anybody makes the answer better.

They count only where nothing personal stands in the text; `knows` and the signs of `cues` come first.
"""

from collections.abc import Mapping

from hippograph.nodes.cue import Cue, cue

_OPERATION = (
    r"plus|minus|times|divided\s+by|multiplied\s+by|to\s+the\s+power\s+of|mod|percent\s+of|%\s*of|加上?|减去?|乘以?|"
    r"除以?|的平方|的\d+次方"
)
ARITHMETIC = Cue(
    r"^\W*(?:what(?:'s|\s+is)|how\s+much\s+is|calculate|compute|solve|evaluate|计算|算一下|算算|"
    r"请问)?\s*[-+]?[\d(][\d\s.,()+*/^%×÷xX=-]*"
    rf"(?:\s*(?:{_OPERATION})\s*[\d.,()]*)*"
    r"\s*(?:=|等于|是)?\s*(?:多少|几|what)?[\s?？=。.!]*$",
)
"""Pure arithmetic."""

_LANGUAGE = "french|english|german|spanish|chinese|japanese|italian|korean|russian|latin|portuguese|dutch|arabic"
_PROGRAM = (
    r"function|script|program|code|class|regex\w*|regular\s+expression|sql|query|html|css|python|javascript|typescript|"
    r"java|rust|golang|c\+\+|bash|dockerfile|unit\s+tests?|algorithm|api|component|loop"
)
_TOOL = r"python|javascript|typescript|java|rust|go|c\+\+|bash|sql|git|css|html|docker|linux|pandas|react"
_PIECE = r"poem|haiku|story|joke|limerick|song|sonnet|riddle|fairy\s+tale|essay|slogan|tongue\s+twister"
_PROPERTY = (
    r"capital|population|currency|boiling\s+point|melting\s+point|square\s+root|formula|definition|meaning|plural|"
    r"past\s+tense|synonym|antonym|opposite|chemical\s+symbol|speed\s+of\s+(?:light|sound)|difference\s+between|"
    r"distance\s+(?:from|between|to)|(?:largest|smallest|highest|tallest|longest|deepest|fastest)(?!\s+number)|"
    r"first\s+(?:president|man\s+on|woman\s+in)|national\s+(?:anthem|animal|flower)"
)
_MEASURE = (
    r"days|hours|minutes|seconds|weeks|months|legs|planets|continents|countries|states|sides|bones|grams|meters|metres|"
    r"feet|inches|ounces|cm|km"
)
_SMALL = r"(?-i:[a-z][\w-]*)"  # A word without a capital: no name.
_OTHERS = "[^我你他她它这那]"  # In a Chinese sentence that points at nobody.

_LANG_ZH = "英语|法语|日语|德语|西班牙语|意大利语|韩语|俄语|拉丁语|英文|日文|法文|中文"
_TECHNICAL = (
    r"\b(?:python|java(?:script)?|typescript|rust|golang|c\+\+|bash|sql|git|css|html|docker|kubernetes|linux|pandas|"
    r"numpy|react|vue|vim|regex|json|yaml|csv|xml|http|curl|api|excel|google\s+sheets|spreadsheet|windows|macos|iphone|"
    r"android|dataframe|async|compiler|segmentation\s+fault|stack\s+trace|\w+Error|\w*[Ee]xception|localhost|"
    r"port\s+\d+|list\s+comprehension|flexbox|div|tuple|forEach|enum|linked\s+list|hash\s*map|binary\s+search|"
    r"recursion|loop)\b"
)
_TECHNICAL_ZH = (
    "代码|函数|报错|编译|数据库|正则|循环|变量|接口|脚本|列表推导|元组|字典|段错误|进程|端口|索引|算法|关键字|单元测试|"
    "状态码"
)
_DISCOVERY = (
    r"invented|discovered|founded|built|composed|painted|born|signed|published|written|abolished|introduced|held|"
    r"elected|created|established|completed|fought|sunk|formed|made"
)
TASKS: Mapping[str, Cue] = {
    "translation": cue(
        "",
        rf"(?:翻译|译)成[中英日法德韩俄西意] (?:用|的)?(?:{_LANG_ZH})(?:里|中)?(?:怎么[说讲写]|单词|的) "
        rf"用.{{1,4}}种语言",
        rf"^\W*translat\w+\b|^\W*how\s+(?:do|would)\s+you\s+say\b|\b(?:in|into|to)\s+(?:{_LANGUAGE})\W*$|"
        rf"^\W*(?:what(?:'s|\s+is)|give\s+me|say)\b.{{0,40}}\b(?:{_LANGUAGE}|\w+\s+languages)\b|^\W*(?:put|"
        rf"turn)\s+.{{0,20}}\binto\s+(?:{_LANGUAGE})\b",
        r"^\W*(?:请|把|将|帮忙)?.{0,6}翻译",
    ),
    "code": cue(
        "",
        "写一?[个段份条]?.{0,16}(?:函数|脚本|程序|代码|正则|SQL|算法|单元测试|接口|爬虫|查询语句)",
        rf"^\W*(?:write|create|implement|generate|code|build|debug|refactor|optimi[sz]e)\b.{{0,60}}\b(?:{_PROGRAM})\b",
        rf"^\W*how\s+(?:do|can|to)\s+(?:you\s+|one\s+)?.{{0,50}}\b(?:in|with|using)\s+(?:{_TOOL})\W*$",
        rf"(?:{_TECHNICAL}|{_TECHNICAL_ZH}).*(?:怎么|如何|什么|为什么|为何|区别|哪个|原因|吗)|(?:怎么|怎样|如何|什么是|"
        rf"解释|举|给|写|找出|为什么).*(?:{_TECHNICAL}|{_TECHNICAL_ZH})",
        rf"^\W*(?:how|what|when|why|which|where|can|could|does|do|is|are|explain|show|convert|rewrite|find|"
        rf"give)\b.*{_TECHNICAL}",
        rf"{_TECHNICAL}.*(?:why|how|what|usually|mean|cause\w*|fix|difference)\b",
    ),
    "maths": cue(
        "",
        "解方程 化简 求导 导数 积分 平方根 质数 勾股 概率是 面积怎么 周长怎么 鸡兔",
        r"^\W*(?:solve|simplify|integrate|differentiate|factor(?:ise|ize)?|convert|compute|calculate)\b.*\d",
        r"\d(?!\s*[年月日号点时届:]).*\d(?!\s*[年月日号点时届:]).*(?:还剩|一共|每人|平均|打.{1,2}折|等于|最后|"
        r"最终).{0,6}(?:多少|几)",
        r"\d\S*\s.*\d\S*\s.*\b(?:how\s+(?:many|much)|average\s+speed|final\s+price|probability)\b(?!.*\b(?:did|have|"
        r"has)\s+(?-i:I|[A-Z]))",
        r"\$?\d.*\bdiscount\w*|\bdays?\s+(?:are\s+there\s+)?between\s+\w+\s+\d+\s+and\s+\w+\s+\d+\W*$",
        r"^\W*(?:\d+年)?\d+月\d+[日号](?:是|到\d+月\d+[日号](?:一共|有|共)?)(?:星期几|周几|礼拜几|多少天|几天)\W*$",
        r"\d.*\b(?:in|to)\s+(?:cm|metres?|meters?|celsius|fahrenheit|grams?|kilomet\w+|km|miles|litres?|"
        r"\w+\s+time)\W*$",
    ),
    "public": cue(
        "",
        "",
        r"^\W*(?:who|what)\s+(?:is|was|were|are)\s+(?-i:(?:[A-Z][\w'’.-]+\s+){1,3}[A-Z][\w'’.-]+|the\s+[A-Z]\w+)\W*$",
    ),
    "role": cue(
        "",
        "",
        r"^\W*(?:pretend|act\s+as|imagine\s+you|role-?play|speak\s+like|talk\s+like|let['’]?s\s+play|be\s+an?\s)",
        r"^\W*you\s+are\s+(?:now\s+)?an?\s+(?:\w+\s+){1,4}?\w+\.",
        r"^\W*(?:假装|扮演|模拟|假如你是|假设你是|你来当|你来扮|你扮|我们来玩)|"
        r"^\W*你(?:现在)?是一[位名个只].{1,10}[，,。]|^\W*用.{1,8}的?(?:口吻|语气)",
    ),
    "form": cue(
        "",
        "",
        r"^\W*(?:make|draw|give|list|print|format|show|put|sort|generate)\b.{0,40}\b(?:table|json|markdown|csv|"
        r"alphabet\w*|bullet\w*|list|ascii|iso|separated|reverse\s+order|random\s+numbers?)\b",
        r"^\W*用?(?:表格|列表|JSON|三句话|一句话|五种|要点)|^\W*(?:输出|生成|列出)",
    ),
    "writing": cue(
        "",
        "",
        rf"^\W*(?:write|compose|tell|make\s+up|draft|create|give\s+me|come\s+up\s+with|"
        rf"outline)\b.{{0,24}}\b(?:{_PIECE})\b",
        r"^\W*(?:write|give|come\s+up|name|list|show|make|print|generate|draft|compose|describe)\b(?:\s+me)?\s+(?:an?|"
        r"two|three|five|ten|some|the\s+(?:first|opening|numbers?|months|alphabet|planets|answer)|\d+)\b",
        r"^\W*(?:写|来|作|编|讲|说|创作)一?[首个篇段则副句]?.{0,10}(?:诗|故事|笑话|作文|对联|春联|歌词|童话|谜语|散文|"
        r"标语|绕口令|俳句|提纲|开头|对话|模板|广告语|介绍|段话)",
    ),
    "knowledge": cue(
        "",
        r"的(?:首都|人口|货币|面积|沸点|熔点|化学式|定义|平方根|近义词|反义词|区别)[是在有]?(?:什么|哪里?|多少|哪个|"
        r"哪座城市)?\W*$ 什么意思\W*$ ^\W*《[^》]+》是?谁(?:写|画|创作|导演)的\W*$ "
        rf"^\W*什么是{_OTHERS}{{1,20}}$ ^\W*谁(?:发明|发现|写|画|创作|创立)了?{_OTHERS}{{1,20}}$ ^\W*请?(?:简单|"
        rf"用一句话|详细)?地?(?:解释|说明|介绍|定义)(?:一下)?{_OTHERS}{{1,24}}$ ^\W*为什么(?:天空|大海|海水|草|叶子|"
        rf"太阳|月亮|冰|水|鸟|猫|狗|人){_OTHERS}{{1,16}}$ "
        r"^\W*一(?:年|天|小时|个小时|分钟|公里|斤|米)(?:有|等于|是)(?:几|多少).{1,8}$ 世界上?最.{1,10}[是在](?:什么|哪|"
        r"谁).{0,8}$",
        rf"^\W*(?:what|which)(?:'s|\s+is|\s+are|\s+was|\s+were)\s+the\s+(?:\w+\s+){{0,3}}(?:{_PROPERTY})\b",
        rf"^\W*(?:what|who)(?:'s|\s+is|\s+are)\s+(?:an?\s+)?(?:{_SMALL}\s?){{1,4}}\W*$",
        r"^\W*what\s+does\s+(?:the\s+word\s+)?.{1,30}\s+mean\W*$|^\W*define\b",
        rf"^\W*explain\s+(?:what|how|why|the\s+{_SMALL}|{_SMALL})\b",
        rf"^\W*how\s+(?:does|do)\s+(?:an?\s+|the\s+)?(?:{_SMALL}\s){{1,4}}(?:work|works|form|happen|fly|grow)\W*$",
        rf"^\W*how\s+many\s+(?:\w+\s+)?(?:{_MEASURE})\b.{{0,20}}\b(?:in|are|does|has|have|make)\s+(?:there|an?|the|"
        rf"one)\b",
        r"^\W*why\s+(?:is|are|do|does)\s+(?:the\s+)?(?:sky|sea|ocean|grass|leaves|sun|moon|ice|water|birds|cats|dogs|"
        r"onions|people)\b",
        r"^\W*who\s+(?:wrote|invented|discovered|painted|composed|founded)\s+(?-i:[A-Z\"'‘“]|the\s+(?:[A-Z]|telephone|"
        r"radio))",
        rf"^\W*(?:when|where|how|what|by\s+whom|in\s+(?:what|which)\s+(?:year|century))\b.{{0,20}}\b(?:was|were|is|"
        rf"are)\s+(?:the\s+)?.{{1,40}}\b(?:{_DISCOVERY})\b",
        rf"^\W*who\s+(?:{_DISCOVERY}|wrote|won|ruled|directed|designed)\s+(?:the|an?)\b",
        r"^\W*who\s+(?:is|was|were)\s+the\s+first\s+(?:man|woman|person|president|country|animal|king|queen|human)\b",
        r"^\W*(?:in\s+)?(?:what|which)\s+(?:year|century|decade)\b|^\W*how\s+long\s+ago\s+did\s+the\b",
        r"^\W*how\s+(?:tall|deep|high|far|big|long|old|heavy|fast|hot|cold|wide)\s+(?:is|are|was)\s+(?!your|my|our|his|"
        r"her)",
        r"^\W*how\s+(?:long|often|much|many|hot)\s+(?:\w+\s+)?should\b|^\W*what\s+(?:temperature|size|order|"
        r"format)\s+should\b",
        r"^\W*why\s+(?:do|can['’]?t?|does|don['’]t)\s+we\s+(?:\w+\s*){1,5}\W*$",
        r"^\W*what\s+would\s+happen\s+if\b|\bwhat(?:['’]s|\s+is)\s+the\s+difference\b|"
        r"^\W*what\s+does\s+it\s+mean\s+to\b",
        r"^\W*(?:summari[sz]e|tell\s+me\s+about|give\s+me\s+an\s+overview\s+of|what\s+is)\s+the\s+(?:plot|history|"
        r"story|rules?|theory|concept|cold\s+war)\b",
        r"的(?:做法|主要区别|区别|用法|意思|规则|步骤|原理|定义|历史|优缺点|习俗|制度|作者|情节|同义词)(?:是.{1,4}|"
        r"有哪些|有什么不同)?\W*$",
        r"(?:发明|发现|创立|成立|建成|爆发|灭亡|灭绝|登月|举办|诞生|沉没|倒塌|出生|去世|统一|做出来|打了多久|"
        r"在位)的?\W*(?:是?(?:谁|哪|什么时候)|$|[多几])",
        r"(?:哪[一]?[年位个种]|什么时候|是谁|怎么).{0,6}(?:发明|发现|创立|成立|建成|爆发|灭亡|灭绝|登月|举办|诞生|沉没|"
        r"倒塌|做出来|写|画|建)的?\W*$",
        r"^\W*(?:世界上|中国|人类)?(?:第一|最).{0,16}(?:是|在|有|叫)(?:什么|哪|谁|多)",
        r"^.{0,12}(?:朝|代|帝|国)的?(?:之前|之后|以后).{0,4}(?:是|有)哪",
    ),
}
"""Requests that general knowledge answers; they count only where nothing personal stands in them."""

IMPERSONAL = cue(
    r"how_(?:do|can|would|could|to)_(?:i|we|you|one)(?!_(?:get|feel|look|sleep|stop|improve|deal|cope|become|decide|"
    r"usually|normally|like|prefer|tell|know|make_up)\b) how_(?:long|often|much|many_\w+)_(?:should|do|can|must)_(?:i|"
    r"we|you) when_(?:do|should)_(?:i|we)_use how_many_\w+_can_(?:i|we) (?:can|do)_(?:i|we)_use "
    r"where_do_i_(?:find_the_\w+_in|click) why_(?:do|can['’]?t?)_we (?:i|i['’]m|i_am)_(?:keep_)?(?:get|got|getting|see|"
    r"seeing)_(?:an?_|the_|this_)?(?:[\w\"]+_){0,3}(?:error|exception|fault|warning)",
    "(?:我(?:该|要|应该|想)?(?:怎么|如何)|我[想要]用)(?=.{0,12}(?:git|python|java|sql|linux|excel|docker|代码|csv|"
    "json))",
    r"\bmy\s+(?:\w+\s+)?(?:code|script|program|function|query|regex|loop)\b(?=.*(?:error|exception|fault|fail|crash|"
    r"wrong|not\s+work|say|throw|raise))",
    r"我的?\s*(?:\w+\s*)?(?:代码|脚本|程序|函数)(?=.*(?:报|错|Error|异常|崩))",
)
"""I and we that stand for anybody: "how do I reverse a list"."""


def task(text: str, bare: str) -> str | None:
    """Return which kind of general request a text is, with or without its courtesies; None where it is none."""
    return next((name for name in TASKS if is_task(name, text, bare)), None)


def is_task(name: str, text: str, bare: str) -> bool:
    """Tell whether a text, with or without its courtesies, is a general request of a kind."""
    return bool(TASKS[name].search(text) or TASKS[name].search(bare))
