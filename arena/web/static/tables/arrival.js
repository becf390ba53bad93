// The others' moves since the person chose: tricks that have ended, then the cards of the table as it is
// now, one after another. A click or a key skips them.

import { move, placesOf } from "../replay/motion.js";

const APART_MS = 600;
const MOST_MS = 4000; // for all cards
const STAYS_MS = 1500; // a trick that is over

/** Draws the frames one after another, the first at once; returns `end()`.
 *
 *  `draw(place)`: draws a frame; the last one is what the table is now. `before`: the places of the cards
 *  drawn before, null if there were none. `turns`: the cards in the order in which they were played. */
export function arrival(drawing, frames, { draw, before, turns }) {
  const apart = Math.min(APART_MS, MOST_MS / Math.max(1, turns.length));
  let place = before ? -1 : frames - 2;
  let waiting = null;
  let moving = [];

  function next() {
    const from = place < 0 ? before : placesOf(drawing);
    place += 1;
    draw(place);
    moving = before ? move(from, drawing, turns, apart) : [];
    const isLast = place === frames - 1;
    Promise.all(moving.map((each) => each.finished)).then(
      () => { waiting = isLast ? over() : setTimeout(next, STAYS_MS); },
      () => {}, // cancelled, since the table has been drawn again
    );
  }
  function over() {
    removeEventListener("keydown", skip);
    removeEventListener("click", skip, true);
    drawing.removeAttribute("data-moving");
    return null;
  }
  function skip(event) {
    if (event.type === "click" && drawing.contains(event.target)) event.stopPropagation(); // it meant no card
    clearTimeout(waiting);
    for (const each of moving) each.finish();
    if (place < frames - 1) { place = frames - 1; draw(place); }
    over();
  }

  drawing.toggleAttribute("data-moving", true);
  addEventListener("keydown", skip);
  addEventListener("click", skip, true);
  next();
  return {
    end() {
      clearTimeout(waiting);
      for (const each of moving) each.cancel();
      over();
    },
  };
}
