"""Which model is used for what, and why."""

import os
from dataclasses import dataclass
from typing import Literal

from hippograph.models import catalogue, embeddings, faults, local, ollama, rerankers
from hippograph.models.spec import parse
from hippograph.state import BadInput, HippographError, ModelError, Settings

QUICK_SECONDS = 0.8
"""Longest wait for an Ollama nobody asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """One role and who plays it."""

    role: Literal["small", "big", "backup", "embeddings", "reranker", "extractor", "judge"]
    spec: str | None
    """The model, "provider:model"; None: nobody."""
    why: str
    """In plain words."""
    problem: str | None = None
    """Why it cannot be used as things are, and what to do; None: nothing known against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One model, server or key that is at hand."""

    spec: str
    """A model's name; for a key, its provider with a colon."""
    source: Literal["embedded", "ollama", "key"]
    ready: bool
    """Whether it can be used at once; an embedded model that is not pulled cannot."""
    size: int
    """Bytes; 0 where unknown."""
    about: str
    """Licence and origin, or where it is."""


def choose(settings: Settings) -> list[Role]:
    """Say which model plays each role, and why. Never raises for a model that is missing."""
    plays = (_small, _big, _backup, _embeddings, _reranker, _extractor, _judge)
    return [play(settings) for play in plays]


def found(settings: Settings) -> list[Found]:
    """List the embedded models, what Ollama has, and the providers whose key is set."""
    embedded = [
        Found(
            spec=f"local:{entry.name}",
            source="embedded",
            ready=entry.pulled(settings.model_dir),
            size=entry.size,
            about=f"{entry.upstream}, {entry.licence}",
        )
        for entry in catalogue.ENTRIES
    ]
    served = [
        Found(spec=f"ollama:{model.name}", source="ollama", ready=True, size=model.size, about=settings.ollama_url)
        for model in _answering(settings) or []
    ]
    keys = [
        Found(spec=f"{provider}:", source="key", ready=True, size=0, about=f"{variable} is set")
        for provider, variable in faults.KEYS.items()
        if os.environ.get(variable)
    ]
    return embedded + served + keys


def _small(settings: Settings) -> Role:
    if settings.small:
        return Role(
            role="small",
            spec=settings.small,
            why="HIPPOGRAPH_SMALL or --small names it",
            problem=_problem(settings.small, settings),
        )
    models = _answering(settings)
    chatty = sorted((model for model in models or [] if not model.embeds), key=lambda model: model.liking)
    if chatty:
        name = chatty[0].name
        return Role(role="small", spec=f"ollama:{name}", why=f"Ollama answers at {settings.ollama_url} and has {name}")
    spec = f"local:{catalogue.DEFAULT}"
    state = "no Ollama answers" if models is None else "Ollama has no chat model"
    return Role(
        role="small",
        spec=spec,
        why=f"nothing is configured and {state} at {settings.ollama_url}: the embedded model",
        problem=_problem(spec, settings),
    )


def _big(settings: Settings) -> Role:
    if settings.big:
        return Role(
            role="big",
            spec=settings.big,
            why="HIPPOGRAPH_BIG or --big names it",
            problem=_problem(settings.big, settings),
        )
    return Role(role="big", spec=None, why="HIPPOGRAPH_BIG is not set: evidence is extracted without a model")


def _backup(settings: Settings) -> Role:
    if not settings.backup:
        why = "HIPPOGRAPH_BACKUP is not set: where the big model fails, evidence is extracted without one"
        return Role(role="backup", spec=None, why=why)
    return Role(
        role="backup",
        spec=settings.backup,
        why="HIPPOGRAPH_BACKUP or --backup names it",
        problem=_problem(settings.backup, settings),
    )


def _embeddings(settings: Settings) -> Role:
    if settings.embeddings:
        why = "HIPPOGRAPH_EMBEDDINGS or --embeddings names it"
    else:
        why = "nothing is configured: the embedded model"
    spec = settings.embeddings or embeddings.DEFAULT
    return Role(role="embeddings", spec=spec, why=why, problem=_embedding_problem(spec, settings))


def _reranker(settings: Settings) -> Role:
    if settings.reranker:
        why = "HIPPOGRAPH_RERANKER or --reranker names it"
    else:
        why = "nothing is configured: the legs are fused without a model"
    spec = rerankers.named(None, settings)
    return Role(role="reranker", spec=spec, why=why, problem=_reranker_problem(spec, settings))


def extractor_named(name: str | None, settings: Settings) -> str:
    """Return what finds facts in turns: "none", "rules", or a model as "provider:model".

    By default the big model where one is configured, else rules: the embedded models make up more than rules miss, and
    take many seconds a turn (docs/benchmarks/extract.json).

    Raises:
        BadInput: It is "big" and there is none, or no name of a model.
    """
    name = (name or settings.extractor or ("big" if settings.big else "rules")).strip()
    if name in ("none", "rules"):
        return name
    if name == "big" and not settings.big:
        raise BadInput("The extractor is the big model, and none is configured: set HIPPOGRAPH_BIG, or choose rules.")
    return str(parse(settings.big or "" if name == "big" else name))


def _extractor(settings: Settings) -> Role:
    if settings.extractor:
        why = "HIPPOGRAPH_EXTRACTOR names it"
    else:
        why = "the big model is configured" if settings.big else "no big model is configured: facts are found by rules"
    try:
        spec = extractor_named(None, settings)
    except HippographError as error:
        return Role(role="extractor", spec=settings.extractor, why=why, problem=str(error))
    problem = None if spec in ("none", "rules") else _problem(spec, settings)
    return Role(role="extractor", spec=None if spec == "none" else spec, why=why, problem=problem)


def _judge(settings: Settings) -> Role:
    spec = settings.judge or settings.big
    if not spec:
        return Role(role="judge", spec=None, why="HIPPOGRAPH_JUDGE is not set: sampled summaries wait for a person")
    why = "HIPPOGRAPH_JUDGE names it" if settings.judge else "the big model is configured"
    return Role(role="judge", spec=spec, why=why, problem=_problem(spec, settings))


def _answering(settings: Settings) -> list[ollama.Listed] | None:
    """What Ollama has; None when it does not answer at once."""
    try:
        return ollama.models(settings.ollama_url, QUICK_SECONDS)
    except ModelError:
        return None


def _problem(spec: str, settings: Settings) -> str | None:
    """Why a chat model cannot be used, as far as can be told without loading it."""
    try:
        parsed = parse(spec)
        if parsed.provider == "local":
            local.find(parsed, settings)
        elif parsed.provider == "ollama":
            ollama.require(settings.ollama_url, parsed.name)
        else:
            faults.require_key(spec)
    except HippographError as error:
        return str(error)
    return None


def _reranker_problem(spec: str, settings: Settings) -> str | None:
    try:
        made = rerankers.reranker(spec, settings)
    except HippographError as error:
        return str(error)
    kind, _, model = made.spec.partition(":") if made else ("", "", "")
    return _problem(model, settings) if kind == "llm" else None


def _embedding_problem(spec: str, settings: Settings) -> str | None:
    try:
        return None if embeddings.embedded(spec) else _problem(spec, settings)
    except HippographError as error:
        return str(error)
