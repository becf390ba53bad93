/** Checks the ranks. The points decide them; how a game splits equal points, only its rules say. */

import { BadRecord, NotChecked } from "./findings.js";
import { factsOf } from "./games.js";

/** Checks the ranks against the points, the teams and the faults. */
export function checkRanks({ faults, game, result, rules_version: version, seats }) {
  for (const field of ["scores", "ranks"]) {
    if (result[field].length !== seats.length) {
      throw new BadRecord(`result.${field}`, `There must be ${seats.length}, one per seat.`);
    }
  }
  const facts = factsOf(game, version);
  if (facts === null) {
    return new NotChecked(`This program does not know who wins ${game} by rules ${version}.`);
  }
  const atFault = new Set(faults.map(({ seat }) => seat));
  checkOrder(
    seats.map(({ team }, seat) => ({
      team,
      rank: result.ranks[seat],
      atFault: atFault.has(seat),
      merit: facts.fewestWin ? -result.scores[seat] : result.scores[seat],
    })),
  );
  return "The ranks agree with the scores, the teams and the faults.";
}

/** Throws BadRecord for the first seat whose rank contradicts the others. */
export function checkOrder(seats) {
  const standings = seats.map(({ team }) => standingOf(team, seats));
  for (const [i, own] of seats.entries()) {
    const refuse = (sentence) => {
      throw new BadRecord(`result.ranks[${i}]`, sentence);
    };
    const better = seats.filter(({ rank }) => rank < own.rank).length;
    if (own.rank !== better + 1) refuse(`Must be ${better + 1}, after ${better} better seats.`);
    for (const [j, other] of seats.entries()) {
      if (own.team === other.team && own.rank !== other.rank) {
        refuse(`Must be that of seat ${j}, which is of the same team.`);
      }
      if (isBetter(standings[j], standings[i]) && other.rank >= own.rank) {
        refuse(`Must be below that of seat ${j}, by scores and faults.`);
      }
    }
  }
}

/** Returns the standing of a team: that of its worst seat. */
function standingOf(team, seats) {
  return seats
    .filter((seat) => seat.team === team)
    .reduce((worst, seat) => (isBetter(worst, seat) ? seat : worst));
}

/** Returns whether one standing is above another. Seats at fault are below all others. */
function isBetter(one, other) {
  return one.atFault === other.atFault ? one.merit > other.merit : other.atFault;
}
