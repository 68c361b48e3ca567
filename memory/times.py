"""Points in time: UTC inside, whatever zone was given outside."""

from datetime import UTC, datetime

from hippograph.state import BadInput

FIRST_YEAR, LAST_YEAR = 2, 9998
"""Years whose days exist in every time zone."""


def now() -> datetime:
    """Return the present, in UTC."""
    return datetime.now(UTC)


def local(value: str | datetime | None) -> datetime:
    """Return a time of asking in the asker's zone, in which "yesterday" is counted; None: now, in this machine's zone.

    Raises:
        BadInput: The text is no time.
    """
    if value is None:
        return datetime.now().astimezone()
    return parsed(value)


def utc(value: str | datetime) -> datetime:
    """Return a time in UTC; one without a zone is taken as UTC.

    Args:
        value: A datetime, or ISO 8601 text ("2023-05-08", "2023-05-08T13:56:00+08:00", "…Z").

    Raises:
        BadInput: The text is no such time.
    """
    return parsed(value).astimezone(UTC)


def parsed(value: str | datetime) -> datetime:
    """Return a time in its own zone, UTC where it names none; raises as `utc` does."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            raise BadInput(f"{value!r} is not a time: write ISO 8601, such as 2023-05-08T13:56:00+00:00.") from None
    if not isinstance(value, datetime):
        raise BadInput(f"{value!r} is not a time: give a datetime or ISO 8601 text.")
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise BadInput(f"{value.isoformat()} is out of range: give a year from {FIRST_YEAR} to {LAST_YEAR}.")
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value
