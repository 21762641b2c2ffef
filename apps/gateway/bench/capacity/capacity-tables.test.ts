import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { capacityTables, withTables } from "./capacity-tables.js";
import { comparePoint, isOff } from "./compare-points.js";
import { readConstants } from "./constants.js";

const constants = readConstants(fileURLToPath(new URL("constants.json", import.meta.url)));
const page = readFileSync(new URL("../../../docs/guides/capacity.md", import.meta.url), "utf8");

test("the page of capacity has the tables of the last measurement", () => {
  expect(withTables(page, capacityTables(constants)), "npm run bench -- --capacity writes them").toBe(page);
});

test("round trips and bytes of the simulation are within 20 % of every measured point", () => {
  const compared = constants.points.flatMap((point) => comparePoint(constants, point));

  expect(compared.filter(isOff)).toEqual([]);
  expect(new Set(constants.points.map(({ replicas }) => replicas))).toEqual(new Set([1, 2]));
});

test("a table is replaced after its heading, and the rest of the page stays", () => {
  const text = "# A\n\n## One\n\nA text.\n\n| a |\n| - |\n\nMore.\n\n## Two\n\n| b |\n";

  const written = withTables(text, { One: "| new |\n| --- |", Two: "| last |" });

  expect(written).toBe("# A\n\n## One\n\nA text.\n\n| new |\n| --- |\n\nMore.\n\n## Two\n\n| last |\n");
  expect(() => withTables(text, { Three: "| c |" })).toThrow("The page has no table after 'Three'.");
});
