// The conversation: sends a form, shows the turn while it runs, puts in what it came to.
"use strict";

(() => {
  const messages = document.getElementById("messages");
  const composer = document.getElementById("composer");
  const panel = document.getElementById("panel");
  const pipeline = document.getElementById("pipeline");
  const field = document.getElementById("text");
  const [send, halt] = [composer.querySelector(".send"), composer.querySelector(".halt")];
  const words = messages.dataset;
  let busy = false;
  let sent = null; // the user's message as it stands until the server has it

  /** Make an element with a class and a text. */
  function made(name, kind, text = "") {
    const element = document.createElement(name);
    element.className = kind;
    element.textContent = text;
    return element;
  }

  /** Turn markup of our server into an element. */
  function parsed(html) {
    const template = document.createElement("template");
    template.innerHTML = html.trim();
    return template.content.firstElementChild;
  }

  function put(element) {
    messages.append(element);
    if (window.htmx) htmx.process(element);
    messages.scrollTop = messages.scrollHeight;
    return element;
  }

  function working(now) {
    busy = now;
    messages.setAttribute("aria-busy", String(now));
    send.hidden = now;
    halt.hidden = !now;
  }

  /** Show a message of the user's as it was sent. */
  function mine(text) {
    for (const id of ["empty", "unanswered"]) document.getElementById(id)?.remove();
    const message = made("article", "message mine");
    message.append(made("h2", "unseen", words.mine), made("div", "said", text));
    sent = put(message);
  }

  /** Show instead of something what went wrong; what was answered until then stays. */
  function failed(live, text) {
    const notice = made("p", "notice bad", text);
    notice.setAttribute("role", "alert");
    live.thinking.remove();
    if (live.said.textContent) live.message.after(notice);
    else live.message.replaceWith(notice);
  }

  /** Begin an answer: its stages, and its text as it comes. */
  function begun() {
    const message = made("article", "message theirs live");
    const stages = made("div", "stages");
    const thinking = made("span", "thinking small faint", words.thinking);
    const said = made("div", "said");
    stages.append(thinking);
    message.append(made("h2", "unseen", words.theirs), stages, said);
    return { message: put(message), stages, thinking, said };
  }

  /** Do what one line of the stream says. */
  function happened(line, live) {
    const near = messages.scrollHeight - messages.scrollTop - messages.clientHeight < 80;
    if (line.piece !== undefined) live.said.textContent += line.piece;
    else if (line.node) live.thinking.before(parsed(line.html));
    else if (line.ask) {
      live.message.remove();
      put(parsed(line.ask)).querySelector("button[value=approve]").focus();
    } else if (line.error) {
      failed(live, line.error);
    } else if (line.answer !== undefined) {
      live.message.remove();
      if (line.question) sent?.replaceWith(parsed(line.question));
      sent = null;
      if (line.answer) document.querySelector(".talk-head .forget")?.removeAttribute("hidden");
      if (line.answer) put(parsed(line.answer));
      pipeline.innerHTML = line.pipeline;
      panel.scrollTop = 0;
      if (window.htmx) htmx.process(pipeline);
      if (line.threads) document.getElementById("threads").replaceWith(parsed(line.threads));
      if (line.title) document.querySelector("h1").textContent = line.title;
    }
    if (near) messages.scrollTop = messages.scrollHeight;
  }

  /** Read a stream of lines of JSON. */
  async function* lines(response) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      const cut = (rest + (value ?? "")).split("\n");
      rest = cut.pop();
      for (const line of cut) yield JSON.parse(line);
      if (done) return;
    }
  }

  /** Send a form and show what happens; tell whether the server took it. */
  async function take(form, body) {
    working(true);
    const live = begun();
    let begins = false;
    try {
      // Not form.action: a button of that name would take its place.
      const response = await fetch(form.getAttribute("action"), {
        method: "POST", body, headers: { accept: "application/x-ndjson", "x-csrf": body.get("csrf") },
      });
      if (!response.ok) {
        const told = await response.json().catch(() => null);
        failed(live, told?.error?.message ?? words.unsent);
        return false;
      }
      begins = true;
      let ended = false;
      for await (const line of lines(response)) {
        happened(line, live);
        ended ||= line.piece === undefined && !line.node;
      }
      if (!ended) failed(live, words.broken);
      return true;
    } catch {
      failed(live, begins ? words.broken : words.unsent);
      return begins;
    } finally {
      working(false);
    }
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-stream]");
    if (!form) return;
    event.preventDefault();
    if (busy) return;
    const body = new URLSearchParams(new FormData(form, event.submitter));
    if (form === composer) {
      const text = field.value.trim();
      if (!text) return;
      mine(text);
      field.value = "";
      if (!(await take(form, body))) {
        sent?.remove();
        if (!field.value) field.value = text;
      }
      field.focus();
    } else {
      form.remove();
      if (!(await take(form, body))) put(form);
      if (document.activeElement === document.body) field.focus();
    }
  });

  field.addEventListener("keydown", (event) => {
    // While an input method composes (Chinese, Japanese), Enter chooses a word.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    if (!busy && field.value.trim()) composer.requestSubmit();
  });

  halt.addEventListener("click", () => {
    const body = new URLSearchParams(new FormData(composer));
    fetch(composer.dataset.stop, { method: "POST", body, headers: { "x-csrf": body.get("csrf") } });
  });

  messages.addEventListener("click", (event) => {
    const starter = event.target.closest("[data-say]");
    if (starter) {
      field.value = starter.dataset.say;
      field.focus();
    }
    if (event.target.closest("[data-panel]") && getComputedStyle(panel).position === "fixed") panel.showPopover();
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target === pipeline) panel.scrollTop = 0;
  });

  messages.scrollTop = messages.scrollHeight;
})();
