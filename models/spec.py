"""The names of models: "provider:model"."""

from dataclasses import dataclass

from hippograph.state import BadInput

EXAMPLES = "ollama:qwen3:4b, openai:gpt-5-mini, local:qwen2.5-coder-0.5b"
_ALIASES = {"google-genai": "google_genai", "google-vertexai": "google_vertexai", "embedded": "local"}
_HOSTED = {"gpt-": "openai", "o1": "openai", "o3": "openai", "o4": "openai", "text-embedding-": "openai"} | {
    "claude": "anthropic",
    "gemini": "google_genai",
    "deepseek-chat": "deepseek",
    "grok": "xai",
}


@dataclass(frozen=True, slots=True)
class Spec:
    """A model's name, taken apart."""

    provider: str
    """Lower case, with underscores: "ollama", "openai", "local", "google_genai"."""
    name: str
    """The provider's own name; may hold colons ("qwen3:4b") or be a path. Empty: the provider's default."""

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}" if self.name else self.provider


def parse(text: str) -> Spec:
    """Take "provider:model" apart at its first colon; "local" alone is the default embedded model.

    Raises:
        BadInput: it names no provider; the message proposes one.
    """
    text = text.strip()
    provider, colon, name = (part.strip() for part in text.partition(":"))
    provider = _ALIASES.get(provider.lower(), provider.lower())
    if provider == "local":
        return Spec(provider, name)
    if not text:
        raise BadInput(f'The model\'s name is empty; write "provider:model", for example {EXAMPLES}.')
    guess = _guess(text)
    if colon and provider and not name:
        raise BadInput(f'"{text}" names no model; write "provider:model", for example {EXAMPLES}.')
    if not colon or not provider.replace("_", "").replace("-", "").isalpha():
        raise BadInput(f'"{text}" names no provider; write "provider:model". Did you mean {guess}?')
    return Spec(provider.replace("-", "_"), name)


def _guess(text: str) -> str:
    """What a name without a provider most likely means."""
    bare = text.strip(":")
    if bare.startswith("qwen2.5-coder-") or bare.endswith(".gguf"):
        return f"local:{bare}"
    for prefix, provider in _HOSTED.items():
        if bare.startswith(prefix):
            return f"{provider}:{bare}"
    return f"ollama:{bare}"
