import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parsers } from "../foreign-text/parsers.js";
import { exempt, foreignText } from "../registers/foreign-text.js";
import { findForeignText } from "./foreign-calls.js";
import { namesIn } from "./source-calls.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const register = "test/registers/foreign-text.ts";
const found = findForeignText(root).map(({ at, what }) => ({ at: shortOf(at), what }));
const exempted = Object.values(exempt).flat();

test("every parser of foreign text is in the register, with its bound and its worst megabyte", () => {
  expect(missingFrom(foreignText.flatMap(({ read }) => read)), `add a row to ${register}`).toEqual([]);
});

test.each(foreignText)("without the row of $test.1, a parser is missing or untested", (row) => {
  const others = foreignText.filter((one) => one !== row);
  const isTestNamed = others.some(({ test: [file, name] }) => file === row.test[0] && name === row.test[1]);
  const isFound = missingFrom(others.flatMap(({ read }) => read)).length > 0;

  expect(isFound || !isTestNamed).toBe(true);
});

test("what the register names exists: files, functions and tests", () => {
  const places = [...foreignText.flatMap(({ read }) => read), ...exempted];
  const wrong = [
    ...places.filter((place) => !isThere(place)),
    ...foreignText.filter(({ test: named }) => !hasTest(...named)).map(({ test: named }) => named.join(": ")),
  ];

  expect(wrong, `correct it in ${register}`).toEqual([]);
});

test("an exemption that exempts nothing is removed", () => {
  const idle = exempted.filter((exemption) => !found.some(({ at }) => isIn(at, exemption)));

  expect(idle, `remove it from ${register}`).toEqual([]);
});

test("every row has a fuzzer, and every parser that a fuzzer has is in a row", () => {
  const fuzzed = parsers.map(({ name }) => name);
  const named = foreignText.map(({ fuzz }) => fuzz);

  expect(without(named, fuzzed), "not in test/foreign-text/parsers.ts").toEqual([]);
  expect(without(fuzzed, named), `add it to a row of ${register}`).toEqual([]);
  expect(
    parsers.filter(({ samples }) => samples.length === 0),
    "a fuzzer has nothing to change",
  ).toEqual([]);
});

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}

/** The places that are neither in these nor exempt. */
function missingFrom(places: readonly string[]): string[] {
  const covered = [...places, ...exempted];
  return found
    .filter(({ at }) => !covered.some((one) => isIn(at, one)))
    .map(({ at, what }) => `${at} (${what})`);
}

function isIn(place: string, one: string): boolean {
  return one.endsWith("/") || !one.includes("#") ? place.startsWith(one) : place === one;
}

function isThere(place: string): boolean {
  const [file = "", name] = place.split("#", 2);
  const path = /^(apps|packages)\//.test(file) ? file : `apps/gateway/src/${file}`;
  if (!existsSync(join(root, path))) return false;
  return name === undefined || place.endsWith("/") || namesIn(root, path).has(place.slice(file.length + 1));
}

function hasTest(file: string, name: string): boolean {
  return existsSync(join(root, file)) && readFileSync(join(root, file), "utf8").includes(`"${name}"`);
}

function shortOf(place: string): string {
  return place.replace(/^apps\/gateway\/src\//, "");
}
