"""One key for each property, in whatever words."""

import pytest

from hippograph.memory.extraction.attributes import canonical, keyed, single


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("城市", "residence"),
        ("住处", "residence"),
        ("home city", "residence"),
        ("Lives in", "residence"),
        ("the user's employer", "employer"),
        ("公司", "employer"),
        ("生日", "birthday"),
        ("favorite color", "favourite colour"),
        ("最喜欢的颜色", "favourite colour"),
        ("最爱喝的饮料", "favourite drink"),
        ("wi-fi password", "wifi password"),
        ("garage code", "garage code"),
    ],
)
def test_synonyms_in_both_languages_have_one_key(words: str, key: str) -> None:
    assert canonical(words) == key


def test_what_one_may_have_several_of_is_told_from_what_one_has_once() -> None:
    assert all(single(each) for each in ("residence", "name", "opinion of sushi", "pet rex", "blood type"))
    assert not any(single(each) for each in ("pet", "language", "宠物", "allergies", "friend"))
    assert keyed("pet", "Rex") == "pet rex"
    assert keyed("city", "Oslo") == "residence"


def test_long_things_that_begin_alike_have_keys_of_their_own() -> None:
    begins = "the recycling goes out every second thursday of the month in the "
    keys = [keyed("note", begins + which) for which in ("green bin", "blue bin")]
    assert len({*keys}) == 2
    assert all(len(each) <= len("note ") + 60 for each in keys)
