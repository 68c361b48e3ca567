"""Who asks: whose memories a part inside somebody else's application reads and writes, in which conversation.

A model never says so. It stands with the part itself, in the context of the run it works in, or in the run's config.
"""

from collections.abc import Mapping
from typing import Any

from langchain_core.runnables import RunnableConfig, ensure_config
from langgraph._internal._constants import CONFIG_KEY_RUNTIME
from pydantic import ValidationError

from hippograph.nodes import Run
from hippograph.state import BadInput, Context


def caller(
    fixed: Mapping[str, Any], config: RunnableConfig | None = None, given: object = None, *, shared: bool = False
) -> Run:
    """Return the run that a part works in.

    Args:
        fixed: Fields of `Context` that the part was made with.
        config: The run's config, else that of the run this is called in. Its `configurable` may have `user_id`,
            `thread` and `thread_id`.
        given: The run's context; None: that of the LangGraph run that the config belongs to, if any. Of a `Context`
            every field counts that was set, of any other type only `user_id`.
        shared: Whether the part's own user is meant whoever's run it is.

    Raises:
        BadInput: Nobody says whose memories, two say different users, or a field is not valid.
    """
    names: Mapping[str, Any] = ensure_config(config).get("configurable") or {}
    runtime = names.get(CONFIG_KEY_RUNTIME)
    told = _told(given if given is not None else getattr(runtime, "context", None))
    own = fixed.get("user_id")
    named = (own,) if shared and own else (own, told.get("user_id"), names.get("user_id"))
    users = {str(user) for user in named if user}
    if not users:
        raise BadInput(
            'Whose memories? Give user="…" when you make it, context={"user_id": "…"} with the run, or '
            '{"configurable": {"user_id": "…"}} as its config.'
        )
    if len(users) > 1:
        both = " and ".join(sorted(map(repr, users)))
        raise BadInput(
            f"Whose memories? {both} are both named: name one user. Memories that the runs of others may read as well "
            "are given with shared=True."
        )
    context = checked({**fixed, **told, "user_id": users.pop()})
    return Run(context=context, thread=str(names.get("thread") or names.get("thread_id") or ""))


def checked(fields: Mapping[str, Any]) -> Context:
    """Return the context of some fields, those that are None left out.

    Raises:
        BadInput: There is no such field, or its value is out of range.
    """
    try:
        return Context.model_validate({name: value for name, value in fields.items() if value is not None})
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
        raise BadInput(f"The turn's settings are not valid: {wrong}.") from error


def _told(given: object) -> Mapping[str, Any]:
    """Return what a run's context says."""
    if isinstance(given, Context):
        return given.model_dump(include=given.model_fields_set)
    user = given.get("user_id") if isinstance(given, Mapping) else getattr(given, "user_id", None)
    return {"user_id": user} if user else {}
