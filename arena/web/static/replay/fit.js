// The size of the table: as large as the room on the screen allows, so that all of it is visible at once.

const LEAST = 0.35;
const GRAIN = 20; // sizes from one to the next whole one
const IS_SMALL = "(max-width: 62rem), (max-height: 32rem)";

/** Returns `fit()`, to be called whenever the table has been drawn, and `close()`.
 *
 *  `holder()`: what holds the table, if it is drawn. `below()`: the height of what is to be visible below it. The table shrinks when it
 *  must, and stays so, lest it jump from one decision to the next; another size of the window starts over. */
export function fitter(root, holder, below) {
  let zoom = 1;
  const set = (value) => {
    zoom = value;
    root.style.setProperty("--zoom", zoom.toFixed(2));
  };
  function fit() {
    const table = holder();
    if (!table) return;
    for (let room = roomFor(table), { height } = table.getBoundingClientRect();
      height > room && zoom > LEAST; { height } = table.getBoundingClientRect()) {
      const wanted = Math.floor(GRAIN * zoom * Math.sqrt(Math.max(0, room) / height)) / GRAIN;
      set(Math.max(LEAST, Math.min(wanted, zoom - 1 / GRAIN)));
      if (fits(table)) enlarge(table);
    }
  }
  const fits = (table) => table.getBoundingClientRect().height <= roomFor(table);
  /** Takes back what was too much: with each size, lines break elsewhere. */
  function enlarge(table) {
    const enough = zoom;
    set(enough + 1 / GRAIN);
    if (fits(table)) enlarge(table);
    else set(enough);
  }
  /** On a small screen the table comes first, and the page's head is scrolled away. */
  function roomFor(table) {
    const top = matchMedia(IS_SMALL).matches ? root.getBoundingClientRect().top : -scrollY;
    return innerHeight - (table.getBoundingClientRect().top - top) - below();
  }
  function resized() {
    set(1);
    fit();
  }
  addEventListener("resize", resized);
  return { fit, close: () => removeEventListener("resize", resized) };
}

/** Scrolls a small screen to the table, unless the visitor has scrolled already. */
export function reveal(root) {
  if (scrollY === 0 && matchMedia(IS_SMALL).matches) root.scrollIntoView();
}
