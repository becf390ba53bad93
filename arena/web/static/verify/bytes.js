/** Texts, numbers and hexadecimal digits as bytes. */

const ENCODER = new TextEncoder();

/** Returns the UTF-8 of a text. */
export function utf8(text) {
  return ENCODER.encode(text);
}

/** Returns bytes as lower-case hexadecimal digits. */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the bytes that hexadecimal digits stand for; the digits must be in pairs. */
export function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Returns a number as 4 bytes, the highest first. */
export function uint32(number) {
  return Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);
}

/** Returns several arrays of bytes as one. */
export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
