// The moment at a place: a pure function of the document and the place.

/** Returns the frame at a place with all its zones and facts.
 *
 *  `zones`: by zone, its `cards` and the number `hidden`. `facts`: as the rules have them; `said`: as
 *  people are shown them, a text, or one for each seat or team. */
export function frameAt(replay, index) {
  const zones = new Map();
  const facts = new Map();
  const said = new Map();
  for (const frame of replay.frames.slice(0, index + 1)) {
    merge(zones, frame.zones);
    merge(facts, frame.facts);
    merge(said, frame.said);
  }
  const shown = [...zones].sort(([a], [b]) => a - b).map(([place, [cards, hidden]]) => [
    Number(place),
    { cards: cards ? cards.split(" ") : [], hidden },
  ]);
  return {
    index,
    entry: replay.frames[index],
    before: replay.frames[index - 1] ?? null,
    isEnd: index === replay.frames.length - 1,
    zones: new Map(shown),
    facts,
    said: Object.keys(replay.facts).filter((name) => said.has(name))
      .map((name) => ({ ...replay.facts[name], name, value: said.get(name) })),
  };
}

function merge(values, changes) {
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) values.delete(key);
    else values.set(key, value);
  }
}

/** Returns the place of the first frame at or after a decision of the match, counted from 1. */
export function placeOf(replay, decision) {
  const place = replay.frames.slice(0, -1).findIndex((frame) => frame.decision >= decision);
  return place < 0 ? replay.frames.length - 1 : place;
}

/** Returns the decision of the match at a place; one more than there are at the end. */
export function decisionAt(replay, index) {
  return replay.frames[index].decision ?? replay.decisions + 1;
}
