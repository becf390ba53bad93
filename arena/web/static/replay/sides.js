// The sides of the table on which the seats sit, as the viewer sees them.

const SIDES = {
  1: ["near"],
  2: ["near", "far"],
  3: ["near", "left", "right"],
  4: ["near", "left", "far", "right"],
};

/** Returns the side of a seat; null at a table with too many, and for who sits beyond the seats. */
export function sideOf(replay, seat) {
  const count = replay.seats.length;
  return SIDES[count]?.[(seat - (replay.seat ?? 0) + count) % count] ?? null;
}

/** Returns the class of a seat that has partners: they have one colour. */
export function sideColour(replay, seat) {
  const { team } = replay.seats[seat] ?? {};
  const isShared = replay.seats.filter((each) => each.team === team).length > 1;
  return isShared ? `side-${team % 3}` : "";
}
