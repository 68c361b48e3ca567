from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from hippograph.nodes.turns import asked, question, split, spoken, stem, turn_ids, versions, words_of

CALL = {"name": "look", "args": {}, "id": "c1"}


def test_tool_calls_stay_with_their_results_and_several_messages_in_a_row_are_one_turn() -> None:
    turns = split(
        [
            SystemMessage("be kind"),
            HumanMessage("a"),
            HumanMessage("b"),
            AIMessage("", tool_calls=[CALL]),
            ToolMessage("r", tool_call_id="c1"),
            AIMessage("c"),
            HumanMessage("d"),
        ]
    )
    assert [[each.type for each in turn] for turn in turns] == [
        ["system"],
        ["human", "human", "ai", "tool", "ai"],
        ["human"],
    ]


def test_what_is_asked_is_what_people_said_last_without_repeats_and_empties() -> None:
    said = [
        HumanMessage("old"),
        AIMessage("x"),
        HumanMessage("a"),
        HumanMessage(" "),
        HumanMessage("a"),
        HumanMessage("b"),
    ]
    assert [words_of(each) for each in asked(said)] == ["a", "b"]
    assert question([*said, AIMessage("answer")]) == "a\nb"


def test_only_what_was_said_aloud_is_spoken() -> None:
    said = [
        SystemMessage("s"),
        HumanMessage("a"),
        AIMessage("", tool_calls=[CALL]),
        ToolMessage("r", tool_call_id="c1"),
    ]
    assert [words_of(each) for each in spoken(said)] == ["a"]


def test_an_id_holds_over_retries_and_differs_by_thread_text_and_message() -> None:
    message = HumanMessage("a", id="1")
    (same,) = turn_ids("t", [message])
    assert turn_ids("t", [HumanMessage(" a ", id="1")]) == [same]
    others = [("u", message), ("t", HumanMessage("b", id="1")), ("t", HumanMessage("a", id="2"))]
    assert len({same, *(turn_ids(thread, [each])[0] for thread, each in others)}) == 4


def test_all_versions_of_a_turn_are_known_by_their_ids() -> None:
    asked_, answered = turn_ids("t", [HumanMessage("a", id="1"), AIMessage("b", id="2")])
    again, otherwise = turn_ids("t", [HumanMessage("c", id="1"), AIMessage("d", id="3")])
    assert len({asked_, answered, again, otherwise}) == 4
    assert len({stem(each) for each in (asked_, answered, again, otherwise)}) == 1
    assert versions(asked_) == versions(again) != versions(answered) == versions(otherwise)
    assert turn_ids("t", [HumanMessage("a", id="1"), AIMessage("b", id="9")]) == [asked_, answered]
