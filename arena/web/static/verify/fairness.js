/** Checks by docs/records.md that the arena chose no chance: commitment, nonces, seeds. */

import { fromHex, hex, utf8 } from "./bytes.js";
import { commitmentOf, dealSeed, seatSeed } from "./deals.js";
import { BadRecord, NotChecked, shown } from "./findings.js";

const DIGEST = /^[0-9a-f]{64}$/;
const NONCE = /^(?:[0-9a-f]{2}){0,32}$/;
const UNREVEALED = "The secret is not revealed yet.";

/** Checks that the secret is the one that the seats were sent the SHA-256 of. */
export function checkCommitment({ deal_source: source }) {
  if (source.seed_text) {
    for (const field of ["commitment", "secret"]) {
      if (source[field]) {
        throw new BadRecord(`deal_source.${field}`, "Must be empty where there is a seed text.");
      }
    }
    return new NotChecked("Nothing was committed to: the deals follow from a text known before.");
  }
  if (!source.commitment) {
    throw new BadRecord("deal_source.commitment", "There must be a commitment, or a seed text.");
  }
  checkDigits("deal_source.commitment", source.commitment);
  if (!source.secret) return new NotChecked(UNREVEALED);
  checkDigits("deal_source.secret", source.secret);
  const right = hex(commitmentOf(fromHex(source.secret)));
  if (right !== source.commitment) {
    throw new BadRecord(
      "deal_source",
      `The SHA-256 of the secret is ${right}, not the commitment ${source.commitment}.`,
    );
  }
  return "The secret is the one committed to: its SHA-256 is the commitment.";
}

/** Checks the form of the entrants' nonces. Whether they went into the deals, the shuffles show. */
export function checkNonces({ deal_source: source, seats }) {
  for (const [index, { nonce }] of seats.entries()) {
    const field = `seats[${index}].nonce`;
    if (source.seed_text && nonce) {
      throw new BadRecord(field, "Must be empty where there is a seed text.");
    }
    if (!NONCE.test(nonce)) {
      throw new BadRecord(field, "Must be at most 32 bytes in lower-case hexadecimal digits.");
    }
  }
  const given = seats.filter(({ nonce }) => nonce).length;
  if (source.seed_text) return "No entrant gave a nonce, and none was asked for.";
  return `Nonces of ${given} of the ${seats.length} entrants are part of the seed of the deals.`;
}

/** Checks each seat's own random seed. */
export function checkSeatSeeds({ deal_source: source, match_number: match, seats }) {
  seats.forEach(({ seed }, index) => checkDigits(`seats[${index}].seed`, seed));
  const root = rootOf(source);
  if (root === null) return new NotChecked(UNREVEALED);
  for (const [index, { seed }] of seats.entries()) {
    const right = hex(seatSeed(root, match, index));
    if (seed !== right) {
      throw new BadRecord(`seats[${index}].seed`, `By ${nameOf(source)} it is ${right}.`);
    }
  }
  return `Each seat's own random seed follows from ${nameOf(source)}.`;
}

/** Returns the seed of the deals in bytes, or null while the secret is not revealed. */
export function seedOfDeals({ deal_source: source, seats }) {
  const root = rootOf(source);
  if (root === null || source.seed_text) return root;
  const byEntrant = [...seats].sort((one, other) => one.entrant - other.entrant);
  return dealSeed(root, byEntrant.map(({ nonce }) => fromHex(nonce)));
}

/** Throws BadRecord unless the text is 64 hexadecimal digits. */
export function checkDigits(field, text) {
  if (!DIGEST.test(text)) {
    throw new BadRecord(field, `Must be 64 lower-case hexadecimal digits, not ${shown(text)}.`);
  }
}

function rootOf(source) {
  if (source.seed_text) return utf8(source.seed_text);
  return source.secret ? fromHex(source.secret) : null;
}

function nameOf(source) {
  return source.seed_text ? "the seed text" : "the secret";
}
