"""Sentences that only look like a new home, name or job give nothing that would retire the true one."""

from datetime import UTC, datetime

import pytest

from hippograph.memory.extraction import Rules
from hippograph.memory.facts import Heard

SAID = datetime(2026, 5, 6, 12, tzinfo=UTC)


def keys(text: str) -> dict[str, str]:
    facts = Rules().extract([Heard(id="t", text=text, role="user", speaker="", said_at=SAID)]).facts
    return {fact.attribute: ("not " if fact.negated else "") + fact.value for fact in facts if fact.subject == "user"}


UNRELATED = {
    "residence": """I live in fear|I live in hope|I live in the present|I live in pain|I live in my own head
        I live in Bergen in the book|In my dream I live in Bergen|I moved to the sofa|I moved to the back row
        I moved to dismiss the motion|We moved to Bergen for the summer|I moved to Lyon for three weeks
        I moved to Windows 11|I moved to Marketing|I live in jeans|I live in denial|I live for music|I moved to tears
        I live on coffee|I live by the rules|We live in strange times|I settled into a routine|I moved to plan B
        我住院了|我住了三天院|我搬到二楼办公了|我住不起上海|我住过广州|我住不惯南方|我住进了医院|我住得很舒服|我住够了
        我住在回忆里|我搬到沙发上了|我搬到隔壁了|我在上海住了三天|我出差住在上海的酒店|小说里我住在上海|我暂时住在上海
        我搬到前排了|我住满一年了""",
    "address": """My address is wrong|My address is on the form|My address is too long|My address is private
        我的地址是错的|我的地址是保密的|我的地址是对的""",
    "employer": """I work at a desk|I work at night|I work at home|I joined the meeting|I joined the queue
        I joined Carol for lunch|I work with Anna|I work for a living|I work at speed|I joined in late
        My company is struggling|I started at page five|I work at weekends|I work for fun|I joined the call
        我在咖啡馆工作了一下午|我在加班工作|我在认真工作|我在床上工作|我在电脑前工作|我在飞机上工作
        我加入了讨论|我进了医院
        我加入了读书会|我加入了群聊|我进了决赛|我在压力下工作""",
    "occupation": """I'm a terrible cook|My job is stressful|My job is a nightmare|My job is in London
        My job is killing me
        I'm a bad driver|I'm a slow writer|My work is going well|我是他的学生|我是你的老师""",
    "name": """My name is on the list|My name is mud|My name is hard to spell|My name is misspelt
        I'm Spartacus! (from the film)
        I'm on holiday|Call me crazy|Call me tomorrow|My name is above yours
        我叫了外卖|我叫滴滴|我叫出租车|我叫他起床|我叫不醒他|我的名字是假的|我叫快递""",
    "age": """I turned 90 degrees|I'm 5 minutes late|I'm 40% sure|I turned 3 pages|I'm 12 weeks pregnant
        I'm 20 pages in|I turned 180 degrees""",
    "boss": """My boss is on holiday|My boss is angry|My boss is leaving|My boss is in Paris|My boss is the best
        我的老板是个好人|我的老板是北京人|我的老板是工作狂|我的老板是急性子的人""",
    "spouse": "My wife is pregnant|My wife is in Paris|My husband is late|我老婆是医生|我老婆是四川人|我老公是球迷",
    "car": """My car is red|My car is in the garage|My car is being repaired|My car is electric blue
        My car is parked outside
        My car is overpriced|我的车是红色的|我的车是二手的|我的车是借的""",
    "favourite book": """My favourite book is missing|My favourite book is on the shelf|My favourite book is lost
        My favourite book is falling apart|My favourite book is from the library""",
    "favourite restaurant": "My favourite restaurant is closed|My favourite restaurant is near home|"
    "My favourite restaurant is sold",
    "deadline": "My deadline is tight|The deadline is unrealistic|My deadline is flexible|我的截止日期是硬性的|"
    "截止日期是个问题",
    "phone": """My phone is broken|My phone number is private|My number is up|My phone is an iPhone 15
        My phone is charging
        我的手机是华为|我的手机是新的|我的电话是坏的""",
    "birthday": "My birthday is a secret|My birthday is near|My birthday is ruined|我的生日是个秘密|我的生日是一个谜",
}  # fmt: skip
PAIRS = [
    (key, said.strip()) for key, many in UNRELATED.items() for line in many.split("\n") for said in line.split("|")
]


@pytest.mark.parametrize(("key", "said"), PAIRS)
def test_an_unrelated_sentence_gives_no_value_of_the_sort(key: str, said: str) -> None:
    assert keys(said).get(key, "not ").startswith("not ")


TRUE = [
    ("I live in a village near Lyon", "residence", "a village near Lyon"),
    ("I live in the countryside", "residence", "the countryside"),
    ("I've lived in Oslo for two years", "residence", "Oslo"),
    ("I moved to New York for work", "residence", "New York"),
    ("I work at a bank", "employer", "a bank"),
    ("I quit my job at Acme", "employer", "not Acme"),
    ("I got laid off from Acme", "employer", "not Acme"),
    ("I turned 30 yesterday", "age", "30"),
    ("My boss is Carol Smith", "boss", "Carol Smith"),
    ("Dave is my boss now", "boss", "Dave"),
    ("I've become vegan", "diet", "vegan"),
    ("My new number is 555-123-4567", "phone", "555-123-4567"),
    ("My car is red", "colour of car", "red"),
    ("我住海淀区", "residence", "海淀区"),
    ("我从北京搬到了上海", "residence", "上海"),
    ("我住在上海浦东", "residence", "上海浦东"),
    ("我住上海", "residence", "上海"),
    ("我住在下沙", "residence", "下沙"),
    ("我在阿里工作", "employer", "阿里"),
    ("老板换成李娜了", "boss", "李娜"),
    ("我的车是红色的", "colour of car", "红色的"),
    ("新号码是13800001111", "phone", "13800001111"),
]


@pytest.mark.parametrize(("said", "key", "value"), TRUE)
def test_a_value_of_the_right_sort_is_read(said: str, key: str, value: str) -> None:
    assert keys(said).get(key) == value
