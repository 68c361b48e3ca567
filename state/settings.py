"""What the environment sets, read in one place."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

OLLAMA_URL = "http://127.0.0.1:11434"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where memories live and which models are asked for; None: choose what is found."""

    home: Path
    """HIPPOGRAPH_HOME: the folder of ledger, index and checkpoints."""
    small: str | None = None
    """HIPPOGRAPH_SMALL: the model that answers, "provider:model"."""
    big: str | None = None
    """HIPPOGRAPH_BIG: the model that distils long evidence; none unless set."""
    embeddings: str | None = None
    """HIPPOGRAPH_EMBEDDINGS: the embedding model."""
    reranker: str | None = None
    """HIPPOGRAPH_RERANKER: what looks again at the best memories found; fusion alone unless set."""
    extractor: str | None = None
    """HIPPOGRAPH_EXTRACTOR: what finds facts in turns: "rules", "none", "big" or a model; the default unless set."""
    model_dir: Path
    """HIPPOGRAPH_MODEL_DIR: where embedded models are kept."""
    ollama_url: str = OLLAMA_URL
    """OLLAMA_HOST: where Ollama is looked for."""

    @classmethod
    def from_env(cls, env: Mapping[str, str] = os.environ) -> "Settings":
        """Read the settings from environment variables; an empty variable counts as unset."""
        from platformdirs import user_cache_path, user_data_path

        def get(name: str) -> str | None:
            return env.get(name, "").strip() or None

        return cls(
            home=Path(get("HIPPOGRAPH_HOME") or user_data_path("hippograph")).expanduser(),
            small=get("HIPPOGRAPH_SMALL"),
            big=get("HIPPOGRAPH_BIG"),
            embeddings=get("HIPPOGRAPH_EMBEDDINGS"),
            reranker=get("HIPPOGRAPH_RERANKER"),
            extractor=get("HIPPOGRAPH_EXTRACTOR"),
            model_dir=Path(get("HIPPOGRAPH_MODEL_DIR") or user_cache_path("hippograph") / "models").expanduser(),
            ollama_url=_url(get("OLLAMA_HOST") or OLLAMA_URL),
        )

    def override(self, **changes: str | Path | None) -> "Settings":
        """Return a copy with the given values; None leaves a setting as it is."""
        return replace(self, **{name: value for name, value in changes.items() if value is not None})  # type: ignore[arg-type]


def _url(host: str) -> str:
    """Complete what OLLAMA_HOST allows ("box", "box:11434", "0.0.0.0") to a URL a client can call."""
    scheme, _, rest = host.rpartition("://")
    name, colon, port = rest.rstrip("/").partition(":")
    name = "127.0.0.1" if name in ("", "0.0.0.0") else name
    return f"{scheme or 'http'}://{name}:{port if colon else ('443' if scheme == 'https' else '11434')}"
