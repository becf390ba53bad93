/** The button that verifies a record in the page, and lists what was found. */

import { verify } from "./verify.js";

const OUTCOMES = new Map([
  [true, { mark: "✓", word: "passed", look: "good" }],
  [false, { mark: "✗", word: "failed", look: "bad" }],
  [null, { mark: "–", word: "not checked", look: "muted" }],
]);

/**
 * Makes the button of a section from `match/verify.html` work.
 *
 * `recordText`: returns the record's JSON text, or a promise of it.
 */
export function offerVerification(section, recordText) {
  const button = section.querySelector("button");
  const answer = section.querySelector("[aria-live]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    answer.replaceChildren(element("p", "", "Checking…"));
    answer.replaceChildren(...(await findings(recordText)));
    button.disabled = false;
  });
}

async function findings(recordText) {
  let text;
  try {
    text = await recordText();
  } catch (error) {
    return [element("p", "bad", `The record could not be fetched. ${error.message}`)];
  }
  const { checks, passed } = verify(text);
  const list = element("ul", "findings");
  list.append(...checks.map(item));
  return [element("p", passed ? "good" : "bad", summary(checks)), list];
}

function summary(checks) {
  const failed = checks.filter((check) => check.passed === false).map((check) => check.name);
  if (failed.length === 0) return "All that can be checked here is true.";
  return `This record is not true. What failed: ${failed.join(", ")}.`;
}

function item({ name, passed, sentence }) {
  const { mark, word, look } = OUTCOMES.get(passed);
  const found = element("li", "");
  const sign = element("span", "", `${mark} `);
  sign.setAttribute("aria-hidden", "true");
  found.append(element("strong", look, ""), ` ${sentence}`);
  found.firstChild.append(sign, `${name} ${word}:`);
  return found;
}

function element(tag, look, text = "") {
  const made = document.createElement(tag);
  made.className = look;
  made.textContent = text;
  return made;
}
