/** The values that a check throws, or returns instead of its sentence. */

const SHOWN = 40; // characters of a wrong value

/**
 * A text that is no record, or a record that contradicts itself.
 *
 * `field`: the path of the wrong field, such as `choices[17].action`; empty for the whole text.
 */
export class BadRecord extends Error {
  constructor(field, sentence) {
    super(field ? `${field}: ${sentence}` : sentence);
    this.field = field;
  }
}

/** The result of a check if the record, or this program, lacks something that the check needs. */
export class NotChecked {
  constructor(sentence) {
    this.sentence = sentence;
  }
}

/** Returns a text, shortened with dots if it is long. */
export function shown(text) {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}
