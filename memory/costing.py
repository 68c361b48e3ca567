"""What turns cost and how good their summaries are, as part of `Memory`."""

import logging
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from hippograph.memory.costs.account import DAYS, Account
from hippograph.memory.costs.judge import Judge, judge
from hippograph.memory.costs.judging import Judging
from hippograph.memory.costs.recorder import Recorder
from hippograph.memory.costs.round import Round, Work
from hippograph.memory.costs.samples import PERSON
from hippograph.memory.intake import space_name
from hippograph.memory.keywords import space_key
from hippograph.memory.ledger import Ledger
from hippograph.memory.twin import twin
from hippograph.models import Prices, prices
from hippograph.state import BadInput, Settings
from hippograph.state.costs import By, Sample, Stats, Verdict
from hippograph.state.turn import Call

log = logging.getLogger(__name__)


class Costing:
    """The part of `Memory` that keeps account."""

    home: Path
    notices: list[str]
    daily_usd: float | None
    """What models may cost in a day before `stats` says so; None: any amount."""
    _recorder: Recorder
    _judging: Judging
    _ledger: Ledger

    @property
    def price_list(self) -> Prices:
        """What models cost."""
        return self._recorder.prices

    def talking(self) -> AbstractContextManager[None]:
        """Say, until the block ends, that a turn is under way: models that only judge give way to it."""
        return self._judging.talking()

    def spent(self, taken: Round) -> None:
        """Take note of a turn: what it cost is recorded in the background, and a sampled summary kept to be judged."""
        self._judging.busy()
        self._recorder.note(taken)

    def worked(self, space: str, stage: str, calls: Sequence[Call]) -> None:
        """Take note of calls that were made beside the turns, for a space, in a stage of their own."""
        if calls:
            key = space_key(space_name(space))
            self._recorder.note(Work(key=key, stage=stage, at=self._recorder.clock(), calls=calls))

    def stats(
        self,
        space: str | None = None,
        *,
        days: float = DAYS,
        since: str | datetime | None = None,
        until: str | datetime | None = None,
        by: By | None = None,
    ) -> Stats:
        """Return what turns cost, in tokens, time and money, and what their summaries are worth.

        Args:
            space: Whose turns; None: everybody's.
            days: Of the last so many days, where `since` does not say from when.
            since: From this time on; days that were folded into sums count whole.
            until: Up to this time; None: now.
            by: Told apart by "day", "model", "stage", "role" or "thread" too. Days that were folded have no threads.

        Raises:
            BadInput: An empty space, a time that is none, or another `by`.
        """
        return self._account().stats(space, days=days, since=since, until=until, by=by)

    def samples(self, space: str | None = None) -> Sequence[Sample]:
        """Return the summaries that wait to be judged, the oldest first."""
        return self._account().samples(space)

    def judged(self, sample: int, verdict: Verdict, by: str = PERSON) -> bool:
        """Store what somebody says of a sample, whose words are let go of; False where it is gone, or was judged.

        Raises:
            BadInput: A grade is not 1 to 5.
        """
        return self._account().judged(sample, verdict, by)

    def judge(self, limit: int | None = None, *, by: Judge | None = None, space: str | None = None) -> int:
        """Let a model judge what waits, at once; it also does so by itself, while nobody talks to the home.

        Args:
            limit: How many at most.
            by: The model, in place of the settings'.
            space: Whose summaries; None: everybody's.

        Returns:
            How many it judged.

        Raises:
            BadInput: There is none, or an empty space.
            ModelError: It cannot be asked.
        """
        self._recorder.flush()
        asked = by or self._judging.judge
        if asked is None:
            raise BadInput("No model is there to judge: set HIPPOGRAPH_JUDGE or HIPPOGRAPH_BIG.")
        return self._judging.all(asked, limit, space=None if space is None else space_name(space))

    def _account(self) -> Account:
        """Return the account as it is, what was just noted included."""
        self._recorder.flush()
        return Account(self._ledger, self.price_list, self.daily_usd, self._recorder.clock)

    def _settle(self, settings: Settings) -> None:
        """Keep account as the settings say; a table of prices that cannot be read is told, and does without."""
        self._recorder.sample, self._recorder.days = settings.sample, settings.cost_days
        self.daily_usd = settings.daily_usd
        try:
            self._judging.judge = judge(settings)
        except BadInput as error:
            self._tell(f"Summaries are not judged. {error}")
        try:
            self._recorder.prices = prices(self.home, settings.prices)
        except BadInput as error:
            self._tell(f"{error} Until then the built-in table counts.")

    def _tell(self, notice: str) -> None:
        log.warning("%s", notice)
        self.notices.append(notice)

    astats = twin(stats)
    asamples = twin(samples)
    ajudged = twin(judged)
    ajudge = twin(judge)
