import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { exempt, sharedThings } from "../registers/shared-things.js";
import { findSharedThings } from "./shared-calls.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const register = "test/registers/shared-things.ts";
const found = findSharedThings(root).map(({ at, what }) => ({
  at: at.replace(/^apps\/gateway\/src\//, ""),
  what,
}));
const exempted = Object.values(exempt).flat();

test("everything that keys share is in the register, with the share of a key", () => {
  expect(missingFrom(sharedThings), `add a row to ${register}`).toEqual([]);
});

test.each(sharedThings)("without its row, a place is missing: $what", (row) => {
  expect(missingFrom(sharedThings.filter((one) => one !== row))).not.toEqual([]);
});

test("every place of the register has something that is shared", () => {
  const places = [...sharedThings.flatMap(({ keptIn }) => keptIn), ...exempted];

  expect(places.filter((place) => !found.some(({ at }) => isIn(at, place)))).toEqual([]);
});

test("the tests that the register names exist", () => {
  const named = sharedThings.flatMap(({ test: one }) => (one === undefined ? [] : [one]));
  const wrong = named.filter(([file, name]) => {
    const path = join(root, file);
    return !existsSync(path) || !readFileSync(path, "utf8").includes(`"${name}"`);
  });

  expect(wrong, `correct it in ${register}`).toEqual([]);
});

/** The places that are in none of these rows, and not exempt. */
function missingFrom(rows: typeof sharedThings): string[] {
  const covered = [...rows.flatMap(({ keptIn }) => keptIn), ...exempted];
  return found
    .filter(({ at }) => !covered.some((place) => isIn(at, place)))
    .map(({ at, what }) => `${at} (${what})`);
}

/** Whether a place is the other one: a folder, a file, a class or one of its members. */
function isIn(at: string, place: string): boolean {
  if (place.endsWith("/")) return at.startsWith(place);
  return at === place || at.startsWith(place.includes("#") ? `${place}.` : `${place}#`);
}
