/** A record's fields, its canonical form and its digest. By docs/records.md. */

import { BadRecord, shown } from "./findings.js";
import { hex, utf8 } from "./bytes.js";
import { sha256 } from "./sha256.js";
import { parsed } from "./strict_json.js";

const SIZE_LIMIT_BYTES = 16 * 1024 * 1024;

const TEXT = { means: "a text", accepts: (value) => typeof value === "string" };
const UNSIGNED = integer(0, 2 ** 32 - 1);
const SIGNED = integer(-(2 ** 31), 2 ** 31 - 1);
const TEXTS_BY_NAME = Symbol("an object with texts");

const FIELDS = {
  format: UNSIGNED,
  match_id: TEXT,
  job_id: TEXT,
  attempt: UNSIGNED,
  match_number: UNSIGNED,
  game: TEXT,
  rules_version: UNSIGNED,
  options: TEXTS_BY_NAME,
  clock: { bank_ms: UNSIGNED, increment_ms: UNSIGNED },
  seats: [
    { bot: TEXT, version: TEXT, team: UNSIGNED, entrant: UNSIGNED, seed: TEXT, nonce: TEXT },
  ],
  deal_source: { commitment: TEXT, secret: TEXT, seed_text: TEXT },
  shuffles: [{ cards: [TEXT] }],
  picks: [UNSIGNED],
  choices: [{ seat: UNSIGNED, action: TEXT, milliseconds: UNSIGNED }],
  faults: [{ seat: UNSIGNED, kind: TEXT, decision: UNSIGNED, sentence: TEXT }],
  result: { scores: [SIGNED], ranks: [UNSIGNED], reason: TEXT },
  started_at: TEXT,
  finished_at: TEXT,
  arena: TEXT,
  digest: TEXT,
  origin: { match: TEXT, digest: TEXT, choices: UNSIGNED },
};
const NOT_ALWAYS = new Set(["origin"]); // written only where there is one

/**
 * Returns the record that a JSON text contains, as an object of plain values, `options` a Map.
 *
 * Its spaces and order need not be canonical. Throws BadRecord unless every field is there, once,
 * with its own type.
 */
export function read(text) {
  if (utf8(text).length > SIZE_LIMIT_BYTES) {
    throw new BadRecord("", `A record has at most ${SIZE_LIMIT_BYTES} bytes; this is larger.`);
  }
  return checked(parsed(text), FIELDS, "");
}

/** Returns the canonical form of a record: sorted names, no spaces, every field. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object") return JSON.stringify(value); // escapes as the canonical form does
  const fields = value instanceof Map ? [...value] : Object.entries(value);
  fields.sort(([one], [other]) => (one < other ? -1 : 1));
  const texts = fields.map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`);
  return `{${texts.join(",")}}`;
}

/** Returns the SHA-256, in hexadecimal, of the canonical form without the field `digest`. */
export function digestOf({ digest, ...rest }) {
  return hex(sha256(utf8(canonical(rest))));
}

/** Checks that nothing was changed after the digest was made. */
export function checkDigest(record) {
  const right = digestOf(record);
  if (record.digest !== right) {
    throw new BadRecord("digest", `The content gives ${right}, not ${shown(record.digest)}.`);
  }
  return "The digest is the SHA-256 of everything else in the record.";
}

function checked(value, kind, path) {
  if (kind === TEXTS_BY_NAME) return checkedMap(value, path);
  if (Array.isArray(kind)) return checkedList(value, kind[0], path);
  if ("accepts" in kind) {
    if (!kind.accepts(value)) throw wrong(path, kind.means, value);
    return value;
  }
  return checkedObject(value, kind, path);
}

function checkedMap(value, path) {
  if (!(value instanceof Map)) throw wrong(path, "an object", value);
  for (const [name, item] of value) checked(item, TEXT, within(path, name));
  return value;
}

function checkedList(value, kind, path) {
  if (!Array.isArray(value)) throw wrong(path, "a list", value);
  return value.map((item, index) => checked(item, kind, `${path}[${index}]`));
}

function checkedObject(value, fields, path) {
  if (!(value instanceof Map)) throw wrong(path, "an object", value);
  for (const name of value.keys()) {
    if (!Object.hasOwn(fields, name)) {
      throw new BadRecord(within(path, name), "A record has no such field.");
    }
  }
  const found = {};
  for (const [name, kind] of Object.entries(fields)) {
    if (!value.has(name) && NOT_ALWAYS.has(name)) continue;
    if (!value.has(name)) throw new BadRecord(within(path, name), "The field is missing.");
    found[name] = checked(value.get(name), kind, within(path, name));
  }
  return found;
}

function integer(least, most) {
  return {
    means: `an integer from ${least} to ${most}`,
    accepts: (value) => typeof value === "number" && least <= value && value <= most,
  };
}

function within(path, name) {
  return path ? `${path}.${shown(name)}` : shown(name);
}

function wrong(path, right, value) {
  return new BadRecord(path, `This must be ${right}, not ${shown(canonical(value))}.`);
}
