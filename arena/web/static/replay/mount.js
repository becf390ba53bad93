// Starts the drawing of a document in an element. Fetches nothing.

import { controls } from "./controls.js";
import { element } from "./dom.js";
import { expectation } from "./expectation.js";
import { fitter } from "./fit.js";
import { log } from "./log.js";
import { move, placesOf } from "./motion.js";
import { decisionAt, placeOf } from "./seek.js";
import { strip } from "./strip.js";
import { seek, stepSentence } from "./table.js";
import { markSentence, weigh } from "./weighed.js";

const GAP = 12; // between the parts, in pixels

/** Draws a document; returns `seekTo(index)`, and `close()`, to be called before another is drawn there.
 *
 *  `analysis`: what the decisions were worth, null if it is not known.
 *  `at`: the decision of the match to begin with, from 1; none: the first.
 *  `address(seat, at)`: the address of a moment in a view (seat null: the spectator's), or null if
 *  there is none; `moved(at)`: called after each seek. */
export function mount(root, played, { analysis = null, at = null, address = () => null, moved = () => {} } = {}) {
  const replay = weigh(played, analysis);
  let index = at === null ? 0 : placeOf(replay, at);
  const live = element("p", { class: "step", "aria-live": "polite" });
  const stage = element("div", { class: "stage-holder" });
  const choice = element("div", { class: "decision-holder" });
  const records = element("div", { class: "records-holder" });
  const views = viewLinks(replay);
  const lines = log(replay, seekTo);
  const strips = strip(replay, seekTo);
  const expected = expectation(replay, seekTo);
  const bar = controls(replay, root, {
    seekTo, current: () => index,
    link: () => address(replay.seat, decisionAt(replay, index)),
    nextView: () => {
      const shown = [...views.querySelectorAll("a")];
      const next = shown[(shown.findIndex((link) => link.hasAttribute("aria-current")) + 1) % shown.length];
      next?.click();
    },
  });

  function seekTo(place) {
    const before = place === index + 1 ? placesOf(stage) : null;
    index = place;
    const drawn = seek(replay, index);
    choice.replaceChildren(drawn.querySelector(".decision"));
    const isOpen = records.querySelector("details")?.open ?? false;
    records.replaceChildren(...drawn.querySelectorAll(".records"));
    records.querySelector("details")?.toggleAttribute("open", isOpen);
    // The table must not jump, so that a mark is seen in the decision, and only read here.
    live.replaceChildren(stepSentence(replay, index), element("span", { class: "unseen" }, ` ${markSentence(replay, replay.frames[index])}`));
    stage.replaceChildren(drawn);
    bar.show(index);
    fitted.fit();
    showChosen();
    if (before) move(before, stage);
    lines.show(index);
    strips.show(index);
    expected.show(index);
    const decision = decisionAt(replay, index);
    for (const link of views.querySelectorAll("a")) {
      link.href = address(link.dataset.seat === "" ? null : Number(link.dataset.seat), decision);
    }
    moved(decision);
  }

  /** Scrolls the list of legal actions, and nothing else, to the one that was chosen. */
  function showChosen() {
    const taken = choice.querySelector(".taken");
    if (taken) taken.parentElement.scrollTop = taken.offsetTop - 4;
  }

  new ResizeObserver(showChosen).observe(choice); // it has another size on a phone that is turned

  const side = element("aside", { class: "log", "aria-label": "Decision and log" },
    choice, address(null, 1) === null ? "" : views, element("h2", {}, "Log"), lines.element);
  // Next to the table, or between it and the bar.
  const isBelow = () => choice.getBoundingClientRect().left < stage.getBoundingClientRect().right;
  const fitted = fitter(root, () => stage, () => bar.element.offsetHeight + GAP + (isBelow() ? choice.offsetHeight + GAP : 0));
  root.classList.add("replay");
  root.replaceChildren(
    element("div", { class: "board" }, live, stage, bar.element, bar.extras, records, expected.element, strips.element), side);
  document.addEventListener("keydown", bar.key);
  seekTo(index);
  return {
    seekTo,
    close: () => {
      bar.close();
      fitted.close();
      document.removeEventListener("keydown", bar.key);
    },
  };
}

function viewLinks(replay) {
  const link = (seat, text) => element("a", {
    "data-seat": seat ?? "", "aria-current": seat === replay.seat ? "page" : null,
  }, text);
  return element("nav", { class: "views", "aria-label": "View" },
    link(null, "Spectator"), replay.seats.map((seat, number) => link(number, seat.name)));
}
