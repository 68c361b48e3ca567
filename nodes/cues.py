"""The signs by which a turn shows that it needs memory, or that it does not; Chinese and English.

No model, well under a millisecond. What general knowledge answers is in `requests`, who asks at all in `asking`.
"""

import re

from hippograph.nodes.cue import Cue, cue, whole

POLITE = cue(
    "(?:can|could|would|will)_you(?:_please)?(?:_help_me)? for_me please thank_you excuse_me i_wonder (?:help|tell|"
    "show|give|teach|let|make|write|draw|get|find|send|name|list)_me (?:can|could|may)_i_(?:ask|get|have) i_(?:want|"
    "need|would_like)(?:_you)?_to_(?:know|ask|understand|learn) i(?:_am|'m)_(?:curious|wondering) "
    "i'd_like(?:_you)?_to_(?:know|ask|understand|learn)",
    "告诉我(?!的|过) 我想(?:知道|问|了解)(?:一下)? 请问 麻烦你? 能不能 可不可以 可以吗 谢谢你?",
    r"请?你?[帮给教跟和替]我们?(?=[^的])(?:讲|说|写|画|做|看|翻译|解释|介绍|列|算|查|起|想|推荐|总结)?(?:一下|下)?",
)
"""Courtesy that names me and you without being about either; taken out before the signs are looked for."""

QUOTED = Cue(
    r"```.*?(?:```|$)|`[^`]*`|\"[^\"]+\"|“[^”]+”|「[^」]+」|《[^》]+》|(?<!\w)'[^']{3,}'(?!\w)",
    re.DOTALL,
)
"""Pasted code, quoted text and titles: what is in it is not about the one who asks."""

RECALL = cue(
    r"remember\w* recall\w* remind\w* forg[eo]t\w* memor(?:y|ies|ize) as_i_said as_usual same_(?:\w+_)?as_(?:last|"
    r"before|usual|always|then|yesterday) (?:i|we|you|he|she|they)(?:'ve|_have|_had)?(?:_already|_once|_just|"
    r"_previously|_earlier)?_(?:told|said|mentioned|talked|spoke|discussed|agreed|decided|planned|promised|asked|"
    r"suggest\w*|advis\w*|recommend\w*) did_(?:i|we|you|he|she|they) last_(?:time|conversation|chat|session|"
    r"discussion) what(?:'s|_is)_(?:new|up_with)",
    "记得 记不记得 还记 记住 记一下 记录 忘了 忘记 回忆 想起 提醒 提到 提过 说过 讲过 聊过 谈过 问过 告诉过 答应 约好 "
    "商量 讨论过 建议过 [我你您].{0,6}[说讲提写]的 上次 上回 (?<![朝代元纪])之前 以前 先前 前面 刚才 刚刚 那次 那天 "
    "当时 曾经 过去(?![式时分]) (?:聊天|历史)记录 从前 原来 老样子 照旧 还是那 来着",
    r"\b(?:previous|earlier|past|before)\b.{0,20}\b(?:conversation|chat|session|discussion|talk|said|told|mentioned)\b",
    r"\bagain\?",
)
"""Someone asks for what was said, or for it to be kept."""

TIME = cue(
    r"yesterday today tomorrow tonight ago recently lately earlier already still any_?more (?:since|in)_20\d\d "
    r"deadline milestone birthday anniversary appointment schedule plans? reminder due_date (?:on|in|since|until|by|"
    r"this|last)_may (?:on|in|since|until|by)_(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\w* (?:last|past|previous|"
    r"next|this|coming)_(?:\w+_)?(?:night|days?|week|weekend|month|year|summer|winter|spring|fall|autumn|\w+day|"
    r"january|february|march|april|may|june|july|august|september|october|november|december)",
    r"昨[天晚日] 今[天晚早] 明[天晚早] 大?前[天晚] 后天 [上下]个?(?:周|月|星期|礼拜|季度|学期) 本周 这周 这个月 "
    r"[去前今明]年 最近 近来 近期 前几天 前阵子 那段时间 (?:周|星期)[一二三四五六日天末] "
    r"[一二两三四五六七八九十几\d]+(?:天|周|个月|年)(?:后|以前|之前|前(?!灭|的中国|的地球)) \d{1,2}\s*[月日号] 截止 "
    r"里程碑 生日 纪念日 预约 日程 计划 安排 进度",
)
"""It names a time, or a thing that has one."""

PERSONAL = cue(
    r"i i'm i've i'd i'll me my mine myself we we're we've us our ours ourselves your_(?:advice|suggestion|"
    r"recommendation|opinion|answer|idea) you_(?:think|know|like).*_me",
    "[我咱俺] 本人 自己 [你您]的?建议 你的?推荐 你(?:觉得|认识|知道)",
)
"""It is about the one who speaks."""

ADVICE = cue(
    r"recommend\w* suggest\w* advice advise should gift ideas?_for which_(?:one_)?(?:is|would_be)_(?:best|better)",
    "推荐 建议 适合 送什么 吃什么 喝什么 玩什么 穿什么 看什么 买什么 怎么办 该不该 要不要 好不好 选哪",
)
"""Advice is better when it knows the one it is for."""

_POINTING = (
    r"^(?:and|but|so|then|also|or)\b|^(?:what|how)\s+about\b|\bthe\s+(?:same|other|former|latter)\b",
    r"^(?:那|那么|还有|然后|所以|但是|而且|另外)|[它他她]|[这那][个件些里边位种家本部次项样时]|呢[？?。！!]*$",
)
FOLLOW_UP = cue(
    "it that(?!['’]s_the) this those these they them their he him his she her hers there",
    "",
    r"^(?:why|when|where|who|how\s+come|which\s+one)\W*$",
    r"^(?:为什么|为啥|什么时候|哪里|谁|多少|几点|在哪)\W*$",
    *_POINTING,
)
"""It points at something that stands in the turn before."""

ELLIPSIS = cue(
    "the_(?:first|second|third|last|next|previous|latter)_one which_(?:one|of) who_else what_else",
    "第[一二三四几]个 具体 哪个更 [那这]儿 [那这]边 后来 再(?:详细|多|仔细)?(?:说|讲|解释) 到底 其他的 另一个 换一个",
    r"^(?:and|so|but|ok)?\W*(?:where|when|how|why|who|what)\s+(?:exactly|then|else|so)\W*$",
    r"^(?:and\s+)?(?:how\s+(?:long|much|many|often|far|old|so)|since\s+when|what\s+for|who\s+with|with\s+whom|"
    r"which)\W*$",
)
"""It leaves out what it is about."""

REFERENCE = cue(
    "its theirs then exactly",
    "",
    r"^(?:为什么|什么时候|哪里|谁|不是|不对)|^any\b",
    FOLLOW_UP.source,
    ELLIPSIS.source,
)
"""It points at something that is not in it."""

OWN = cue(
    r"mum mom dad mother father mama papa parents? grand(?:ma|pa|mother|father|parents?) husband wife spouse "
    r"girlfriend "
    "boyfriend partner fianc[eé]e? brother sister siblings? sons? daughters? kids? niece nephew cousin aunt uncle "
    "(?:father|mother|brother|sister)-in-law family roommate flatmate neighbou?rs? landlord boss manager colleagues? "
    "coworkers? teammates? dentist therapist vet plumber doctor's babysitter tutor coach garage basement attic "
    "apartment flat cabin allotment rent mortgage_payment salary insurance_number locker passwords? passcode pin "
    "wi-?fi_password door_code spare_key (?:my|the)_(?:car|bike|dog|cat|house|kitchen) "
    r"meeting stand-?up retro offsite sprint roadmap backlog ticket_(?:number|id) (?:the|login|that)_bug "
    r"the_\w+_(?:bug|module|service|repo|branch|incident|outage|deploy\w*|rollout|launch) deploy\w* release_date "
    r"contract invoice itinerary the_(?:party|wedding|trip|holiday|vacation|flight|hotel|interview|exam|concert|event|"
    r"gift|present|offer|cake|plan|"
    "photos?|picture|conversation|other|restaurant|cafe|shop_we|guest_list|operation|surgery|leak|move|recipe_i) "
    "medication prescription allerg(?:y|ies|ic) upcoming",
    "妈妈 爸爸 爷爷 奶奶 外公 外婆 姥姥 姥爷 老公 老婆 妻子 丈夫 爱人 男友 女友 男朋友 女朋友 对象 哥哥 弟弟 姐姐 妹妹 "
    "儿子 女儿 孩子们? 宝宝 侄 外甥 表[哥弟姐妹] 堂[哥弟姐妹] 叔叔 阿姨 舅舅 姑妈 姑姑 岳[父母] 公公 婆婆 家人 家里 "
    "室友 邻居 房东 老板 上司 领导 同事 客户 闺蜜 发小 朋友们? 保姆 水管工 房租 工资 车库 储物柜 密码 门禁 钥匙 "
    "会议(?!室是) 例会 站会 周会 团建 工单 上线 发版 合同 发票 快递 航班 机票 车票 酒店 行程 旅行 旅游 体检 复查 手术 "
    "吃药 药盒 过敏 面试 婚礼 聚会 聚餐 同学会 演唱会 搬家 简历 项目进[度展] (?:这|那|该|登录|支付|首页).{0,3}(?:bug|"
    "缺陷|故障|模块|接口) 漏水",
)
"""Somebody or something of a life or a job: family, home, appointments, work in hand."""

EMOTION = cue(
    r"happy sad angry upset lonely tired exhausted stress\w* anxious anxiety worried afraid scared excited depress\w* "
    r"miss(?:ing)? cry\w* hate love proud ashamed frustrat\w* overwhelmed nervous disappoint\w* heartbroken grateful "
    r"bored hurts?",
    "开心 高兴 难过 伤心 生气 烦 累 压力 焦虑 担心 害怕 孤独 寂寞 激动 兴奋 郁闷 沮丧 失望 委屈 想念 想哭 难受 崩溃 "
    "后悔 紧张 失眠 喜欢 讨厌 爱 恨 怕 疼 无聊",
)
"""It carries a feeling; what is known of the one who has it helps."""

PAST = cue(
    r"did was were been used_to happened (?:has|have|had)_\w+(?:ed|en|t)",
    r"过[了的吗？?] 过(?=\S{0,12}[吗？?]) 了(?:[吗没？?]|(?=多少|几|什么|哪|谁|多久)) 是(?:哪|谁|什么时候|几|"
    r"怎么).{0,12}的 有没有 "
    "放在?哪 [在去]哪[里儿]?了 什么时候(?:来|到|开|交|回|去|走|结束|考|搬|发|见|出发) 谁(?:负责|来|带|付|管)",
)
"""It asks about what happened, or when and by whom it will."""

DEFINITE = Cue(
    r"^\W*(?:(?:and|so|ok|hey)\W+)?(?:when|where|who|how|how\s+much|what\s+time|is|are|was|were|has|have|did|will|"
    r"when['’]s|where['’]s|who['’]s|how['’]s)(?:\s+(?:is|are|was|were|has|have|did|does|will|"
    r"got))?\s+the\s+(?-i:[a-z][\w-]*)(?!\s+of\b)(?<!\b(?:sun|sky|sea))(?<!\b(?:moon|year|word))(?<!\b(?:earth|ocean|"
    r"world|human|first))(?<!\b(?:universe|internet))",
)
"""It asks about the one thing both know: "is the heating on?"."""

QUESTION = cue(
    "",
    "什么 哪 谁 吗 几 多少 怎么 何时 是否 有没有 提醒我 告诉我",
    r"[?？]|^\W*(?:what|which|who|whom|whose|when|where|why|how|do|does|did|is|are|was|were|am|has|have|had|can|could|"
    r"should|would|will|remind\s+me|tell\s+me)\b",
)
"""It asks."""

ASKING = cue("", "什么 哪[里个些]? 多少 怎么样? 为什么 几 吗 呢 是 的 用 请 一下 可以 知道 时候 这 那")
"""Chinese words of asking, which are in everybody's memories; no word of the one who asks."""

REQUEST = cue(
    "",
    "",
    r"^\W*(?:write|draft|make|create|plan|recommend|suggest|translate|compare|list|give|show|tell|explain|help|find|"
    r"fix|summari[sz]e|calculate|count|describe|name|read|draw|pick|choose|think|play|stop|go|use|add|check|remind)\b",
    r"^\W*(?:帮|请|写|给|推荐|列|翻译|解释|总结|比较|对比|把|用|介绍|说说|讲|画|找|查|算|选|描述|来|再)",
)
"""It wants something done."""

HOW_TO = cue(
    r"(?:how|what|where|which|when)_(?:do|can|could|should|would)_(?:i|we|you) how_to should_(?:i|we) can_(?:i|we)",
    "怎么(?:才能|做|办|写|用|煮|学|去|装|修) 如何 该不该 该.{1,12}(?:吗|还是) 要不要 能不能 可以.{0,12}吗",
)
"""It asks for advice or a way, not for what was said."""

GREETING = whole(
    r"hi hello hey hiya yo howdy greetings good~(?:morning|afternoon|evening|night|day) (?:good)?bye bye~bye cheers "
    r"see~you(?:~later|~soon)? there all everyone again are~you~there how~are~you(?:~doing)?(?:~today)? what's~up "
    r"how's~it~going [你您]好 你们好 大家好 早上好 早安 上午好 中午好 下午好 晚上好 晚安 早 嗨 哈[喽啰罗] 嘿 喂 再见 "
    r"拜拜 在吗 在不在 你好吗 最近好吗 [呀啊哦] (?:很高兴|高兴)认识[你您] nice~to~meet~you pleased~to~meet~you for~now "
    r"先这样 先聊到这 回头见 take~care have~a~(?:nice|good|great)~(?:day|evening|weekend|one) [你您]今天(?:怎么样|好吗)"
)
"""Nothing but a greeting or a farewell."""

THANKS = whole(
    r"ok okay k thanks?(?:~you)?(?:~so~much|~very~much|~a~lot)? thx ty great good nice cool perfect awesome got~it "
    r"i~see sure yes yeah yep no nope alright fine wow lol ha(?:ha)+h? hm+ right understood that~helps no~problem "
    r"you're~welcome never~?mind(?:,?~i'll~(?:figure~it~out|manage|do~it))? (?:for~)?(?:the|your)~(?:explanations?|"
    r"help|answers?|tips?|info\w*) (?:yes~|no~)?please go~on (?:no,?~)?that'?s~(?:all|it)(?:~for~now)? (?:all~)?good "
    r"sounds~(?:good|great|fine) i~got~it i~understand 好的? 好吧 好嘞 行 可以 嗯+ 哦+ 噢 明白了? 收到 知道了 了解 "
    r"谢谢[你您啦]? 多谢 感谢 辛苦了? 太好了 不错 哈+ 呵+ 是的? 对的? 不是 不用了? 没事 没关系 懂了 很有(?:帮助|用) "
    r"真?有用 完美 继续 请继续 接着说 就这些 不用 算了 没什么 非常 十分 (?:[你您]的)?(?:解释|帮助|回答|建议) 很?清楚 "
    r"原来如此"
)
"""Nothing but thanks or a nod."""

REMARK = Cue(
    r"^\W*(?:hm+|ha+|wow|oh|well|ok|haha\w*)?[\s,]*(?:(?:that|this|it|you)(?:['’]s|['’]re|\s+is|\s+are|"
    r"\s+was)?(?:\s+(?:so|really|very|quite|pretty|actually|all|too|a))*\s+(?:makes\s+sense|sounds?\s+\w+|helpful|"
    r"useful|funny|great|nice|good|cool|amazing|awesome|clever|smart|interesting|right|correct|perfect|hilarious|best|"
    r"wonderful|enough)|interesting|makes\s+sense|sorry|wrong\s+(?:window|chat|tab)|my\s+bad|oops|never\s?mind|"
    r"go\s+on)(?:[\W_]+(?:go\s+on|sorry|wrong\s+(?:window|chat|tab)|thanks?|thank\s+you|haha\w*))*\W*$|^\W*(?:嗯|哦|"
    r"哈+|噢|那)?[，,\s]*(?:你|您|这|听起来|听上去|说得|讲得)?(?:可|也|还)?(?:真|太|好|很|挺|非常|有点)?(?:厉害|聪明|"
    r"好笑|搞笑|有意思|有趣|有道理|可行|不错|好|棒|对|可以|专业|清楚)[了呀啊吧哈的]?(?:[，,\s]*(?:接着说|继续|"
    r"谢谢你?))?\W*$|^\W*(?:发错了|说错了|不好意思|抱歉|打错了)(?:[，,\s]*(?:不好意思|抱歉))?\W*$",
)
"""Nothing but a remark on the answer."""
