// The map of names: moved by dragging and pinching, scaled by buttons, wheel and keys, walked by the arrow keys.
"use strict";

const NEAREST = 0.15, FURTHEST = 1.6, STILL_PX = 4, SLIM_PX = 600;
const AROUND = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Give one map its behaviour. */
function animate(figure) {
  const svg = figure.querySelector("svg");
  const [left, top, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const nodes = [...svg.querySelectorAll(".node")], words = [...svg.querySelectorAll(".node-words text")];
  const box = { x: left, y: top, w: width, h: height };
  const fingers = new Map();
  let moved = 0;

  const show = () => svg.setAttribute("viewBox", `${box.x} ${box.y} ${box.w} ${box.h}`);
  const place = (node) => {
    const circle = node.querySelector("circle");
    return [circle.cx.baseVal.value, circle.cy.baseVal.value];
  };
  /** Units of the map to a pixel. */
  const scale = () => Math.max(box.w / svg.clientWidth, box.h / svg.clientHeight);
  const at = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  };

  function zoom(by, [x, y] = [box.x + box.w / 2, box.y + box.h / 2]) {
    const to = Math.min(Math.max((box.w / width) * by, NEAREST), FURTHEST) * width;
    const share = to / box.w;
    Object.assign(box, { x: x - (x - box.x) * share, y: y - (y - box.y) * share, w: to, h: box.h * share });
    show();
  }
  function fit() {
    Object.assign(box, { x: left, y: top, w: width, h: height });
    show();
  }
  /** Move so that a name is in sight. */
  function reveal([x, y]) {
    const room = 0.08 * box.w;
    box.x = Math.min(box.x, x - room); box.x = Math.max(box.x, x + room - box.w);
    box.y = Math.min(box.y, y - room); box.y = Math.max(box.y, y + room - box.h);
    show();
  }

  /** Let stand out what is connected to a name. */
  function pick(node) {
    svg.classList.toggle("picking", Boolean(node));
    for (const each of svg.querySelectorAll(".near")) each.classList.remove("near");
    if (!node) return;
    const number = node.dataset.number, near = new Set([number]);
    for (const edge of svg.querySelectorAll("[data-one]")) {
      const { one, other } = edge.dataset;
      if (one !== number && other !== number) continue;
      edge.classList.add("near");
      near.add(one).add(other);
    }
    for (const each of [...nodes, ...words]) each.classList.toggle("near", near.has(each.dataset.number));
  }
  /** Return the name nearest to one in a direction. */
  function next(from, [dx, dy]) {
    const [x, y] = place(from);
    let best = null, least = Infinity;
    for (const each of nodes) {
      const [a, b] = place(each), along = (a - x) * dx + (b - y) * dy;
      if (each === from || along <= 0) continue;
      const aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx), cost = along + 2 * aside;
      if (cost < least) [best, least] = [each, cost];
    }
    return best;
  }
  function stand(node, focus) {
    for (const each of nodes) each.setAttribute("tabindex", each === node ? "0" : "-1");
    if (!focus) return;
    node.focus({ preventScroll: true });
    reveal(place(node));
  }

  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const node = event.target.closest(".node");
    if (AROUND[event.key] && node) {
      const to = next(node, AROUND[event.key]);
      if (to) stand(to, true);
    } else if (event.key === "+" || event.key === "=") zoom(0.8, node ? place(node) : undefined);
    else if (event.key === "-") zoom(1.25, node ? place(node) : undefined);
    else if (event.key === "0") fit();
    else return;
    event.preventDefault();
  });
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(Math.exp(event.deltaY / 300), at(event));
  }, { passive: false });
  svg.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    moved = fingers.size ? STILL_PX + 1 : 0;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  svg.addEventListener("pointermove", (event) => {
    const last = fingers.get(event.pointerId);
    if (!last) return;
    const now = [event.clientX, event.clientY];
    if (fingers.size === 2) {
      const [other] = [...fingers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      const before = Math.hypot(last[0] - other[0], last[1] - other[1]), after = Math.hypot(now[0] - other[0], now[1] - other[1]);
      if (before && after) zoom(before / after, at(event));
    } else {
      moved += Math.abs(now[0] - last[0]) + Math.abs(now[1] - last[1]);
      if (moved > STILL_PX) {
        if (!svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
        svg.classList.add("moving");
        const units = scale();
        box.x -= (now[0] - last[0]) * units;
        box.y -= (now[1] - last[1]) * units;
        show();
      }
    }
    fingers.set(event.pointerId, now);
  });
  const lift = (event) => {
    fingers.delete(event.pointerId);
    svg.classList.remove("moving");
  };
  for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, lift);
  svg.addEventListener("click", (event) => { if (moved > STILL_PX) event.preventDefault(); }, true);
  svg.addEventListener("dragstart", (event) => event.preventDefault());
  for (const name of ["mouseover", "focusin"]) svg.addEventListener(name, (event) => pick(event.target.closest(".node")));
  for (const name of ["mouseleave", "focusout"]) svg.addEventListener(name, () => pick(null));
  svg.addEventListener("focusin", (event) => {
    const node = event.target.closest(".node");
    if (node) stand(node, false);
  });

  const tools = figure.querySelector(".map-tools");
  tools.hidden = false;
  tools.addEventListener("click", (event) => {
    const by = event.target.closest("[data-zoom]")?.dataset.zoom;
    if (by === "0") fit();
    else if (by) zoom(Number(by));
  });
  if (svg.clientWidth < SLIM_PX) zoom(0.62);
  if (nodes.length) stand(nodes[0], false);
}

for (const figure of document.querySelectorAll("[data-map]")) animate(figure);
