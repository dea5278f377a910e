// Keys for reviewers: j and k go on and back, o opens, a takes, ? shows the keys.
// All of it is there without this file too, as links and buttons.
"use strict";

(() => {
  const keys = document.getElementById("keys");
  const lines = Array.from(document.querySelectorAll("[data-line]"));
  if (keys) keys.hidden = false;

  const isTyping = (target) =>
    target instanceof Element && target.closest("input, textarea, select") !== null;

  const place = () => lines.findIndex((line) => line.contains(document.activeElement));

  // In the queue the focus moves from line to line; on a report's page the links lead on.
  const go = (step, rel) => {
    if (lines.length) {
      const now = place();
      const next = now < 0 ? (step > 0 ? 0 : lines.length - 1) : now + step;
      const line = lines[Math.max(0, Math.min(lines.length - 1, next))];
      line.querySelector("[data-open]").focus();
      line.scrollIntoView({ block: "nearest" });
      return;
    }
    const link = document.querySelector(`main a[rel="${rel}"]`);
    if (link) link.click();
  };

  const open = () => {
    if (lines.length) {
      const line = lines[place()];
      if (line) line.querySelector("[data-open]").click();
      return;
    }
    const source = document.getElementById("source");
    if (source) source.focus();
  };

  const take = () => {
    const button = lines.length
      ? lines[place()]?.querySelector("[data-take]")
      : document.getElementById("take");
    if (button) button.click();
  };

  const help = () => {
    if (!keys) return;
    keys.open = !keys.open;
    if (keys.open) keys.querySelector("summary").focus();
  };

  const strokes = {
    j: () => go(1, "next"),
    k: () => go(-1, "prev"),
    o: open,
    a: take,
    "?": help,
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const stroke = strokes[event.key];
    if (!stroke) return;
    event.preventDefault();
    stroke();
  });
})();
