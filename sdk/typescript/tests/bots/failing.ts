/** Fails in the match "m2"; in "slow" it blocks its process. */

import { Bot, type Choice, run } from "../../src/index.js";

class FailingBot extends Bot {
  override choose(): Choice {
    if (this.match.id === "m2") {
      throw new RangeError("at 2 a.m.");
    }
    const end = performance.now() + (this.match.id === "slow" ? 500 : 0);
    while (performance.now() < end);
    return 0;
  }
}

run(FailingBot, { matchesAtOnce: 3 });
