"""Texts before which an answer ends."""

from collections.abc import Sequence


class Stops:
    """Lets an answer through piece by piece, up to the first of some texts."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = stops
        self._held = ""
        self.met = False
        """Whether one of them came: nothing is let through any more."""

    def feed(self, piece: str) -> str:
        """Return what may be shown by now: not what might be the beginning of one of the texts."""
        if self.met:
            return ""
        text = self._held + piece
        places = [place for stop in self._stops if (place := text.find(stop)) >= 0]
        if places:
            self.met, self._held = True, ""
            return text[: min(places)]
        held = max((_overlap(text, stop) for stop in self._stops), default=0)
        self._held = text[len(text) - held :]
        return text[: len(text) - held]

    def rest(self) -> str:
        """Return what was held back, at the end of the answer."""
        rest, self._held = self._held, ""
        return rest


def _overlap(text: str, stop: str) -> int:
    """Return how many characters at the end of a text are the beginning of a stop."""
    return next((size for size in range(min(len(stop) - 1, len(text)), 0, -1) if text.endswith(stop[:size])), 0)
