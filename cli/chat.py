"""`hippograph chat`: an interactive conversation."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from hippograph.cli.ask import STOPPED, fresh_thread, with_models_loading
from hippograph.cli.explaining import CELLS, cut_lines, parts_line
from hippograph.cli.failure import explain
from hippograph.cli.forgetting import forget_shown
from hippograph.cli.interrupt import stoppable
from hippograph.cli.lines import (
    block_line,
    confidence_line,
    counted,
    fitted,
    memory_line,
    origin,
    receipt_lines,
    source_lines,
    stage_line,
    used,
)
from hippograph.cli.options import (
    ME,
    BackupOption,
    BigOption,
    EmbeddingsOption,
    HomeOption,
    RerankerOption,
    SmallOption,
    UserOption,
    configured,
    named,
)
from hippograph.cli.prompt import Prompt, open_prompt
from hippograph.cli.reasons import trigger_line
from hippograph.cli.review import ReviewOption, ask_about, require_terminal
from hippograph.cli.screen import note, say
from hippograph.cli.store import finish, tell
from hippograph.state import BadInput, Choice

if TYPE_CHECKING:
    from hippograph.graph import Agent, Turned
    from hippograph.state.turn import Stage

COMMANDS = {
    "/why": "what the last answer rests on: why and for what memory was searched, what it found and cut, the block",
    "/memories": "the newest memories",
    "/topics": "what this thread is about, and how things stand with it",
    "/forget": "ID or text: forget memories, after showing them",
    "/new": "start a fresh thread; memories stay",
    "/help": "this list",
    "/quit": "leave (or Ctrl-D)",
}
MODES = {
    "asked": "The message asks, or wants something kept: whatever may help is brought up.",
    "proactive": "The message asks nothing: only a memory that clearly fits would be brought up.",
}
"""What a search was for, in words."""
SHOWN = 20


def chat(
    thread: Annotated[str, typer.Option("--thread", metavar="NAME", help="Conversation to go on with.")] = "main",
    user: UserOption = ME,
    home: HomeOption = None,
    small: SmallOption = None,
    big: BigOption = None,
    backup: BackupOption = None,
    embeddings: EmbeddingsOption = None,
    reranker: RerankerOption = None,
    cite: Annotated[bool, typer.Option("--cite", help="Give each sentence the numbers of its sources.")] = False,
    review: ReviewOption = False,
) -> None:
    """Talk; what is told in one thread is known in the next and after a restart.

    \b
    hippograph chat
    hippograph chat --user ann --thread trip
    hippograph chat --small ollama:qwen3:4b
    """
    user, thread = named(user, "--user"), named(thread, "--thread")
    if review:
        require_terminal()
    settings = with_models_loading(configured(home, small, big, embeddings, reranker, backup))
    from hippograph.graph import open_agent

    with open_agent(settings) as agent:
        tell(agent.memory)
        conversation = Conversation(agent, user, thread, cite=cite, review=review)
        conversation.greet(settings.small)
        conversation.run(open_prompt(agent.memory.home, user, COMMANDS))
        finish(agent.memory)


class Conversation:
    """One user's chat; the thread may change on the way."""

    def __init__(self, agent: "Agent", user: str, thread: str, *, cite: bool = False, review: bool = False) -> None:
        self.agent = agent
        self.user = user
        self.thread = thread
        self.cite = cite
        self.review = review
        self.last: Turned | None = None

    def greet(self, small: str | None) -> None:
        """Say who is talked to and what is known."""
        turns = len(self.agent.memory.list(self.user, kinds=["turn"], thread=self.thread, limit=100_000))
        known = self.agent.memory.count(self.user)
        resumed = f"{counted(turns, 'message')} so far" if turns else "new"
        note(
            f"{small} · user {self.user} · thread {self.thread} ({resumed}) · {counted(known, 'memory')} · /help, /quit"
        )

    def run(self, prompt: Prompt) -> None:
        """Read lines until the end, /quit or a second Ctrl-C in a row."""
        asked_to_leave = False
        while True:
            try:
                line = prompt().strip()
            except EOFError:
                return
            except KeyboardInterrupt:
                if asked_to_leave:
                    return
                asked_to_leave = True
                note("Ctrl-C again, or /quit, to leave.")
                continue
            asked_to_leave = False
            if line in ("/quit", "/exit"):
                return
            if line:
                self._take(line)

    def _take(self, line: str) -> None:
        """Do what a line asks; an error ends the line, not the chat."""
        command, _, rest = line.partition(" ")
        try:
            match command:
                case "/why":
                    self._why()
                case "/memories":
                    self._memories()
                case "/topics":
                    self._topics()
                case "/forget":
                    self._forget(rest.strip())
                case "/new":
                    self.thread, self.last = fresh_thread("chat"), None
                    note(f"New thread {self.thread}.")
                case "/help":
                    for name, text in COMMANDS.items():
                        say(f"{name:10} {text}")
                case _ if command.startswith("/"):
                    note(f"There is no {command}: /help lists what there is.")
                case _:
                    self._answer(line)
        except KeyboardInterrupt:
            note("Interrupted.")
        except Exception as error:  # whatever it is, the chat goes on
            note(explain(error))

    def _answer(self, text: str) -> None:
        writer = AnswerWriter()
        try:
            with stoppable() as stop:
                self.last = self.agent.ask(
                    text,
                    user=self.user,
                    thread=self.thread,
                    on_token=writer.token,
                    on_stage=writer.stage,
                    on_review=ask_about if self.review else None,
                    stop=stop,
                    context={"citations": self.cite},
                )
        finally:
            writer.end()
        for line in source_lines(self.last):
            say(line)
        note(f"  {confidence_line(self.last)}")
        for reason in self.last.degraded:
            note(f"  degraded: {reason}")
        if self.last.interrupted:
            note(STOPPED)

    def _why(self) -> None:
        if self.last is None:
            note("Nothing was asked in this thread yet.")
            return
        turned, trigger = self.last, self.last.trigger
        say(trigger_line(trigger))
        if trigger["fire"]:
            say(f"  {MODES[trigger['mode']]}")
        for query in trigger["queries"]:
            say(f"  Searched for: {fitted(query, CELLS)}")
        self._why_these(turned)
        if turned.block["text"]:
            say(f"In the prompt ({turned.block['tokens']} tokens, by {turned.block['by']}):")
            say(turned.block["text"])
            say(block_line(turned.block))
        if turned.block["more"]:
            say(turned.block["more"])
        for spec, standing in self.agent.standings().items():
            if standing.state != "closed":
                say(f"{spec} is left alone for {standing.seconds:.0f} s more: {standing.why}")

    def _why_these(self, turned: "Turned") -> None:
        """Show the memories, what their scores are made of, and what was cut."""
        from hippograph.memory.search.explain import parts

        in_prompt = {memory.id: number for number, memory in enumerate(used(turned), start=1)}
        for memory in turned.memories:
            place = f"[{in_prompt[memory.id]}]" if memory.id in in_prompt else "not in the prompt"
            say(f"  {memory.score:.2f}  {place}  {fitted(memory.text, CELLS)}")
            say(f"        {memory.id}, {origin(memory)}")
            say(f"        {parts_line(parts(memory))}")
        if turned.trigger["fire"] and not turned.memories:
            say("  Nothing was kept." if turned.cut else "  Nothing was found.")
        if turned.cut:
            say("Found and cut, the best of it:")
            say("\n".join(cut_lines([(each["score"], each["reason"], self._text(each["id"])) for each in turned.cut])))

    def _text(self, id: str) -> str:  # noqa: A002
        """Return a memory's text, as far as it is still there."""
        try:
            return self.agent.memory.get(id, self.user).text
        except BadInput:
            return "(forgotten)"

    def _memories(self) -> None:
        found = self.agent.memory.list(self.user, limit=SHOWN)
        for memory in found:
            say(f"  {memory.id}  {memory_line(memory, 100)}")
        say(f"{counted(len(found), 'memory')} of {self.agent.memory.count(self.user):,}, newest first.")

    def _topics(self) -> None:
        found = self.agent.topics(self.user, self.thread)
        for topic in found:
            say(f"  {topic['name']}: {topic['state']}, {counted(topic['turns'], 'turn')}")
            say(f"        {fitted(topic['summary'], CELLS)}")
        if not found:
            note("This thread is about nothing yet.")

    def _forget(self, what: str) -> None:
        if not what:
            note("Say what: /forget ID, or /forget some text.")
            return
        memory, given = self.agent.memory, Choice(ids=[what])
        try:
            memory.meant(self.user, **given)
        except BadInput:
            given = Choice(query=what)
        receipt = forget_shown(memory, self.user, given)
        if receipt is not None:
            say("\n".join(receipt_lines(receipt)))


class AnswerWriter:
    """Shows a turn while it runs: a line per stage, the answer between them."""

    def __init__(self) -> None:
        self.in_answer = False

    def token(self, token: str) -> None:
        """Write a piece of the answer."""
        self.in_answer = True
        say(token, end="")

    def stage(self, name: str, stage: "Stage") -> None:
        """Write what a finished stage cost."""
        self.end()
        note(f"  {stage_line(name, stage)}")

    def end(self) -> None:
        """Close the answer's line, if one is open."""
        if self.in_answer:
            sys.stdout.write("\n")
            sys.stdout.flush()
            self.in_answer = False
