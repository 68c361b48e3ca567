"""What ChatGPT, Claude, Mem0 and LangGraph's stores export, read and stored; the files are of our own making."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hippograph.bench.hashed import hashed
from hippograph.memory import Memory
from hippograph.memory.exchange.foreign import files
from hippograph.memory.exchange.foreign.storing import store
from hippograph.memory.exchange.foreign.taken import Taken
from hippograph.memory.exchange.imported import Imported
from hippograph.state import BadInput


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with Memory.open(tmp_path_factory.mktemp("home"), hashed(), reranker="fusion", extractor="none") as opened:
        yield opened


@pytest.fixture
def user(request: pytest.FixtureRequest) -> str:
    """A space of each test's own."""
    return str(request.node.name)


def written(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content), "utf-8")
    return path


def read(path: Path, user: str = "ann", written: files.Foreign | None = None) -> Taken:
    found = files.foreign(path)
    program = written or found.written
    assert program is not None
    return files.read(found, program, path, user)


def stored(memory: Memory, user: str, path: Path, **how: Any) -> Imported:
    return store(memory, user, read(path, user), **how)


def node(name: str, parent: str | None, role: str = "user", text: str = "", **message: Any) -> dict[str, Any]:
    said = {
        "id": name,
        "author": {"role": role},
        "create_time": 1767225600.5,
        "content": {"content_type": "text", "parts": [text]},
        "recipient": "all",
        **message,
    }
    return {"id": name, "parent": parent, "children": [], "message": said}


def chatgpt() -> list[dict[str, Any]]:
    nodes = [
        {"id": "root", "parent": None, "children": ["sys"], "message": None},
        node("sys", "root", "system", "You are ChatGPT."),
        node("ctx", "sys", "user", "Be brief.", metadata={"is_visually_hidden_from_conversation": True}),
        node("q1", "ctx", "user", "Where do I keep the key?"),
        node("old", "q1", "assistant", "I cannot know that."),
        node("edit", "ctx", "user", "My key is under the blue pot. 钥匙在蓝色花盆下。"),
        node("call", "edit", "assistant", "search('pots')", recipient="web.run"),
        node("tool", "call", "tool", "ten thousand words of pots"),
        node("think", "tool", "assistant", content={"content_type": "thoughts", "thoughts": []}),
        node("a1", "think", "assistant", "Noted\ue200cite\ue202turn0\ue201.", create_time=None),
        node(
            "photo",
            "a1",
            content={
                "content_type": "multimodal_text",
                "parts": [{"content_type": "image_asset_pointer"}, "That is the pot.", {"text": "spoken words"}, None],
            },
        ),
    ]
    return [
        {
            "title": "Keys",
            "conversation_id": "c-1",
            "create_time": 1767225000,
            "current_node": "photo",
            "mapping": {each["id"]: each for each in nodes},
        }
    ]


def test_of_a_conversation_of_chatgpt_the_path_that_was_seen_last_is_stored(
    home: Memory, user: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "conversations.json", chatgpt())
    first, again = stored(home, user, path), stored(home, user, path)
    assert (first.stored, first.known, again.stored, again.known) == (3, 0, 0, 3)
    turns = home.list(user, newest_first=False)
    assert [(each.role, each.text) for each in turns] == [
        ("user", "My key is under the blue pot. 钥匙在蓝色花盆下。"),
        ("assistant", "Noted."),
        ("user", "[image]\nThat is the pot.\nspoken words"),
    ]
    assert {each.thread for each in turns} == {"chatgpt/c-1"}
    assert {str(each.said_at) for each in turns} == {"2026-01-01 00:00:00.500000+00:00"}
    told = " ".join(first.notes)
    for left in ("messages of other branches (2)", " calls of tools (1)", "results of tools (1)", "shown (2)"):
        assert left in told, left
    longer = chatgpt()
    longer[0]["mapping"]["q2"] = node("q2", "photo", text="And my bike is green.")
    longer[0]["current_node"] = "q2"
    assert stored(home, user, written(path, longer)).stored == 1


def test_a_conversation_without_a_current_node_ends_at_its_last_leaf_and_odd_ones_are_told(tmp_path: Path) -> None:
    (talk,) = chatgpt()
    del talk["current_node"]
    circle = {"mapping": {"a": node("a", "b", text="One."), "b": node("b", "a", text="Two.")}, "current_node": "a"}
    cut = {"title": "Cut", "mapping": {"a": node("a", "gone", text="Late.")}, "current_node": "a"}
    odd: list[Any] = [talk, {"title": "none"}, 3, circle, cut, {"mapping": {"a": 1, "b": {"message": {"author": 2}}}}]
    taken = read(written(tmp_path / "c.json", odd))
    assert "That is the pot." in " ".join(each.turn["text"] for each in taken.turns)
    assert {each.turn["text"] for each in taken.turns} >= {"One.", "Two.", "Late."}
    told = " ".join(taken.told())
    assert "conversation 2: it has no messages" in told
    assert "conversation 3: it has no messages" in told
    assert "conversation 5 ('Cut'): its beginning is missing" in told


def claude() -> list[dict[str, Any]]:
    at = "2026-02-03T10:00:00.123456Z"
    return [
        {
            "uuid": "k-1",
            "name": "Bees",
            "created_at": at,
            "chat_messages": [
                {
                    "uuid": "m1",
                    "sender": "human",
                    "text": "Read this. I keep bees in Oslo.",
                    "content": [{"type": "text", "text": "Read this. I keep bees in Oslo."}],
                    "created_at": at,
                    "attachments": [
                        {"file_name": "hive.txt", "extracted_content": "Hive 7 swarmed."},
                        {"file_name": "x"},
                    ],
                },
                {
                    "uuid": "m2",
                    "sender": "assistant",
                    "text": "This block is not supported on your current device yet.",
                    "content": [
                        {"type": "thinking", "thinking": "Hm."},
                        {"type": "tool_use", "name": "search"},
                        {"type": "text", "text": "Hive 7 swarmed."},
                        {"type": "text", "text": "Good luck!"},
                    ],
                    "created_at": "2026-02-03T10:01:00Z",
                },
                {"uuid": "m3", "sender": "human", "text": "谢谢！", "created_at": "soon"},
                {"uuid": "m4", "sender": "human", "text": "", "content": []},
            ],
        }
    ]


def test_a_conversation_of_claude_is_stored_with_its_attachments(home: Memory, user: str, tmp_path: Path) -> None:
    path = written(tmp_path / "c.json", claude())
    first, again = stored(home, user, path), stored(home, user, path)
    assert (first.stored, again.stored, again.known) == (4, 0, 4)
    turns = home.list(user, newest_first=False)
    assert [(each.role, each.speaker, each.text) for each in turns] == [
        ("tool", "hive.txt", "Hive 7 swarmed."),
        ("user", "", "Read this. I keep bees in Oslo."),
        ("assistant", "", "Hive 7 swarmed.\n\nGood luck!"),
        ("user", "", "谢谢！"),
    ]
    assert [str(each.said_at)[:19] for each in turns] == ["2026-02-03 10:00:00"] * 2 + ["2026-02-03 10:01:00"] * 2
    assert "left out: calls and results of tools, and thoughts (2)" in first.notes


def test_of_a_branched_conversation_of_claude_the_last_branch_is_read(tmp_path: Path) -> None:
    first, *_ = (talk,) = claude()
    texts = {"a": None, "b": "a", "c": "a", "d": "c"}
    talk["chat_messages"] = [
        {"uuid": name, "sender": "human", "text": f"Text {name}.", "parent_message_uuid": before}
        for name, before in texts.items()
    ]
    taken = read(written(tmp_path / "c.json", [first, {"uuid": "bad"}, None]))
    assert [each.turn["text"] for each in taken.turns] == ["Text a.", "Text c.", "Text d."]
    assert taken.passed_over["messages of other branches"] == 1
    assert len(taken.bad) == 2
    talk["chat_messages"].append({"uuid": "e", "sender": "martian", "text": "?", "parent_message_uuid": "d"})
    assert "its sender is 'martian'" in read(written(tmp_path / "c.json", [talk])).told()[0]


MEM0 = {
    "results": [
        {"id": "m-1", "memory": "Ann is allergic to lychee.", "user_id": "ann", "created_at": "2025-05-01T08:00:00Z"},
        {"id": "m-2", "memory": "安住在奥斯陆。", "user_id": "ann", "created_at": 1746086400, "updated_at": None},
        {"id": "m-3", "memory": "   ", "user_id": "ann"},
        "no object, but text",
    ]
}


def test_memories_of_mem0_keep_their_ids_and_dates_and_change_when_they_did(
    home: Memory, user: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "mem0.json", MEM0)
    first, again = stored(home, user, path), stored(home, user, path)
    assert (first.stored, again.stored, again.known) == (3, 0, 3)
    assert "not read: memory 3: it has no text" in first.notes
    found = home.get("m-1", user)
    assert (found.kind, found.text, str(found.said_at)[:10]) == ("fact", "Ann is allergic to lychee.", "2025-05-01")
    MEM0["results"][0] = {"id": "m-1", "memory": "Ann is allergic to nuts.", "user_id": "ann"}
    changed = stored(home, user, written(path, MEM0))
    assert (changed.stored, changed.known) == (1, 2)
    assert home.get("m-1", user).text == "Ann is allergic to nuts."


def test_what_was_forgotten_comes_back_only_where_that_is_wanted(home: Memory, user: str, tmp_path: Path) -> None:
    path = written(tmp_path / "mem0.json", [{"id": "m-1", "memory": "Bo lisps."}, {"id": "m-2", "memory": "Bo sails."}])
    items = [{"namespace": [user, "n"], "key": "k", "value": {"text": "Bo lisps a lot."}}]
    dump = written(tmp_path / "dump.json", items)
    stored(home, user, path)
    stored(home, user, dump)
    home.forget(user, query="lisps")
    assert (stored(home, user, path).forgotten, stored(home, user, dump).forgotten) == (1, 1)
    assert [each.text for each in home.list(user)] == ["Bo sails."]
    assert (stored(home, user, path, restore=True).stored, stored(home, user, dump, restore=True).stored) == (1, 1)
    assert home.count(user) == 3
    home.forget(user, source=str(path.resolve()))
    assert [each.text for each in home.list(user)] == ["Bo lisps a lot."], "a file is forgotten as a whole"


def test_of_a_file_of_several_users_only_ones_own_is_taken(tmp_path: Path) -> None:
    several = [{"id": "1", "memory": "A.", "user_id": "ann"}, {"id": "2", "memory": "B.", "user_id": "bo"}]
    path = written(tmp_path / "mem0.json", several)
    taken = read(path, "bo")
    assert [each.text for each in taken.given] == ["B."]
    assert "left out: memories of other users (1)" in taken.told()
    with pytest.raises(BadInput, match="memories of ann, bo: say whose"):
        read(path, "eve")
    assert [each.text for each in read(written(path, several[:1]), "eve").given] == ["A."], "of one alone, all"
    items = [{"namespace": [name, "n"], "key": "k", "value": {"of": name}} for name in ("ann", "bo")]
    taken = read(written(path, items), "bo")
    assert [each.namespace for each in taken.kept] == [("bo", "n")]
    with pytest.raises(BadInput, match="items of ann, bo: say whose"):
        read(path, "eve")
    taken = read(written(path, items[:1]), "eve")
    assert len(taken.kept) == 1
    assert "open the store with space='eve'" in taken.told()[0]


@pytest.mark.parametrize("label", ["memories", "app"])
def test_of_a_store_whose_namespaces_name_the_user_later_only_ones_own_is_taken(tmp_path: Path, label: str) -> None:
    items = [{"namespace": [label, name], "key": "k", "value": {"of": name}} for name in ("ann", "安")]
    path = written(tmp_path / "dump.json", items)
    taken = read(path, "安")
    assert [each.namespace for each in taken.kept] == [(label, "安")]
    assert taken.told()[1:] == ["left out: items of others (1)"]
    if label == "memories":
        with pytest.raises(BadInput, match="items of ann, 安: say whose"):
            read(path, "eve")


def test_items_of_a_store_keep_namespace_key_value_and_date(home: Memory, user: str, tmp_path: Path) -> None:
    records = [
        {"namespace": [user, "m"], "key": "1", "value": {"content": "Tea.", "n": [1.5]}, "updated_at": "2025-01-02"},
        {"namespace": f"{user}.m", "key": "2", "value": {"content": "茶。"}, "score": 0.5},
        {"namespace": [], "key": "3", "value": {}},
        {"namespace": [user], "key": None, "value": {}},
        {"namespace": [user], "key": "5", "value": "text"},
    ]
    path = tmp_path / "dump.jsonl"
    path.write_text("\n".join([*map(json.dumps, records), "{no json"]))
    first, again = stored(home, user, path), stored(home, user, path)
    assert (first.stored, again.stored, again.known) == (2, 0, 2)
    assert len([each for each in first.notes if each.startswith("not read")]) == 4
    item = home.items.get(user, (user, "m"), "1")
    assert item is not None
    assert (item.value, str(item.updated_at)[:10]) == ({"content": "Tea.", "n": [1.5]}, "2025-01-02")
    served = {"items": [{**records[0], "value": {"content": "Coffee."}}]}
    assert stored(home, user, written(tmp_path / "served.json", served)).stored == 1
    assert home.items.get(user, (user, "m"), "1").value == {"content": "Coffee."}  # type: ignore[union-attr]


def test_a_zip_is_read_as_it_came(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("u/conversations-000.json", json.dumps(chatgpt()))
        archive.writestr("u/conversations-001.json", json.dumps([{**chatgpt()[0], "conversation_id": "c-2"}]))
        archive.writestr("u/user.json", json.dumps({"email": "ann@example.org"}))
        archive.writestr("u/picture.png", b"\x89PNG")
    assert files.may_be(path)
    assert {each.thread for each in read(path).turns} == {"chatgpt/c-1", "chatgpt/c-2"}
    path.write_bytes(path.read_bytes()[:-40] + b"\0" * 40)
    with pytest.raises(BadInput, match="cut off"):
        files.foreign(path)


def test_a_zip_whose_bytes_are_damaged_is_told(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(chatgpt()))
    data = bytearray(path.read_bytes())
    start = data.find(b"conversations.json") + len("conversations.json")
    data[start : start + 8] = b"\xff" * 8
    path.write_bytes(data)
    with pytest.raises(BadInput, match="cannot be unpacked"):
        files.foreign(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("notes.txt", "No conversation.")
    with pytest.raises(BadInput, match="holds no records"):
        files.foreign(path)


@pytest.mark.parametrize("odd", [["x"], {"x": 1}, 3, None, "gone"])
def test_ids_that_are_none_lose_no_word(tmp_path: Path, odd: Any) -> None:
    talk = {"mapping": {"a": node("a", odd, text="One.")}, "current_node": odd}
    assert [each.turn["text"] for each in read(written(tmp_path / "c.json", [talk])).turns] == ["One."]
    said = [{"uuid": name, "sender": "human", "text": f"{name}."} for name in "ab"]
    texts = {"odd before": [said[0], said[1] | {"parent_message_uuid": odd}]}
    texts["odd leaf"] = [said[0], said[1] | {"parent_message_uuid": "a"}]
    texts["odd id"] = [said[0] | {"uuid": odd}, said[1]]
    texts["odd last id"] = [said[0], {"uuid": odd, "sender": "human", "text": "b.", "parent_message_uuid": "a"}]
    texts["no id"] = [said[0], {"sender": "human", "text": "b.", "uuid": None, "parent_message_uuid": odd}]
    for name, messages in texts.items():
        talk = {"uuid": "k", "chat_messages": messages, "current_leaf_message_uuid": odd}
        taken = read(written(tmp_path / "k.json", [talk]))
        assert [each.turn["text"] for each in taken.turns] == ["a.", "b."], name
        assert taken.told() == [], name


@pytest.mark.parametrize(
    ("content", "program"),
    [
        (chatgpt(), "chatgpt"),
        (claude(), "claude"),
        (MEM0, "mem0"),
        ([{"namespace": ["a"], "key": "k", "value": {}}], "langgraph"),
        ({"memory": "One alone.", "id": "1"}, "mem0"),
        ([{"role": "user", "text": "A transcript."}], None),
        ({"a": 1}, None),
    ],
)
def test_whose_file_it_is_is_told_by_its_content(tmp_path: Path, content: Any, program: str | None) -> None:
    assert files.foreign(written(tmp_path / "any.json", content)).written == program


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "is empty"),
        (b"[]", r"holds no records\."),
        (b"3", r"holds no records\."),
        (b"[" * 200_000, "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b'[{"mapping":\n {', "no JSON .*line 2"),
    ],
)
def test_what_holds_no_records_says_so(tmp_path: Path, content: bytes, told: str) -> None:
    (tmp_path / "any.json").write_bytes(content)
    with pytest.raises(BadInput, match=told):
        files.foreign(tmp_path / "any.json")


def test_a_file_of_which_nothing_can_be_stored_says_why(tmp_path: Path) -> None:
    path = written(tmp_path / "c.json", [{"title": "none"}, {"mapping": {}}])
    with pytest.raises(
        BadInput, match=r"(?s)nothing of chatgpt that can be stored.*conversation 1: it has no messages"
    ):
        read(path, written="chatgpt")
    with pytest.raises(BadInput, match="nothing of claude"):
        read(path, written="claude")
    many = [{"memory": ""}] * 30
    with pytest.raises(BadInput, match="and 20 more"):
        read(written(path, many), written="mem0")


def test_lines_are_looked_at_by_the_first_of_them(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('\n{"role": "user", "text": "hi"}\n' + '{"id": "1", "memory": "x"}\n')
    assert not files.may_be(path)
    path.write_text('{"id": "1", "memory": "x"}\nno json')
    assert files.may_be(path)
    assert not files.may_be(tmp_path / "absent.jsonl")
    assert not files.may_be(tmp_path / "notes.md")
