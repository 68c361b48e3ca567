"""The models that may distil, tried one after the other: a turn does not fail with one of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from hippograph.nodes.run import Resources, Run, Rung, RungRole
from hippograph.state import HippographError, NothingNoted

if TYPE_CHECKING:
    from hippograph.models import Breaker, ChatModel

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How long calls of one model may take."""

    role: RungRole
    seconds: float
    spec: str
    stopping: Callable[[], bool]

    def call(self, what: Callable[[], U]) -> U:
        """Return what a call returns, if it does in time.

        Raises:
            ModelUnavailable: It does not.
            Interrupted: The turn is to end.
        """
        from hippograph.models import within

        return within(self.seconds, what, self.spec, self.stopping)


@dataclass(frozen=True, slots=True, kw_only=True)
class Climbed(Generic[T]):
    """What came of trying."""

    got: T | None = None
    """What the first model that gave it gave."""
    role: RungRole | None = None
    """Which one that was."""
    failures: tuple[str, ...] = ()
    """Why the others did not, in their order."""


def climb(run: Run, resources: Resources, use: "Callable[[ChatModel, Patience], T]") -> Climbed[T]:
    """Return what the first of the configured models gives that gives it.

    One that finds nothing worth noting has answered: the next one is not asked the same.

    Args:
        run: Whose settings name the models, and which may be told to stop.
        resources: The models, and what is known of those that failed.
        use: What is wanted of a model; raises ModelError where it does not give that.
    """
    failures: list[str] = []
    for rung in resources.rungs(run.context):
        if run.stopping():
            break
        try:
            got = _tried(rung, run, resources, use)
        except NothingNoted as error:
            return Climbed(failures=(*failures, f"{rung.role}: {error}"))
        except HippographError as error:
            failures.append(f"{rung.role}: {error}")
            continue
        if got is not None:
            return Climbed(got=got, role=rung.role, failures=tuple(failures))
    return Climbed(failures=tuple(failures))


def _tried(rung: Rung, run: Run, resources: Resources, use: "Callable[[ChatModel, Patience], T]") -> T | None:
    """Open a model and use it, unless it is left alone for now; None where there is none."""
    from hippograph.models import Interrupted

    breaker, patience = _bounds(run, resources, rung.role, rung.spec, run.stopping)
    try:
        with breaker.guard():
            model = patience.call(rung.open)
            return None if model is None else use(model, patience)
    except Interrupted:
        return None


def guarded(run: Run, resources: Resources) -> "Callable[[Callable[[], U]], U]":
    """Return what makes a call of the first model as a climb does: not while it is left alone, nor for too long."""
    rung = next(iter(resources.rungs(run.context)), None)
    breaker, patience = _bounds(run, resources, "big", rung.spec if rung else "big", lambda: False)

    def call(what: "Callable[[], U]") -> "U":
        with breaker.guard():
            return patience.call(what)

    return call


def _bounds(
    run: Run, resources: Resources, role: RungRole, spec: str, stopping: Callable[[], bool]
) -> "tuple[Breaker, Patience]":
    """Return what keeps calls of a model from being made while it fails, and from taking too long."""
    from hippograph.models import Breaker

    seconds = run.context.deadline or resources.deadline
    breaker = resources.breakers.of(spec) if resources.breakers else Breaker(spec)
    return breaker, Patience(role=role, seconds=seconds, spec=spec, stopping=stopping)
