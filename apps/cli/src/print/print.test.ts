import { expect, test } from "vitest";
import { clock, count, money, span } from "./figures.js";
import { headed, tableLines } from "./table.js";
import { createPaint, harmless, writeReport } from "./terminal.js";

const plain = createPaint({ hasColours: false });
const coloured = createPaint({ hasColours: true });

test("columns are aligned, with and without colours", () => {
  const rows = headed(
    ["id", "state"],
    [
      ["a-long-name", { text: "ready", tone: "good" }, "x"],
      ["b", "down"],
    ],
  );

  expect(tableLines(rows, plain)).toEqual([
    "  id           state",
    "  a-long-name  ready  x",
    "  b            down",
  ]);
  expect(tableLines(rows, coloured)[1]).toBe("  a-long-name  \u001b[32mready\u001b[0m  x");
  expect(tableLines([], plain)).toEqual([]);
});

test("a name cannot move the cursor, add a line or fill the screen", () => {
  expect(harmless("a\u001b[2Jb\nc\u009bd")).toBe("a [2Jb c d");
  expect(tableLines([["x".repeat(1000), "y"]], plain)[0]).toHaveLength(105);
  expect(tableLines([["x".repeat(2000)]], plain)[0]).toHaveLength(1002);
});

test("a sentence at the end of a line is whole, as is a command in it", () => {
  const sentence = `unknown: node ${"/a/long/folder".repeat(10)}/main.js try "a text" sends a request`;

  expect(tableLines([["time", sentence]], plain)).toEqual([`  time  ${sentence}`]);
});

test.each([
  [null, "unknown"],
  [0, "$0"],
  [0.00000016, "$0.00000016"],
  [0.042, "$0.042"],
  [0.1, "$0.1"],
  [12.3456, "$12.35"],
])("%s dollars are %s", (usd, text) => {
  expect(money(usd)).toBe(text);
});

test.each([
  [999, "0 s"],
  [59_000, "59 s"],
  [61_000, "1 min"],
  [2 * 3_600_000 + 60_000, "2 h 1 min"],
  [50 * 3_600_000, "2 d 2 h"],
])("%s ms are %s", (ms, text) => {
  expect(span(ms)).toBe(text);
});

test("a time of another day has its date", () => {
  const now = new Date(2026, 7, 19, 14, 34, 46);

  expect(clock(new Date(2026, 7, 19, 9, 5, 1), now)).toBe("09:05:01");
  expect(clock(new Date(2026, 7, 18, 9, 5, 1), now)).toBe("2026-08-18 09:05:01");
  expect([count(1, "model"), count(2, "model")]).toEqual(["1 model", "2 models"]);
});

test("a report is a text or one JSON document, and its exit code says whether all is fine", () => {
  const printed: string[] = [];
  const terminal = {
    print: (text: string) => void printed.push(text),
    hasColours: false,
    signal: new AbortController().signal,
  };

  const codes = [
    writeReport({ text: "t\n", document: { a: 1 } }, { json: false, terminal }),
    writeReport({ text: "t\n", document: { a: 1 }, isFine: false }, { json: true, terminal }),
  ];

  expect(codes).toEqual([0, 1]);
  expect(printed).toEqual(["t\n", '{\n  "a": 1\n}\n']);
});
