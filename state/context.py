"""What one run may set; Studio draws its form from it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

LONGEST = 8000
"""Characters of a prompt that a run may bring."""
ModelName = str | None


def model_of(node: str) -> dict[str, JsonValue]:
    """Return what marks a field of the form as the name of a model that a node uses."""
    return {"langgraph_nodes": [node], "__template_metadata__": {"kind": "llm"}}


def prompt_of(node: str) -> dict[str, JsonValue]:
    """Return what marks a field of the form as a prompt that is edited at its node."""
    return {"langgraph_nodes": [node], "langgraph_type": "prompt"}


class Context(BaseModel):
    """Settings of one run."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    user_id: Annotated[str, Field(min_length=1)] = "anonymous"
    """Whose memories are read and written. Any text; two different texts never share memories."""

    small: Annotated[ModelName, Field(json_schema_extra=model_of("respond"))] = None
    """The model that answers, as "provider:model" (ollama:qwen3:4b). Empty: what the graph was built with."""

    big: Annotated[ModelName, Field(json_schema_extra=model_of("summarize"))] = None
    """The model that distils long evidence, as "provider:model". Empty: what the graph was built with, if any."""

    backup: Annotated[ModelName, Field(json_schema_extra=model_of("summarize"))] = None
    """The model that distils where `big` fails, as "provider:model"; best of another provider. Empty: what the graph
    was built with, if any."""

    summarize: Annotated[
        Literal["auto", "always", "never"], Field(json_schema_extra={"langgraph_nodes": ["summarize"]})
    ] = "auto"
    """When `big` distils the evidence. auto: where it does not fit, or is contradictory, repetitive or mostly noise."""

    deadline: Annotated[float | None, Field(gt=0, le=3600, json_schema_extra={"langgraph_nodes": ["summarize"]})] = None
    """Seconds that one call of a model that distils may take. Empty: HIPPOGRAPH_DEADLINE, else 60."""

    system_prompt: Annotated[str, Field(json_schema_extra=prompt_of("respond"))] = ""
    """Replaces the first lines of the prompt (who the assistant is). Empty: the project's own, zh or en."""

    notes_prompt: Annotated[str, Field(max_length=LONGEST, json_schema_extra=prompt_of("respond"))] = ""
    """Replaces the rule that goes with the memory block (that it is data). Empty: the project's own, zh or en."""

    distil_prompt: Annotated[str, Field(max_length=LONGEST, json_schema_extra=prompt_of("summarize"))] = ""
    """Replaces what a model that distils is told to do; the reply's form stays. Empty: the project's own, zh or en."""

    rolling_prompt: Annotated[
        str,
        Field(max_length=LONGEST, json_schema_extra=prompt_of("write_back")),
    ] = ""
    """Replaces what `big` is asked of the rolling summary. Empty: the project's own, zh or en."""

    language: Annotated[Literal["auto", "zh", "en"], Field(json_schema_extra={"langgraph_nodes": ["respond"]})] = "auto"
    """Language of the prompts. auto: that of the last message."""

    recall: Annotated[
        Literal["auto", "always", "never"], Field(json_schema_extra={"langgraph_nodes": ["check_trigger"]})
    ] = "auto"
    """When long-term memory is searched. auto: check_trigger decides."""

    remember: Annotated[bool, Field(json_schema_extra={"langgraph_nodes": ["write_back"]})] = True
    """Whether this turn is stored in long-term memory."""

    top_k: Annotated[int, Field(ge=1, le=50, json_schema_extra={"langgraph_nodes": ["rerank"]})] = 8
    """How many memories survive reranking."""

    rerank: Annotated[bool, Field(json_schema_extra={"langgraph_nodes": ["rerank"]})] = True
    """Whether the reranker the memory was opened with, if any, looks at the best memories again."""

    memory_tokens: Annotated[int, Field(ge=50, le=8000, json_schema_extra={"langgraph_nodes": ["summarize"]})] = 700
    """Most tokens the memory block may take in the prompt."""

    context_tokens: Annotated[int, Field(ge=512, le=1_000_000, json_schema_extra={"langgraph_nodes": ["respond"]})] = (
        4096
    )
    """Context window the small model is used with, in tokens: prompt and answer together."""

    answer_tokens: Annotated[int, Field(ge=16, le=32_000, json_schema_extra={"langgraph_nodes": ["respond"]})] = 512
    """Most tokens of one answer; reserved in the window."""

    temperature: Annotated[float | None, Field(ge=0, le=2, json_schema_extra={"langgraph_nodes": ["respond"]})] = None
    """How freely the model that answers chooses its words. Empty: 0, or what a model of the caller's own was made with.
    Models that take none, such as o3, do as they do."""

    rolling: Annotated[Literal["code", "big"], Field(json_schema_extra={"langgraph_nodes": ["write_back"]})] = "code"
    """Who writes the rolling summary. big: code at once, and the big model, if there is one, in the background."""

    cache: Annotated[bool, Field(json_schema_extra={"langgraph_nodes": ["summarize"]})] = True
    """Whether a block that a model wrote is kept and found again for the same question about the same memories."""

    prefetch: Annotated[bool, Field(json_schema_extra={"langgraph_nodes": ["summarize"]})] = False
    """Whether blocks for likely next questions are written ahead, in the background; also where HIPPOGRAPH_PREFETCH
    says so. Needs `cache`."""

    last_turns: Annotated[int, Field(ge=1, le=50, json_schema_extra={"langgraph_nodes": ["respond"]})] = 3
    """How many recent turns stay verbatim in short-term memory; older ones go into the rolling summary."""

    citations: Annotated[bool, Field(json_schema_extra={"langgraph_nodes": ["respond"]})] = False
    """Whether each sentence of the answer gets the numbers [1] of the notes that bear it out."""

    structured: Annotated[bool, Field(json_schema_extra={"langgraph_nodes": ["respond"]})] = False
    """Whether the answer also comes as {answer, memories, confidence}, filled in by the model under a JSON schema."""

    review: Annotated[bool, Field(json_schema_extra={"langgraph_nodes": ["review", "write_back"]})] = False
    """Whether a person is asked before a doubtful or contradicting memory is injected or, once found, recalled."""
