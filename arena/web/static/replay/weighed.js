// The analysis of a match in the frames of its document.

export const MARKS = { blunder: "??", mistake: "?", inaccuracy: "?!" };

/** Returns the document with what an analysis says of its decisions: `weighed` in their frames, and the
 *  places of their marks. Without an analysis, it is the document itself. */
export function weigh(replay, analysis) {
  if (!analysis) return replay;
  const weighed = new Map(analysis.decisions.map((one) => [one.decision, one]));
  const frames = replay.frames.map((frame) => (
    weighed.has(frame.decision) ? { ...frame, weighed: weighed.get(frame.decision) } : frame));
  const places = (mark) => frames.flatMap((frame, index) => (frame.weighed?.mark === mark ? [index] : []));
  const marks = Object.fromEntries(Object.keys(MARKS).map((mark) => [mark, places(mark)]));
  return { ...replay, analysis, frames, marks: { ...replay.marks, ...marks } };
}

/** Returns the places of all marks of a seat's decisions; of all seats for null. */
export function markedPlaces(replay, seat) {
  return replay.frames.flatMap((frame, index) => (
    frame.weighed?.mark && (seat === null || frame.seat === seat) ? [index] : []));
}

/** Returns the action that was better than a marked one, null if the decision has no mark. */
export function betterAction({ weighed }) {
  return weighed?.mark ? weighed.actions[0].action : null;
}

/** Returns a mark with its action in a sentence; empty without a mark. */
export function markSentence(replay, frame) {
  const better = betterAction(frame);
  if (better === null) return "";
  const { mark, loss } = frame.weighed;
  return `${capital(mark)}: ${replay.choices[better]} was better by ${estimate(loss)} of a rank.`;
}

/** Returns a mean with its standard error, given as a pair, which no line break parts. */
export function estimate([mean, error], places = 2) {
  return `${mean.toFixed(places).replace("-", "−")}\u00a0±\u00a0${error.toFixed(places)}`;
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}
