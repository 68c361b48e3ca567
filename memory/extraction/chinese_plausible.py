"""Whether what a Chinese clause seems to tell can be so; as `english_plausible`."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from hippograph.memory.extraction.attributes import FAVOURITE, canonical
from hippograph.memory.extraction.chinese_open import DATED
from hippograph.memory.extraction.found import Found
from hippograph.memory.extraction.words import either, listed

_FICTION = re.compile(r"(?:书|小说|游戏|电影|故事|剧|梦|片子|动漫|漫画|歌)(?:里|中)")
_SHORT = re.compile(
    r"[了过](?:一?整?(?:个)?(?:上午|下午|晚上|早上|中午|白天|通宵|阵子?|会儿|下|段时间)|"
    r"[一二两三四五六七八九十几半\d]+(?:个)?多?"
    r"(?:小时|天|晚|夜|周|星期|礼拜|分钟|钟头|宿|次|回|趟)|好几?天|好久)|几天$|一下午|一晚|暂|临时|出差|旅游|"
    r"度假|这几天|这两天"
)
_ONCE = re.compile(r"[住搬居作班业][^,]{0,2}过(?!来|去|年|节)|过$")
_PLACE_END = (
    r"(?:市|省|区|县|镇|乡|村|路|街|城|州|京|岛|港|湾|山|川|江|河|湖|海|国|郊|园|苑|庄|桥|门|寺|里弄|小区|公寓|"
    r"附近|旁边|乡下|"
    r"农村|市中心|新村|花园|社区|弄|里|镇上|山里|村里|城里|县城|老家|国外|海外|对面|宿舍)"
)
_NO_HOME = re.compile(
    r"[院不过了得着够惯腻哪几起]|(?:满|完|校)(?![洲县园]|家)|上(?:了|去|来|面)|下(?:了|去|来|面)|半(?:天|年|个)|.*(?:办公|上班|工作|吃饭|开会|睡|坐|休息|等)|"
    r"[一二三四五六七八九十\d]+楼?$|"
    r".*(?:沙发|床|卧室|客厅|书房|厨房|阳台|隔壁|前排|后排|角落|楼上|楼下|座位|桌|房间|文件|数据|服务器|电脑|云|"
    r"里面|心|梦|回忆|过去|"
    r"当下|未来|恐惧|幻想|压力|阴影|医院|病房|酒店|宾馆|旅馆|民宿|朋友家|[我你他她]|[妈爸哥姐弟妹奶爷]家)|"
    r".*[\d一二三四五六七八九十几]+(?:天|晚|夜|周|个月|年)"
)
_INSIDE = re.compile(r"(?:.*[^村城镇山乡县])?(?:里|中)$")
_ORGANISATION = (
    r"(?:公司|集团|银行|医院|大学|学院|学校|中学|小学|幼儿园|厂|局|研究院|研究所|院|所|店|馆|社|部|中心|科技|"
    r"工作室|事务所|餐厅|超市|酒店|"
    r"平台|机构|政府|委|会|基金|证券|保险|传媒|网络|律所|实验室|基地|部门|单位|企业|团队|创业公司|外企|国企|"
    r"出版社|报社|杂志社|电视台|电台|厅|处|队|行)"
)
_NO_EMPLOYER = re.compile(
    r"(?:.*(?:加班|努力|认真|拼命|安心|专心|全力|熬夜|远程|居家|楼|桌|电脑|手机|床|沙发|路上|车上|飞机|高铁|"
    r"压力|状态|环境|氛围|线上|线下|下午|上午|"
    r"晚上|夜|周末|白天|凌晨|时间|时候|讨论|会议|俱乐部|健身|社团|课|游戏|活动|聊天|计划|购物车|群|论坛|决赛|"
    r"房间|厨房|前三|前十|"
    r"读书会|书友会|业委会|党$|会员|直播|战|派对|饭局|行列|聚会|球队|合唱团|乐队|大家庭|志愿)|"
    r"[我你他她它这那里]|.*(?:(?<![阿万])里|中|上|下|前|后|边|旁|地|着|时|家)$)"
)
_ENTERED = re.compile(r"进了")
_NAME_START = "不没了在去来把被给让我你他她它这那什么怎一个很就都也还别快又再最太真好假能会要想可难苦人"
_NAME = re.compile(
    rf"(?![{_NAME_START}])[\u4e00-\u9fff·]{{2,8}}|[A-Z][A-Za-z'.-]*(?:\s?[A-Z][A-Za-z'.-]*){{0,2}}|[\u4e00-\u9fff]"
)
_NO_NAME = re.compile(
    r".*(?:车|饭|餐|外卖|床|声|停|滴滴|代驾|快递|跑腿|闪送|保安|警察|物业|救护|救命|服务员|帮忙|过来|出来|回来|"
    r"起来|写的|上的|难写|好听|好记)$|.*[的了着过]"
)
_PERSON = re.compile(
    rf"(?:{either('surnames')}[\u4e00-\u9fff]{{1,3}}|[\u4e00-\u9fff]{{2,4}}|[A-Za-z][A-Za-z .'-]*|"
    rf"[\u4e00-\u9fff]{{1,3}}"
    r"(?:总|老师|医生|姐|哥|叔|姨|工|经理|教授|律师|先生|女士))"
)
_NO_PERSON = re.compile(
    r".*(?:人|狂|迷|控|员|师|生|家|者|鬼|士|精|手|的|了|着|货|蛋|虫|党|粉|病|忙|气|假)$|"
    r"[个一很不没太最真好特非在有挺这那]"
)
_TITLED = re.compile(r".{1,2}(?:老师|医生|律师|先生)$")
_COLOUR = re.compile(r"(?:深|浅|暗|亮|大|纯|米|天|墨|酒|藏)?[红橙黄绿青蓝紫黑白灰银金粉棕褐](?:色)?的?")
_FIGURE = re.compile(r"[\d一二三四五六七八九十两百千万]")
_STREET = re.compile(r"\d|[路街巷弄号村镇区楼栋道市县乡庄苑园]")
_JUST_NOW = re.compile(
    r".+的|(?:快|已经|刚|正在|还)?.{0,2}(?:坏|碎|丢|关门|倒闭|退役|受伤|解散|停产|下架|绝版|过时|断货|卖完|脏|"
    r"破|旧|贵|便宜|没电|在修)(?:掉|光)?|"
    r"(?:在|从|被|比|跟|让|对).+"
)
_PERSONAL = frozenset(("residence", "address", "employer", "occupation", "name", "age", "origin", "school"))


def plausible(found: Found, clause: str) -> Found | None:
    """Return what a clause seems to tell, under a fitter key where that is plain; None where it cannot be so."""
    key, value = found.attribute, found.value
    if key in _PERSONAL and _FICTION.search(clause):
        return None
    if key == "phone" and len(re.findall(r"[\d一二三四五六七八九零]", value)) < 5:
        return replace(found, attribute="phone model") if not _JUST_NOW.fullmatch(value) else None
    if test := _TESTS.get(key):
        return found if test(value, clause) else None
    if key in _relations():
        return found if _is_person(value) else None
    if (
        key in _PERSONAL
        or not re.search(r"(?:的|我|我们).*(?:是|叫|:)", clause)
        or (" " in key and not key.startswith(FAVOURITE))
    ):
        return found
    if _COLOUR.fullmatch(value) and not key.startswith(FAVOURITE) and "colour" not in key and "色" not in key:
        return replace(found, attribute=f"colour of {key}")
    return None if _JUST_NOW.fullmatch(value) and not DATED.search(value) else found


def _is_home(value: str, clause: str) -> bool:
    if _SHORT.search(clause) or _ONCE.search(clause) or _NO_HOME.match(value) or _INSIDE.fullmatch(value):
        return False
    return bool(
        re.search(r"住在|居住|定居|生活在|家在|搬|迁|移|在.*住", clause)
        or re.search(rf"{_PLACE_END}$|{either('zh_cities')}|[A-Za-z\d]", value)
    )


def _is_employer(value: str, clause: str) -> bool:
    if value == "工作":
        return True
    if _SHORT.search(clause) or _ONCE.search(clause) or _NO_EMPLOYER.fullmatch(value) or _NO_EMPLOYER.match(value):
        return False
    if _ENTERED.search(clause):
        return re.search(rf"(?!医院){_ORGANISATION}$|[A-Za-z]|^.{{2}}$", value) is not None and not value.endswith(
            "医院"
        )
    return True


def _is_name(value: str, _: str) -> bool:
    return _NAME.fullmatch(value) is not None and not _NO_NAME.fullmatch(value)


def _is_person(value: str) -> bool:
    return all(
        _PERSON.fullmatch(each) is not None and (_TITLED.fullmatch(each) or not _NO_PERSON.match(each))
        for each in re.split(r"[、和与跟]", value)
    )


def _relations() -> frozenset[str]:
    """Return the keys of people, whose value is a name."""
    return frozenset(canonical(each) for each in listed("zh_kin"))


def _is_figure(value: str, _: str) -> bool:
    return _FIGURE.search(value) is not None


_TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "residence": _is_home,
    "address": lambda value, _: _STREET.search(value) is not None and not _JUST_NOW.fullmatch(value),
    "employer": _is_employer,
    "occupation": lambda value, clause: not re.search(r"[他她你的]", value) and not _SHORT.search(clause),
    "name": _is_name,
    "birthday": lambda value, _: re.search(r"\d|月|[日号]$|除夕|元旦|节", value) is not None,
    "deadline": lambda value, _: bool(DATED.search(value) or re.search(r"\d|[周月年]", value)),
    "email": lambda value, _: "@" in value,
    "salary": _is_figure,
    "rent": _is_figure,
    "budget": _is_figure,
    "height": _is_figure,
    "weight": _is_figure,
}
