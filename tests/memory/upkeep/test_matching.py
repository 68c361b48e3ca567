from tended import derive, everything, run, say

from hippograph.memory import Memory
from hippograph.memory.vectors.index import Passage


def test_vectors_of_what_left_recall_are_taken_out_of_the_index(memory: Memory) -> None:
    low = derive(memory, "Ann saw a grey car.", importance=0.1)
    assert memory.flush(60)
    run(memory, "clean", 8)
    assert run(memory, "compact")["counts"] == {"stray vectors": 1}
    assert memory._index.size("ann") == 1, "the turn's"
    assert run(memory, "compact")["counts"] == {}
    assert memory.get(low).text == "Ann saw a grey car."


def test_a_vector_of_nobody_is_taken_out(memory: Memory) -> None:
    say(memory, "The tram was late.")
    assert memory.flush(60)
    memory._index.add("ann", [Passage(9999, 0, "what was never said")])
    assert run(memory, "compact", dry_run=True)["counts"] == {"stray vectors": 1}
    assert memory._index.size("ann") == 2
    run(memory, "compact")
    assert memory._index.held("ann") == {1: 1}


def test_a_memory_whose_vectors_are_gone_is_queued_and_found_again(memory: Memory) -> None:
    turns = say(memory, "The tram was late.", "The bus was early.")
    assert memory.flush(60)
    memory._index.remove("ann", [1])
    report = run(memory, "compact")
    assert (report["counts"], report["ids"]) == ({"queued": 1}, [turns[0]])
    assert memory.flush(60)
    assert memory._index.held("ann") == {1: 1, 2: 1}
    assert run(memory, "compact")["counts"] == {}


def test_what_is_pending_is_left_to_the_writer(memory: Memory) -> None:
    with memory._writer.paused():
        say(memory, "The tram was late.")
    assert run(memory, "compact", dry_run=True)["counts"] == {}


def test_compaction_that_forgetting_left_is_done(memory: Memory) -> None:
    kept, gone = say(memory, "The tram was late.", "My secret is a very long word: qzxwvutsrqponm.")
    memory.forget("ann", ids=[gone], secure=False)
    before = everything(memory)
    assert run(memory, "compact", dry_run=True)["counts"]["compacted"] == 1
    assert run(memory, "compact")["counts"]["compacted"] == 1
    assert "compacted" not in run(memory, "compact")["counts"]
    assert everything(memory) == before
    assert [each.id for each in before] == [kept]
