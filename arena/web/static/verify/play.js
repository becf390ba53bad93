/** Checks of a record's head and course that need no rules: seats, clocks, faults, times. */

import { checkDigits } from "./fairness.js";
import { BadRecord, shown } from "./findings.js";

const FORMAT = 1;
const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$/;
const KINDS_OF_FAULT = [
  "start-failed",
  "timeout",
  "disconnected",
  "crashed",
  "illegal-action",
  "protocol-error",
  "resource-limit",
];

/** Checks the version of the format, and what names the match. */
export function checkFormat(record) {
  if (record.format !== FORMAT) {
    throw new BadRecord("format", `This program reads format ${FORMAT}, not ${record.format}.`);
  }
  if (!record.match_id) throw new BadRecord("match_id", "Every match has one.");
  for (const field of ["attempt", "match_number"]) {
    if (record[field] < 1) throw new BadRecord(field, "Counts from 1.");
  }
  return `The record has format ${FORMAT}.`;
}

/** Checks entrants, teams and versions. */
export function checkSeats({ seats }) {
  const entrants = new Set();
  const teams = new Set(seats.map(({ team }) => team));
  if (seats.length === 0) throw new BadRecord("seats", "A match has at least one.");
  for (const [index, { entrant, team, version }] of seats.entries()) {
    if (version) checkDigits(`seats[${index}].version`, version);
    if (entrant >= seats.length || entrants.has(entrant)) {
      throw new BadRecord(`seats[${index}].entrant`, "Every entrant has one seat.");
    }
    entrants.add(entrant);
    if (team >= teams.size) {
      throw new BadRecord(`seats[${index}].team`, `The teams are 0 to ${teams.size - 1}.`);
    }
  }
  return "Every entrant has one seat, and the teams are numbered without a gap.";
}

/** Checks who chose, and that no seat used more time than its clock can have given. */
export function checkChoices({ choices, clock, seats, origin }) {
  const taken = takenOver(origin, choices);
  const spent = seats.map(() => 0);
  const given = seats.map(() => clock.bank_ms);
  for (const [index, { seat, milliseconds }] of choices.entries()) {
    if (seat >= seats.length) {
      throw new BadRecord(`choices[${index}].seat`, `The seats are 0 to ${seats.length - 1}.`);
    }
    if (index < taken && milliseconds > 0) {
      throw new BadRecord(`choices[${index}].milliseconds`, "Must be 0 for a choice that was taken over.");
    }
    spent[seat] += milliseconds;
    if (index >= taken) given[seat] += clock.increment_ms;
    if (spent[seat] > given[seat]) {
      throw new BadRecord(`choices[${index}].milliseconds`, "The seat's bank cannot hold as much.");
    }
  }
  const repeated = taken ? ` The first ${taken} were taken over from match ${shown(origin.match)}.` : "";
  return `All ${choices.length} choices are of one of the seats, and within its bank of time.${repeated}`;
}

/** Checks the kinds of the faults, and that the arena played from there on, in no time. */
export function checkFaults({ choices, faults, seats }) {
  if (faults.length === 0) return "There are none.";
  const faulty = new Set();
  for (const [index, fault] of faults.entries()) {
    const field = `faults[${index}]`;
    if (!KINDS_OF_FAULT.includes(fault.kind)) {
      throw new BadRecord(`${field}.kind`, `There is no fault ${shown(fault.kind)}.`);
    }
    if (fault.seat >= seats.length) {
      throw new BadRecord(`${field}.seat`, `The seats are 0 to ${seats.length - 1}.`);
    }
    if (faulty.has(fault.seat)) throw new BadRecord(`${field}.seat`, "The seat has one already.");
    faulty.add(fault.seat);
    checkPlayedByArena(field, fault, choices);
  }
  return "Each is of a known kind and its seat's only one; the seat's choices since cost no time.";
}

/** Checks that the match did not end before it began. */
export function checkTimes({ started_at: start, finished_at: finish }) {
  if (timeOf("finished_at", finish) < timeOf("started_at", start)) {
    throw new BadRecord("finished_at", "The match cannot have ended before it began.");
  }
  return "The match did not end before it began.";
}

/** Returns how many choices were taken over from the match that this one repeats. */
function takenOver(origin, choices) {
  if (origin === undefined) return 0;
  if (!origin.match) throw new BadRecord("origin.match", "A match that repeats another names it.");
  checkDigits("origin.digest", origin.digest);
  if (origin.choices > choices.length) {
    throw new BadRecord("origin.choices", `The match has only ${choices.length} choices.`);
  }
  return origin.choices;
}

function checkPlayedByArena(field, { seat, decision }, choices) {
  const own = choices.map((choice, index) => ({ ...choice, index })).filter((c) => c.seat === seat);
  if (decision > own.length) {
    throw new BadRecord(`${field}.decision`, `The seat made only ${own.length} choices.`);
  }
  for (const { index, milliseconds } of own.slice(Math.max(decision - 1, 0))) {
    if (milliseconds > 0) {
      throw new BadRecord(`choices[${index}].milliseconds`, "Must be 0 after the seat's fault.");
    }
  }
}

function timeOf(field, text) {
  const time = TIME.test(text) ? Date.parse(text) : NaN;
  // The parser takes the 30th of February for a day in March.
  if (Number.isNaN(time) || new Date(time).toISOString() !== text) {
    throw new BadRecord(field, `Must be a time like 2025-07-07T07:07:07.000Z, not ${shown(text)}.`);
  }
  return time;
}
