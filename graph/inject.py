"""A Runnable that only injects: `Inject(memory, user="ann") | any_model`. What goes out is the graph's own prompt."""

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.messages import BaseMessage, HumanMessage, convert_to_messages
from langchain_core.prompt_values import PromptValue
from langchain_core.runnables import Runnable, RunnableConfig

from hippograph.graph.caller import caller, checked
from hippograph.graph.injection import Injected, Injection
from hippograph.nodes.turns import words_of
from hippograph.state import BadInput, Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from hippograph.memory import Memory
    from hippograph.models import ChatModel

log = logging.getLogger(__name__)

Conversation = str | PromptValue | Sequence[Any] | Mapping[str, Any]
"""What is asked, as a text; or a conversation that ends with it: messages, a prompt, or {"messages": […]}."""


class Inject(Runnable[Conversation, list[BaseMessage]]):
    """Puts memory into a prompt, and stores nothing.

    System messages of the conversation take the place of the prompt's first lines; earlier turns come in as the graph
    has them come in: the last few verbatim, of the others the rolling summary; of the turn in hand, what tools gave.
    """

    def __init__(
        self,
        memory: "Memory | None" = None,
        *,
        user: str | None = None,
        small: "str | BaseChatModel | ChatModel | None" = None,
        big: "str | BaseChatModel | ChatModel | None" = None,
        shared: bool = False,
        settings: Settings | None = None,
        **fields: Any,  # noqa: ANN401
    ) -> None:
        """Prepare; memory and models open when they are first needed.

        Args:
            memory: Long-term memory, which stays the caller's to close; None: this process's own.
            user: Whose memories; None: the run says so, by `user_id` in its context or in its config's `configurable`.
            small: The model that will read the prompt, for its window and its way of counting; None: any, with
                `context_tokens` and estimated tokens.
            big: The model that distils evidence too long for the budget; None: the settings', else none.
            shared: Whether `user` is meant in the runs of others too: what they all may read.
            settings: Where things are; None: the environment.
            fields: More of `Context`'s fields, such as recall="always" or memory_tokens=300.
        """
        self.name = "inject"
        self._injection = Injection(memory=memory, small=small, big=big, settings=settings)
        self._fields = {**fields, "user_id": user}
        self._shared = shared
        checked(self._fields)

    def invoke(self, input: Conversation, config: RunnableConfig | None = None, **_: object) -> list[BaseMessage]:  # noqa: A002
        """Return the prompt for a conversation.

        Raises:
            BadInput: There is nothing to answer, or nobody says whose memories.
            HippographError: Memory or a model cannot be used; one line that says what to do.
        """
        return self._call_with_config(lambda given: self._messages(given, config), input, config)

    def explain(self, input: Conversation, config: RunnableConfig | None = None) -> Injected:  # noqa: A002
        """Return the prompt for a conversation, with all that it rests on; raises as `invoke` does."""
        run, messages = caller(self._fields, config, shared=self._shared), _messages(input)
        own = "\n\n".join(words_of(each) for each in messages if each.type == "system")
        return self._injection.prompt(self._injection.recall(messages, run), run, own=own)

    def _messages(self, given: Conversation, config: RunnableConfig | None) -> list[BaseMessage]:
        found = self.explain(given, config)
        for reason in found.degraded:
            log.warning("The injection is degraded: %s", reason)
        return found.messages


def _messages(given: Conversation) -> list[BaseMessage]:
    if isinstance(given, str):
        return [HumanMessage(given)]
    if isinstance(given, PromptValue):
        return given.to_messages()
    messages = given.get("messages") if isinstance(given, Mapping) else given
    if not isinstance(messages, Sequence):
        raise BadInput('There is nothing to answer: give a text, messages, or {"messages": [...]}.')
    return convert_to_messages(messages)
