/**
 * Reads JSON and forgives nothing. `JSON.parse` takes the last of two equal names and 7.0 for 7,
 * but two readers of a record must never disagree about what it says.
 */

import { BadRecord, shown } from "./findings.js";

const DEEPEST = 8; // a record has four levels
const SPACE = /[ \t\n\r]*/y;
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const INTEGER = /-?(?:0|[1-9][0-9]{0,9})(?![0-9.eE])/y;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns the value of a JSON text of objects, lists, strings and integers. Throws BadRecord. */
export function parsed(text) {
  const reader = new Reader(text);
  const value = reader.value("", 0);
  reader.skip(SPACE);
  if (reader.at < text.length) reader.refuse("", "the end");
  return value;
}

class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  value(path, depth) {
    if (depth > DEEPEST) throw new BadRecord("", "The JSON is nested too deeply for a record.");
    this.skip(SPACE);
    switch (this.text[this.at]) {
      case "{":
        return this.object(path, depth);
      case "[":
        return this.list(path, depth);
      case '"':
        return this.string(path);
      default:
        return this.integer(path);
    }
  }

  object(path, depth) {
    const found = new Map();
    this.sequence("{", "}", () => {
      this.skip(SPACE);
      const name = this.string(path);
      const inside = path ? `${path}.${shown(name)}` : shown(name);
      if (found.has(name)) throw new BadRecord(inside, "The name appears twice in one object.");
      this.skip(SPACE);
      this.expect(":", path);
      found.set(name, this.value(inside, depth + 1));
    });
    return found;
  }

  list(path, depth) {
    const found = [];
    this.sequence("[", "]", () => found.push(this.value(`${path}[${found.length}]`, depth + 1)));
    return found;
  }

  /** Reads items with commas between them, and what is around them. */
  sequence(opening, closing, readItem) {
    this.expect(opening);
    this.skip(SPACE);
    if (this.text[this.at] !== closing) {
      readItem();
      for (this.skip(SPACE); this.text[this.at] === ","; this.skip(SPACE)) {
        this.at++;
        readItem();
      }
    }
    this.expect(closing);
  }

  string(path) {
    const literal = this.skip(STRING) ?? this.refuse(path, "a text in quotes");
    const string = JSON.parse(literal);
    if (LONE_SURROGATE.test(string)) {
      throw new BadRecord(path, "This must be a text of Unicode characters.");
    }
    return string;
  }

  integer(path) {
    const digits = this.skip(INTEGER);
    if (digits === null || digits === "-0") this.refuse(path, "an integer in plain digits");
    return Number(digits);
  }

  expect(character, path = "") {
    if (this.text[this.at] !== character) this.refuse(path, character);
    this.at++;
  }

  /** Goes past what the sticky pattern matches here, and returns it; or null. */
  skip(pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return null;
    this.at += match[0].length;
    return match[0];
  }

  refuse(path, right) {
    const found = this.text.slice(this.at, this.at + 100) || "the end";
    throw new BadRecord(path, `Here must be ${right}, not ${shown(found)}.`);
  }
}
