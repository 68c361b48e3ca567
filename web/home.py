"""The one agent that all pages talk to: given, or opened when first asked for."""

import threading
from contextlib import ExitStack

from hippograph.graph import Agent, open_agent
from hippograph.graph.opened import shared_memory
from hippograph.state import Settings


class Home:
    """Opens this process's one memory of a home; where that fails, the next request tries again."""

    def __init__(self, settings: Settings, agent: Agent | None = None) -> None:
        self.settings = settings
        self._given = self._agent = agent
        self._opened = ExitStack()
        self._lock = threading.Lock()

    def agent(self) -> Agent:
        """Return the agent.

        Raises:
            HippographError: The home cannot be opened; the message says why.
        """
        with self._lock:
            if self._agent is None:
                memory = shared_memory(self.settings)
                self._agent = self._opened.enter_context(open_agent(self.settings, memory=memory))
            return self._agent

    def close(self) -> None:
        """Let go of what was opened here; the memory stays its process's."""
        with self._lock:
            self._agent = self._given
            self._opened.close()
