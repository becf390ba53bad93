/** Counts its decisions and answers at random; in the match "slow" it thinks for a while. */

import { setTimeout as pause } from "node:timers/promises";

import { Bot, type Decision, run } from "../../src/index.js";

class CountingBot extends Bot {
  private asked = 0;

  override async choose(decision: Decision): Promise<number> {
    this.asked += 1;
    decision.note(`${this.asked} ${this.match.resumed} ${this.random.random()}`);
    if (this.match.id === "slow") {
      await pause(300);
    }
    return this.random.integer(decision.legal.length);
  }
}

run(CountingBot, { matchesAtOnce: 3 });
