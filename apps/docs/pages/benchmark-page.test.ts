import { expect, test } from "vitest";
import { openHighlight } from "../markdown/highlight.js";
import { openMarkdown } from "../markdown/render-markdown.js";
import { drawBenchmarkPage } from "./benchmark-page.js";

const render = openMarkdown(await openHighlight());

function pageWith(rows: readonly string[]): string {
  const markdown = `# Benchmarks

The cost of the gateway.

## Where the time goes

The CPU time of one request.

| part | µs per request | share, % |
| ---- | -------------: | -------: |
${rows.join("\n")}

## Goals

None.
`;
  return drawBenchmarkPage({ slug: "benchmarks", title: "Benchmarks", markdown }, render).body.text;
}

const drawn = pageWith([
  "| validator | 20.0 | 10.0 |",
  "| log | 4.00 | 2.0 |",
  "| HTTP to the caller | 176 | 88.0 |",
  "| all parts | 200 | 100.0 |",
  "| bare proxy | 100 | 50.0 |",
]);

test("the parts of a request are one bar, side by side from its start to its end", () => {
  const parts = [...drawn.matchAll(/<rect class="part s(\d)" x="([\d.]+)" y="15" width="([\d.]+)"/g)];

  expect(parts.map(([, colour, x, width]) => [colour, x, width])).toEqual([
    ["1", "0.0", "36.0"],
    ["2", "36.0", "7.2"],
    ["3", "43.2", "316.8"],
  ]);
});

test("the bare proxy has the same scale", () => {
  expect(drawn).toContain('<rect class="other" x="0" y="72" width="180.0"');
});

test("parts can be told apart without colours: by their numbers, and in the list below", () => {
  const numbers = [...drawn.matchAll(/<text class="middle"[^>]*>(\d+)</g)].map(([, number]) => number);
  const listed = [...drawn.matchAll(/<text class="who"[^>]*>(\d+)<\/text><rect[^>]*\/><text[^>]*>([^<]+)</g)];

  // The second part is too narrow for a number.
  expect(numbers).toEqual(["1", "3"]);
  expect(listed.map(([, number, name]) => `${number} ${name}`)).toEqual([
    "1 validator",
    "2 log",
    "3 HTTP to the caller",
  ]);
});

test("the bar is read out, with every figure", () => {
  expect(drawn).toContain(
    'aria-label="CPU time of one request: ours 200 µs, bare proxy 100 µs. validator 20 µs, 10 %; log 4.0 µs, 2 %; HTTP to the caller 176 µs, 88 %"',
  );
});

test("figures without times have a table, and no bar", () => {
  const unknown = pageWith([
    "| validator | – | 100.0 |",
    "| all parts | – | 100.0 |",
    "| bare proxy | – | – |",
  ]);

  expect(unknown).not.toContain("<svg");
  expect(unknown).toContain(">validator</td>");
});
