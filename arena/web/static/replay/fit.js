// The size of the table: as large as the room on the screen allows, so that all of it is visible at once.

const WHOLE = 20; // the size of the drawing itself, in whose twentieths all sizes are
const LEAST = 5; // columns of a long match of Russian Bank, on a phone on its side
const IS_SMALL = "(max-width: 62rem), (max-height: 32rem)";

/** Returns `fit()`, to be called whenever the table has been drawn, and `close()`.
 *
 *  `holder()`: what holds the table, if it is drawn. `below()`: the height of what is to be visible below it. The table shrinks when it
 *  must, and stays so, lest it jump from one decision to the next; another size of the window starts over. */
export function fitter(root, holder, below) {
  let size = WHOLE;
  let isNew = true; // no size has been found for this window
  const set = (value) => {
    size = value;
    root.style.setProperty("--zoom", (size / WHOLE).toFixed(2));
  };
  function fit() {
    const table = holder();
    if (!table) return;
    table.classList.toggle("sketched", isNew); // what is on the cards takes longer to lay out than the table
    search(table);
    table.classList.remove("sketched");
    isNew = false;
  }
  /** Tries few sizes: all of the table is laid out in each. */
  function search(table) {
    const attempt = (value) => {
      set(value);
      return { size, excess: excessOf(table) };
    };
    let tooLarge = null;
    let largest = { size, excess: excessOf(table) };
    while (largest.excess > 1 && largest.size > LEAST) {
      tooLarge = largest;
      largest = attempt(Math.max(LEAST, Math.min(Math.floor(size / Math.sqrt(largest.excess)), size - 1)));
    }
    if (tooLarge === null || largest.excess > 1) return;
    // Takes back what was too much: with each size, lines break elsewhere.
    for (let next = between(largest, tooLarge); next > largest.size; next = between(largest, tooLarge)) {
      const tried = attempt(next);
      if (tried.excess > 1) tooLarge = tried;
      else largest = tried;
    }
    if (size !== largest.size) set(largest.size);
  }
  /** Returns how many times the room that there is the table needs in height. */
  function excessOf(table) {
    return table.getBoundingClientRect().height / Math.max(1, roomFor(table));
  }
  /** On a small screen the table comes first, and the page's head is scrolled away. */
  function roomFor(table) {
    const top = matchMedia(IS_SMALL).matches ? root.getBoundingClientRect().top : -scrollY;
    return innerHeight - (table.getBoundingClientRect().top - top) - below();
  }
  function resized() {
    set(WHOLE);
    isNew = true;
    fit();
  }
  addEventListener("resize", resized);
  return { fit, close: () => removeEventListener("resize", resized) };
}

/** Returns the size at which a table fills the room, on a line from one that fits to one that does not; the line misleads over many sizes. */
function between(fits, tooLarge) {
  const sizes = tooLarge.size - fits.size;
  const share = (1 - fits.excess) / (tooLarge.excess - fits.excess);
  return fits.size + Math.max(Math.floor(share * sizes), sizes > 3 ? 1 : 0);
}

/** Scrolls a small screen to the table, unless the visitor has scrolled already. */
export function reveal(root) {
  if (scrollY === 0 && matchMedia(IS_SMALL).matches) root.scrollIntoView();
}
