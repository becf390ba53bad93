/** Makes the calls that a JSON list on stdin names, and writes their answers. See javascript.py. */

import { text } from "node:stream/consumers";

const asked = JSON.parse(await text(process.stdin), (_, value) =>
  typeof value?.hex === "string" ? Uint8Array.from(Buffer.from(value.hex, "hex")) : value,
);
const answers = [];
for (const call of asked) {
  const module = await import(call.module);
  try {
    answers.push(module[call.function](...call.arguments) ?? null);
  } catch (error) {
    answers.push({ thrown: error.message });
  }
}
process.stdout.write(
  JSON.stringify(answers, (_, value) =>
    value instanceof Uint8Array ? { hex: Buffer.from(value).toString("hex") } : value,
  ),
);
