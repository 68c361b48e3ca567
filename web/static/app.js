// What all pages share: notices of requests that failed. Sections bring scripts of their own.
"use strict";

const SHOWN_MS = 8000;

/** Show a notice for a while; `html` comes from our server, which escapes what memories hold. */
function notify(html) {
  const box = document.getElementById("notices");
  const item = document.createElement("div");
  item.innerHTML = html;
  box.append(item);
  setTimeout(() => item.remove(), SHOWN_MS);
}

/** Show a text as a notice. */
function tell(text) {
  const line = document.createElement("p");
  line.className = "notice bad";
  line.textContent = text;
  notify(line.outerHTML);
}

document.addEventListener("htmx:responseError", (event) => {
  const { xhr } = event.detail;
  if ((xhr.getResponseHeader("content-type") || "").startsWith("text/html")) notify(xhr.responseText);
  else tell(xhr.responseText || document.body.dataset.failed);
});
document.addEventListener("htmx:sendError", () => tell(document.body.dataset.failed));
// A dialog that htmx brought is opened; its form's own button closes it.
document.addEventListener("htmx:load", (event) => {
  const dialog = event.detail.elt.closest?.("dialog[data-open]") || event.detail.elt.querySelector?.("dialog[data-open]");
  if (dialog && !dialog.open) dialog.showModal();
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-close]")) event.target.closest("dialog")?.close();
});
document.addEventListener("close", (event) => {
  if (event.target.matches?.("dialog[data-open]")) event.target.remove();
}, true);
