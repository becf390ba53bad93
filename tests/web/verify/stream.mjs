/** Asks the streams of deals one thing after another, as the test vectors do. */

import { Stream } from "../../../arena/web/static/verify/deals.js";

export function answers(requests) {
  let stream, at;
  return requests.map((request) => {
    if ("deal" in request) {
      [stream, at] = [new Stream(request.seed, request.deal), 0];
      return null;
    }
    if ("words" in request) return Array.from({ length: request.words }, (_, i) => word(stream, i));
    const asked = "pick" in request ? stream.pick(request.pick, at) : stream.shuffle(request.shuffle, at);
    at = asked.after;
    return asked.answer;
  });
}

function word(stream, place) {
  return stream.word(place).toString(16).padStart(8, "0");
}
