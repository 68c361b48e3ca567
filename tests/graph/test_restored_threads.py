"""Conversations after a restore: they go on where they were, with the agent open or killed."""

from pathlib import Path

import pytest
from scripted import Scripted

from hippograph.bench.hashed import hashed
from hippograph.graph import open_agent
from hippograph.graph.checkpoints import FILE, open_checkpoints
from hippograph.memory import Memory
from hippograph.memory.backup import restoring
from hippograph.state import Settings


def test_a_conversation_goes_on_where_it_was_with_the_agent_open(settings: Settings, model: Scripted) -> None:
    with (
        Memory.open(settings.home, hashed(), reranker="fusion", extractor="none") as memory,
        open_agent(settings, small=model, memory=memory) as agent,
    ):
        agent.ask("My cat is called Tofu.", thread="one", recall="never")
        kept = memory.snapshot()
        agent.ask("My dog is called Miso.", thread="one", recall="never")
        agent.ask("My fish is called Nori.", thread="two", recall="never")

        former = memory.restore(kept.id)

        agent.ask("Go on.", thread="one", recall="never")
        assert "Tofu" in model.text()
        assert "Miso" not in model.text()
        agent.ask("And you?", thread="two", recall="never")
        assert "Nori" not in model.text()
        memory.restore(former.id)
        agent.ask("Go on.", thread="one", recall="never")
        assert "Miso" in model.text()
        agent.ask("And you?", thread="two", recall="never")
        assert "Nori" in model.text()


def test_a_home_without_conversations_is_restored_without_any(settings: Settings, model: Scripted) -> None:
    with Memory.open(settings.home, hashed(), reranker="fusion", extractor="none") as memory:
        kept = memory.snapshot()
        with open_agent(settings, small=model, memory=memory) as agent:
            agent.ask("My cat is called Tofu.", recall="never")
            memory.restore(kept.id)
            agent.ask("Go on.", recall="never")
            assert "Tofu" not in model.text()
            assert memory.count() == 2
    assert b"Tofu" not in (settings.home / FILE).read_bytes()


def test_who_opens_conversations_first_after_a_kill_sees_the_restored_ones(
    settings: Settings, model: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the LangGraph server does: its checkpointer is open before any memory is."""
    with Memory.open(settings.home, hashed(), reranker="fusion", extractor="none") as memory:
        with open_agent(settings, small=model, memory=memory) as agent:
            agent.ask("My cat is called Tofu.", recall="never")
            kept = memory.snapshot()
            agent.ask("My dog is called Miso.", recall="never")
        put = restoring.put_database

        def killed(source: Path, target: Path) -> None:
            if target.name == FILE:
                raise KeyboardInterrupt
            put(source, target)

        monkeypatch.setattr(restoring, "put_database", killed)
        with pytest.raises(KeyboardInterrupt):
            memory.restore(kept.id)
        monkeypatch.undo()
    assert restoring.pending(settings.home)
    assert b"Miso" in (settings.home / FILE).read_bytes()

    with open_checkpoints(settings.home / FILE):
        assert b"Miso" not in (settings.home / FILE).read_bytes()
        assert not restoring.pending(settings.home)
