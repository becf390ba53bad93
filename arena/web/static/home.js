// The home page: plays the moments that decided the match on show, as pictures of its table.

import { decisionAt } from "./replay/seek.js";

const STEP_MS = 1000;
const STAYS_MS = 2500; // the end of a moment
const button = document.getElementById("highlights");
const caption = document.getElementById("moment");
const picture = document.querySelector(".hero .pictured img");

if (button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    picture.scrollIntoView({ block: "center" });
    const answer = await fetch(button.dataset.replay).catch(() => null);
    if (answer?.ok) await play(await answer.json());
    else caption.textContent = "The match cannot be loaded now.";
    button.disabled = false;
  });
}

async function play(replay) {
  const { moments } = replay.highlights;
  for (const [i, [first, last]] of moments.entries()) {
    caption.textContent = `Moment ${i + 1} of ${moments.length}`;
    for (let place = first; place <= last; place += 1) {
      picture.src = `${button.dataset.picture}?at=${decisionAt(replay, place)}`;
      const drawn = picture.decode().catch(() => null); // the next one may be there again
      await Promise.all([drawn, passed(place === last ? STAYS_MS : STEP_MS)]);
    }
  }
  caption.textContent = replay.result.says;
}

function passed(milliseconds) {
  return new Promise((done) => { setTimeout(done, milliseconds); });
}
