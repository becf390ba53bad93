// The look of the cards: stored in the browser, for readers who cannot distinguish red from green.

import { element } from "./dom.js";

const CHOICES = [["four", "4 colours", "4 colours for the suits"], ["letters", "Letters", "Letters for the suits"]];

/** Returns the switches, and applies what was chosen before. */
export function preferences(root) {
  return element("span", { class: "switches" }, CHOICES.map(([name, text, label]) => {
    const key = `cards-${name}`;
    const switched = element("button", { type: "button", title: label, "aria-label": label }, text);
    const apply = (isOn) => {
      root.toggleAttribute(`data-${name}`, isOn);
      switched.setAttribute("aria-pressed", String(isOn));
    };
    apply(stored(key) === "on");
    switched.addEventListener("click", () => {
      const isOn = !root.hasAttribute(`data-${name}`);
      store(key, isOn ? "on" : "off");
      apply(isOn);
    });
    return switched;
  }));
}

// A frame of another site, or a private window, may have no storage.
function stored(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

function store(key, value) {
  try { localStorage.setItem(key, value); } catch { /* the choice lasts as long as the page */ }
}
