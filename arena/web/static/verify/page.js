/** Lets the sections of a page fetch the record whose address they carry, and verify it. */

import { offerVerification } from "./button.js";

for (const section of document.querySelectorAll("[data-record]")) {
  offerVerification(section, () => fetchedText(section.dataset.record));
}

async function fetchedText(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The arena answered ${answer.status}.`);
  return answer.text();
}
