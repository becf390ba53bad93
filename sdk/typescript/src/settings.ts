/** The arena's address and the bot's settings, from the environment. */

import { readFileSync } from "node:fs";

import { type ChannelCredentials, credentials } from "@grpc/grpc-js";

/** The environment does not say where the arena is; the message names what is missing or wrong. */
export class WrongSettings extends Error {}

export interface Settings {
  readonly address: string;
  readonly token: string;
  readonly credentials: ChannelCredentials;
  readonly matchesAtOnce: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function settingsFrom(variables: Environment, matchesAtOnce: number): Settings {
  // A file of variables that was written on Windows leaves a carriage return behind each.
  const environment: Environment = Object.fromEntries(
    Object.entries(variables).map(([name, text]) => [name, text?.trim()]),
  );
  const { ARENA_ADDRESS: address, ARENA_TOKEN: token } = environment;
  if (!address || !token) {
    const missing = ["ARENA_ADDRESS", "ARENA_TOKEN"].filter((name) => !environment[name]);
    throw new WrongSettings(
      "This bot is started by the arena; to try it, in its folder: arena play xeri ." +
        ` builtin:random\n(Not set in the environment: ${missing.join(", ")}.)`,
    );
  }
  return {
    address,
    token,
    credentials: credentialsFrom(environment),
    matchesAtOnce: numberOf(environment.ARENA_MATCHES_AT_ONCE || String(matchesAtOnce)),
  };
}

function numberOf(text: string): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) {
    throw new WrongSettings(`The number of matches at once has to be 1 or more, not '${text}'.`);
  }
  return Number(text);
}

function credentialsFrom(environment: Environment): ChannelCredentials {
  const { ARENA_TLS: tls = "", ARENA_TLS_CA: authority } = environment;
  if (!["", "0", "1"].includes(tls)) {
    // Going on without TLS would send the token in clear text.
    throw new WrongSettings(`ARENA_TLS has to be 1 (with TLS) or 0 (without), not '${tls}'.`);
  }
  if (tls !== "1") {
    return credentials.createInsecure();
  }
  try {
    return credentials.createSsl(authority ? readFileSync(authority) : null);
  } catch (error) {
    throw new WrongSettings(
      `The certificates of ARENA_TLS_CA cannot be used: ${(error as Error).message}.`,
    );
  }
}
