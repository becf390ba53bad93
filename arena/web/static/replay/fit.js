// The size of the table: as large as the room on the screen allows, so that all of it is visible at once.

const WHOLE = 20; // the size of the drawing itself, in whose twentieths all sizes are
const LEAST = 7;
const IS_SMALL = "(max-width: 62rem), (max-height: 32rem)";

/** Returns `fit()`, to be called whenever the table has been drawn, and `close()`.
 *
 *  `holder()`: what holds the table, if it is drawn. `below()`: the height of what is to be visible below it. The table shrinks when it
 *  must, and stays so, lest it jump from one decision to the next; another size of the window starts over. */
export function fitter(root, holder, below) {
  let size = WHOLE;
  const set = (value) => {
    size = value;
    root.style.setProperty("--zoom", (size / WHOLE).toFixed(2));
  };
  /** Tries few sizes: all of the table is laid out in each. */
  function fit() {
    const table = holder();
    if (!table) return;
    let tooLarge = null;
    for (let excess = excessOf(table); excess > 1 && size > LEAST; excess = excessOf(table)) {
      tooLarge = size;
      set(Math.max(LEAST, Math.min(Math.floor(size / Math.sqrt(excess)), size - 1)));
    }
    // Takes back what was too much: with each size, lines break elsewhere.
    while (tooLarge !== null && size + 1 < tooLarge) {
      set(size + 1);
      if (excessOf(table) > 1) tooLarge = size;
    }
    if (size === tooLarge) set(size - 1);
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
    fit();
  }
  addEventListener("resize", resized);
  return { fit, close: () => removeEventListener("resize", resized) };
}

/** Scrolls a small screen to the table, unless the visitor has scrolled already. */
export function reveal(root) {
  if (scrollY === 0 && matchMedia(IS_SMALL).matches) root.scrollIntoView();
}
