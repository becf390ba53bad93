/** Chooses any legal action, in every game. */

import { Bot, type Decision, run } from "sevens-sdk";

class RandomBot extends Bot {
  override choose(decision: Decision): string {
    return this.random.choice(decision.legal);
  }
}

run(RandomBot);
