// The possible choices: buttons, reached by clicking cards or by keys.

// A click on such a pile may mean these, besides what names the pile or its cards.
const VERBS = { stock: ["draw", "turn"], pile: ["take"] };
const CLICKED = ["[data-card]", "[data-part]", "[data-zone]"]; // the smallest first
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Makes the buttons and the drawn cards answer clicks and keys. `send(form, button)` is called with
 *  what was chosen. Returns `drawn()`, to be called when the cards are drawn, and `end()`. */
export function choices(sitting, drawing, send) {
  const form = sitting.querySelector("form.choices");
  if (!form) return { drawn() {}, end() {} };
  const buttons = [...form.querySelectorAll("button")];
  const selected = new Map(); // elements clicked, with the words that each may stand for

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, event.submitter ?? buttons[0]);
  });
  drawing?.addEventListener("click", ({ target }) => {
    const clicked = CLICKED.map((one) => target.closest(one)).find(Boolean);
    if (!clicked) return;
    if (selected.has(clicked)) selected.delete(clicked);
    else select(clicked);
    const left = offered();
    if (selected.size && left.length === 1) send(form, left[0]);
    else narrow(left);
  });

  function select(clicked) {
    selected.set(clicked, wordsOf(clicked));
    if (offered().length) return;
    selected.clear(); // it begins another choice
    selected.set(clicked, wordsOf(clicked));
    if (!offered().length) selected.clear();
  }
  function offered() {
    return buttons.filter((button) => [...selected.values()].every((words) => means(button, words)));
  }
  function narrow(left) {
    for (const button of buttons) button.hidden = !left.includes(button);
    for (const card of drawing.querySelectorAll(".picked")) card.classList.remove("picked");
    for (const card of selected.keys()) card.classList.add("picked");
  }

  function key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || isTaken(event.target)) return;
    const there = buttons.filter((button) => !button.hidden);
    const at = there.indexOf(document.activeElement);
    let next = null;
    if (event.key in STEPS) next = there[(at + STEPS[event.key] + there.length) % there.length];
    else if (event.key === "Escape") { selected.clear(); if (drawing) narrow(buttons); }
    else if (/^[\p{L}\p{N}]$/u.test(event.key)) next = startingWith(there, at, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
  document.addEventListener("keydown", key);
  return {
    drawn: () => markClickable(drawing, buttons),
    end: () => document.removeEventListener("keydown", key),
  };
}

/** Returns the words that an element of the drawing may stand for in an action, the verbs of actions
 *  without words, and how other actions begin that it may mean. */
function wordsOf(clicked) {
  const zone = clicked.closest("[data-zone]");
  const named = clicked.dataset.card ? [clicked.dataset.card] : [];
  if (zone.dataset.clicks !== undefined) return { named, verbs: [], begun: beginningsOf(zone, clicked) };
  const name = zone.dataset.zone;
  const kind = Object.keys(VERBS).find((each) => zone.classList.contains(each));
  return { named: [...named, name, name.split("-").at(-1)], verbs: VERBS[kind] ?? [], begun: [] };
}

function beginningsOf(zone, clicked) {
  const part = clicked.closest("[data-part]")?.dataset.part ?? "*";
  const texts = zone.dataset.clicks.split("|").filter(Boolean);
  return texts.map((text) => text.replace("{part}", part).split(" "));
}

function means(button, { named, verbs, begun }) {
  const action = button.dataset.action.split(" ");
  const [verb, ...words] = action;
  return words.some((word) => named.includes(word)) || (!words.length && verbs.includes(verb))
    || begun.some((beginning) => beginning.every((word, i) => word === action[i] || (word === "*" && i < action.length)));
}

function markClickable(drawing, buttons) {
  for (const one of drawing?.querySelectorAll(CLICKED.join(", ")) ?? []) {
    if (buttons.some((button) => means(button, wordsOf(one)))) one.classList.add("clickable");
  }
}

function startingWith(buttons, at, letter) {
  const wanted = letter.toLowerCase();
  const inTurn = [...buttons.slice(at + 1), ...buttons.slice(0, at + 1)];
  return inTurn.find((button) => button.textContent.trim().toLowerCase().startsWith(wanted));
}

/** Returns whether an element needs the keys itself. */
function isTaken(element) {
  return element instanceof Element && element.matches("input, select, textarea, summary, a");
}
