"""Keys of relatives and pets, in Chinese and English."""

from hippograph.memory.extraction.attributes import canonical, thing
from hippograph.memory.extraction.words import listed


def kin(relation: str, name: str) -> str:
    """Return the key of a relative or a pet: of those that one may have several of, with the name in it.

    "sister" and "Mia" give "sister mia", "wife" and "Lin" give "spouse", 小猫 and 年糕 give "pet 年糕".
    """
    bare = relation.lower().split()[-1] if relation.isascii() else relation
    if bare in listed("pets") | listed("zh_pets"):
        return f"pet {thing(name)}"
    many = listed("many") | listed("zh_many")
    if bare not in many and not bare.isascii():
        bare = bare.lstrip("大小二三最好的现任") or relation
    return f"{canonical(bare)} {thing(name)}" if bare in many else canonical(bare)
