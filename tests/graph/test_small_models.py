"""What small models and their servers do, through the whole graph and the real clients."""

import json
from collections.abc import Iterator

import pytest
from doubles import Ollama, OpenAI
from langchain_core.messages import AIMessage, HumanMessage
from scripted import Scripted

from hippograph.graph import build_graph, open_agent, open_checkpoints
from hippograph.memory import Memory
from hippograph.models import EstimatedCounter
from hippograph.state import Context, MissingKey, ModelError, ModelNotFound, ModelUnavailable, Settings


@pytest.fixture
def local_ollama(settings: Settings, ollama: Ollama) -> Iterator[Settings]:
    return settings.override(ollama_url=ollama.url, small="ollama:qwen3:4b")


def test_9000_tokens_of_history_and_memories_fit_a_window_of_2048(memory: Memory, model: Scripted) -> None:
    counter = EstimatedCounter()
    for number in range(8):
        fact = f"Fact {number} about the heron launch: " + "there is more to say about it. " * 60
        memory.add_turns("ann", f"t{number}", [{"role": "user", "text": fact}])
    memory.flush(60)
    history = [
        message
        for number in range(12)
        for message in (
            HumanMessage(f"question {number} " + "word " * 150),
            AIMessage(f"answer {number} " + "word " * 150),
        )
    ]
    assert counter.messages(history) + sum(counter.text(each.text) for each in memory.list("ann")) > 6000
    context = Context(user_id="ann", context_tokens=2048, answer_tokens=400, memory_tokens=800, top_k=8)
    question = HumanMessage("What did I say about the heron launch?")
    answer = build_graph(memory=memory, small=model).invoke({"messages": [*history, question]}, context=context)
    (prompt,) = model.prompts
    assert counter.messages(prompt) + 400 <= 2048
    assert answer["block"]["tokens"] > 200
    assert answer["block"]["text"] in str(prompt[-1].text)
    assert "answer 11" in model.text()
    assert "What did I say about the heron launch?" in str(prompt[-1].text)


def test_a_server_that_reports_no_usage_is_counted_for(local_ollama: Settings, ollama: Ollama) -> None:
    ollama.prompt_tokens = ollama.answer_tokens = 0
    with open_agent(local_ollama) as agent:
        turned = agent.ask("Hello!")
    assert turned.answer == "Yes."
    assert turned.stages["respond"]["tokens"] > 30


def test_the_window_is_told_to_ollama_and_a_truncated_prompt_is_no_secret(
    local_ollama: Settings, ollama: Ollama
) -> None:
    ollama.prompt_tokens = 30
    with open_agent(local_ollama) as agent:
        turned = agent.ask("Please read this. " + "word " * 300, context={"context_tokens": 3000})
    assert ollama.bodies("/api/chat")[-1]["options"]["num_ctx"] == 3000
    assert len(turned.degraded) == 1
    assert "prompt truncated" in turned.degraded[0]


@pytest.mark.parametrize(
    ("raw", "answer"),
    [
        ("<think>The user wants…</think>Tofu is your cat.", "Tofu is your cat."),
        ("<think>\nHm.\n\nYour cat is Tofu.", "Your cat is Tofu."),
    ],
)
def test_thinking_is_neither_shown_nor_remembered(
    local_ollama: Settings, ollama: Ollama, raw: str, answer: str
) -> None:
    ollama.answers = [raw]
    pieces: list[str] = []
    with open_agent(local_ollama) as agent:
        turned = agent.ask("What is my cat called?", on_token=pieces.append)
        assert agent.memory.list("me")[0].text == answer
    assert turned.answer == "".join(pieces) == answer


def test_no_server_is_one_line_that_names_the_address_and_what_to_start(settings: Settings) -> None:
    dead = settings.override(ollama_url="http://127.0.0.1:9", small="ollama:qwen3:4b")
    with open_agent(dead) as agent:
        with pytest.raises(ModelUnavailable, match=r"http://127\.0\.0\.1:9: .*ollama serve") as caught:
            agent.ask("Hello!")
        assert agent.memory.count() == 0
    assert "\n" not in str(caught.value)


def test_a_server_that_comes_back_is_found_again(local_ollama: Settings, ollama: Ollama) -> None:
    with open_agent(local_ollama) as agent:
        ollama.failure = (500, {"error": "out of memory"})
        with pytest.raises(ModelError):
            agent.ask("My cat is called Tofu.")
        ollama.failure = None
        turned = agent.ask("My cat is called Tofu.")
        kept = [(each.role, each.text) for each in agent.memory.list("me", newest_first=False)]
    assert turned.answer == "Yes."
    assert kept == [("user", "My cat is called Tofu."), ("assistant", "Yes.")]  # Said twice, kept once.


def test_an_unknown_model_and_a_missing_key_say_what_to_do(settings: Settings, ollama: Ollama) -> None:
    with open_agent(settings.override(ollama_url=ollama.url)) as agent:
        with pytest.raises(ModelNotFound, match="ollama pull nosuch"):
            agent.ask("Hello!", context={"small": "ollama:nosuch"})
        with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
            agent.ask("Hello!", context={"small": "openai:gpt-5-mini"})


def test_the_big_model_distils_what_does_not_fit_and_what_it_makes_up_stays_out(
    settings: Settings, model: Scripted, openai_server: OpenAI
) -> None:
    bullets = [
        {"text": "The user is allergic to lychee.", "sources": [1]},
        {"text": "The user is allergic to Brazil nuts since 1999.", "sources": [1]},
    ]
    openai_server.answers = [json.dumps({"bullets": bullets})]
    with open_agent(settings.override(extractor="none"), small=model, big="openai:tiny") as agent:
        long_ago = "I am allergic to lychee. " + "We also talked about the weather that day. " * 60
        agent.memory.add_turns("me", "t", [{"role": "user", "text": long_ago}])
        assert agent.memory.flush(60)
        turned = agent.ask("What am I allergic to?", context={"memory_tokens": 120})
    assert turned.degraded == []
    assert (turned.block["by"], turned.block["unsupported"]) == ("big", 1)
    assert "allergic to lychee" in model.text()
    assert "Brazil" not in model.text()
    assert "1999" not in model.text()
    assert turned.stages["summarize"]["tokens"] > 0
    sent = openai_server.bodies("/v1/chat/completions")[-1]
    assert sent["temperature"] <= 0.1
    schema = sent["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["bullets"]["maxItems"] > 0


def test_a_big_model_that_fails_costs_a_note_not_the_turn(
    settings: Settings, model: Scripted, openai_server: OpenAI
) -> None:
    openai_server.failure = (500, {"error": {"message": "overloaded"}})
    with open_agent(settings.override(extractor="none"), small=model, big="openai:tiny") as agent:
        long_ago = "I am allergic to lychee. " + "We also talked about the weather that day. " * 60
        agent.memory.add_turns("me", "t", [{"role": "user", "text": long_ago}])
        assert agent.memory.flush(60)
        turned = agent.ask("What am I allergic to?", context={"memory_tokens": 120})
    assert turned.block["by"] == "extract"
    assert "allergic to lychee" in model.text()
    assert len(turned.degraded) == 1
    assert turned.degraded[0].startswith("summarize: ")


def test_another_user_on_the_same_thread_id_sees_nothing(memory: Memory, model: Scripted, settings: Settings) -> None:
    def turn(user: str, text: str) -> None:
        config = {"configurable": {"thread_id": "shared"}}
        agent.invoke({"messages": [HumanMessage(text)]}, config, context=Context(user_id=user))  # type: ignore[arg-type]

    with open_checkpoints(settings.home / "checkpoints.db") as saver:
        agent = build_graph(memory=memory, small=model, checkpointer=saver)
        for number in range(5):
            turn("ann", f"My PIN is 471{number}.")
        turn("bob", "What is my PIN, and what did we say before?")
        assert "471" not in model.text()
        assert "PIN is" not in model.text()
        turn("ann", "Go on")
        assert "bob" not in model.text()
        assert "what did we say before" not in model.text()
    assert all("471" not in each.text for each in memory.list("bob"))
