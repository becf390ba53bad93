/**
 * Checks a match record as far as that is possible without the rules of its game: all that
 * follows from SHA-256, docs/records.md and docs/deals.md. `arena verify` checks the rest too.
 */

import { checkPicks, checkShuffles } from "./chance.js";
import { checkCommitment, checkNonces, checkSeatSeeds } from "./fairness.js";
import { BadRecord, NotChecked } from "./findings.js";
import { checkChoices, checkFaults, checkFormat, checkSeats, checkTimes } from "./play.js";
import { checkRanks } from "./ranking.js";
import { checkDigest, read } from "./record.js";

// In the order in which a record is read. Each takes the record and returns a sentence, or
// NotChecked; it throws BadRecord.
const CHECKS = [
  ["format", checkFormat],
  ["seats", checkSeats],
  ["commitment", checkCommitment],
  ["nonces", checkNonces],
  ["seat seeds", checkSeatSeeds],
  ["shuffles", checkShuffles],
  ["picks", checkPicks],
  ["choices", checkChoices],
  ["faults", checkFaults],
  ["ranks", checkRanks],
  ["times", checkTimes],
  ["digest", checkDigest],
  ["rules", leaveTheRules],
];

/**
 * Checks a record. `recordText`: its JSON text.
 *
 * Returns `{checks: [{name, passed, sentence}], passed}`. A check's `passed` is null if it could
 * not be made. The whole `passed` is true unless a check found something wrong.
 */
export function verify(recordText) {
  const checks = checksOf(recordText);
  return { checks, passed: checks.every((check) => check.passed !== false) };
}

function checksOf(recordText) {
  let record = null;
  const form = outcome("form", () => {
    record = read(recordText);
    return "The text is a record: every field is there, once, with its own type.";
  });
  if (record === null) return [form];
  return [form, ...CHECKS.map(([name, check]) => outcome(name, () => check(record)))];
}

function outcome(name, check) {
  try {
    const found = check();
    if (found instanceof NotChecked) return { name, passed: null, sentence: found.sentence };
    return { name, passed: true, sentence: found };
  } catch (error) {
    if (!(error instanceof BadRecord)) throw error;
    return { name, passed: false, sentence: error.message };
  }
}

function leaveTheRules() {
  return new NotChecked(
    "Only the rules can say whether every choice was legal, and whether the scores, the reason " +
      "and the number of shuffles follow from the choices: arena verify checks that too.",
  );
}
