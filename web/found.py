"""Which models play which role, and why; what else is at hand; the settings that are in force."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hippograph.models import Allowance, Found, Role, allowance, choose, found
from hippograph.state import Settings
from hippograph.web.asked import grant
from hippograph.web.rendering import page

Because = Literal["named", "served", "embedded", "big", "usual"]
"""Why a role is played as it is: a setting names the model; Ollama answers and has it; nothing is configured, and the
embedded one is there; the big model does it too; or nobody is named, and it is done in the usual way, mostly without
any model."""
BIG_DOES = ("extractor", "judge")
"""Roles that the big model plays where no other is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One role, as the page shows it."""

    role: Role
    because: Because
    variable: str
    """The environment variable that would name the model."""
    window: Allowance | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting and what it is set to."""

    variable: str
    value: str
    """As text; empty where it is not set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtHand:
    """All that the page tells."""

    roles: Sequence[Played]
    models: Sequence[Found]
    settings: Sequence[Setting]

    @property
    def problems(self) -> int:
        """How many roles cannot be played as things are."""
        return sum(each.role.problem is not None for each in self.roles)


def show(request: Request) -> Response:
    """Show what is found, also where the home cannot be opened; folders only to whoever may use the whole home."""
    settings: Settings = request.app.state.home.settings
    given = grant(request)
    whole = given is not None and given.spaces is None
    return page(request, "found.html", found=at_hand(settings), whole=whole, ollama=settings.ollama_url)


def at_hand(settings: Settings) -> AtHand:
    """Return what is found; asks Ollama, and no model is loaded."""
    return AtHand(
        roles=[
            Played(
                role=role,
                because=because(role, settings),
                variable=f"HIPPOGRAPH_{role.role.upper()}",
                window=None if role.problem else allowance(role.role, role.spec, settings),
            )
            for role in choose(settings)
        ],
        models=found(settings),
        settings=in_force(settings),
    )


def because(role: Role, settings: Settings) -> Because:
    """Return why a role is played as it is."""
    if getattr(settings, role.role):
        return "named"
    if role.role == "small":
        return "served" if (role.spec or "").startswith("ollama:") else "embedded"
    if role.role in BIG_DOES and settings.big:
        return "big"
    return "usual"


def in_force(settings: Settings) -> list[Setting]:
    """Return the settings that are no model's name; none of them is a secret."""
    windows = " ".join(f"{name}={tokens}" for name, tokens in settings.windows.items())
    ttl = " ".join(f"{kind}={days:g}" for kind, days in settings.ttl_days.items())
    told = {
        "HIPPOGRAPH_HOME": str(settings.home),
        "HIPPOGRAPH_MODEL_DIR": str(settings.model_dir),
        "OLLAMA_HOST": settings.ollama_url,
        "HIPPOGRAPH_DEADLINE": f"{settings.deadline:g}",
        "HIPPOGRAPH_WINDOWS": windows,
        "HIPPOGRAPH_UPKEEP_EVERY": str(settings.upkeep_every),
        "HIPPOGRAPH_TTL_DAYS": ttl,
        "HIPPOGRAPH_MOST_DERIVED": str(settings.most_derived),
        "HIPPOGRAPH_CACHE_MB": str(settings.cache_mb),
        "HIPPOGRAPH_PREFETCH": str(int(settings.prefetch)),
        "HIPPOGRAPH_PRICES": str(settings.prices or ""),
        "HIPPOGRAPH_COST_DAYS": str(settings.cost_days),
        "HIPPOGRAPH_DAILY_USD": "" if settings.daily_usd is None else f"{settings.daily_usd:g}",
        "HIPPOGRAPH_SAMPLE": f"{settings.sample:g}",
    }
    return [Setting(variable=variable, value=value) for variable, value in told.items()]


ROUTES = [Route("/found", show, name="found")]
