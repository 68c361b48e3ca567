"""What may contradict what: one subject, one attribute that has one value at a time."""

from typing import Any

from sqlalchemy import Row

from hippograph.memory.digest import plain

_SINGLE = frozenset(
    "name|full name|age|birthday|birth date|birthplace|hometown|gender|residence|address|city|country|phone|email|"
    "employer|workplace|occupation|job|job title|position|school|marital status|spouse|nationality|height|weight|"
    "blood type|native language|salary|rent|姓名|名字|年龄|生日|出生地|家乡|性别|住址|住处|居住地|城市|国家|电话|"
    "手机号|邮箱|雇主|工作单位|公司|职业|工作|职位|学校|婚姻状况|配偶|国籍|身高|体重|血型|母语|工资|房租".split("|")
)


def matter(row: Row[Any]) -> tuple[str, str]:
    """Return what a memory is about, as it is compared: subject and attribute."""
    return plain(row.subject), plain(row.attribute)


def single(attribute: str) -> bool:
    """Tell whether an attribute has one value at a time."""
    return " ".join(attribute.split()).casefold() in _SINGLE
