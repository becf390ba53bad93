/** Plays as many cards as it can, first those that match the table. Knows no game, plays every one. */

import { Bot, type Decision, run } from "sevens-sdk";

/** One object plays one match at one seat. */
class MyBot extends Bot {
  override choose(decision: Decision): string {
    const seen = decision.observation; // all that your seat may see: zones with cards, and facts
    const hand = decision.hand; // your cards, such as ["7S", "TD"]; the first letter is the rank
    const open = seen.zones.filter((zone) => zone.owner === undefined && zone.cards.length > 0);
    const table = open.map((zone) => zone.cards.at(-1)?.charAt(0));
    const phase = seen.facts.get("phase");
    const more = phase === "auction" || phase === "bidding" ? -1 : 1; // a pass says the least

    function worth(action: string): number {
      const words = action.split(" "); // a verb and what it is done with: "play 7S"
      const mine = words.filter((word) => hand.includes(word));
      const matching = mine.filter((card) => table.includes(card.charAt(0)));
      return 100 * mine.length + 10 * matching.length + more * words.length;
    }

    const legal = this.random.shuffled(decision.legal); // equals in any order
    const best = legal.reduce((best, action) => (worth(action) > worth(best) ? action : best));
    decision.note(`${phase}: ${best} is worth ${worth(best)}`); // `arena log` shows it
    return best;
  }
}

run(MyBot);
